//! Parameters that say where a visitor came from or who he is, never which page is meant.

use crate::phrases::{list, strip_prefix_ignore_case};
use ::url::Url;

/// Starts of names of tracking parameters, lower case.
const TRACKING_PREFIXES: [&str; 8] = ["utm_", "mtm_", "pk_", "piwik_", "matomo_", "hsa_", "stm_", "__hs"];

/// Whole names of tracking parameters, lower case: click ids of advertisers, ids of mailings and of visitors.
/// Ambiguous ones (`ref`, `source`, `sid`) can choose the page and are no noise.
const TRACKING_NAMES: &[&str] = list! {
    "gclid" "gclsrc" "dclid" "gbraid" "wbraid" "gad_source" "gad_campaignid" "srsltid" "fbclid" "msclkid"
    "yclid" "ysclid" "twclid" "ttclid" "li_fat_id" "epik" "igshid" "igsh" "mc_cid" "mc_eid" "mkt_tok"
    "_hsenc" "_hsmi" "hsctatracking" "_ga" "_gl" "_openstat" "vero_id" "vero_conv" "oly_anon_id"
    "oly_enc_id" "rb_clickid" "wickedid" "s_kwcid" "irclickid"
};

/// Whole names of session parameters, lower case.
const SESSION_NAMES: [&str; 9] =
    ["jsessionid", "phpsessid", "sessionid", "session_id", "sessid", "cfid", "cftoken", "oscsid", "zenid"];

/// Starts of names of session parameters, lower case.
const SESSION_PREFIXES: [&str; 1] = ["aspsessionid"];

/// The name of a `name=value` pair.
pub(super) fn name(pair: &str) -> &str {
    pair.split('=').next().unwrap_or_default()
}

/// Whether a parameter only tells where a visitor came from.
pub(super) fn is_tracking(name: &str) -> bool {
    listed(name, &TRACKING_PREFIXES, TRACKING_NAMES)
}

/// Whether a parameter only tells who is visiting.
pub(super) fn is_session(name: &str) -> bool {
    listed(name, &SESSION_PREFIXES, &SESSION_NAMES)
}

fn listed(name: &str, prefixes: &[&str], names: &[&str]) -> bool {
    prefixes.iter().any(|prefix| strip_prefix_ignore_case(name, prefix).is_some())
        || names.iter().any(|listed| name.eq_ignore_ascii_case(listed))
}

/// Takes tracking parameters out of the query, and a question mark that nothing follows.
pub(super) fn strip_tracking(url: &mut Url) {
    let Some(query) = url.query() else { return };
    if query.is_empty() {
        url.set_query(None);
    } else if query.split('&').any(|pair| is_tracking(name(pair))) {
        let kept: Vec<&str> = query.split('&').filter(|pair| !is_tracking(name(pair))).collect();
        let kept = kept.join("&");
        url.set_query(Some(kept.as_str()).filter(|kept| !kept.is_empty()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_known_in_any_case() {
        assert!(is_tracking("UTM_Campaign") && is_tracking("GclId"));
        assert!(is_session("PHPSESSID") && is_session("ASPSESSIONIDQQABC"));
    }

    #[test]
    fn significant_parameters_are_kept() {
        assert!(
            !["ref", "sid", "lang", "utm", "q", "é"]
                .into_iter()
                .any(|name| is_tracking(name) || is_session(name))
        );
    }
}
