//! What agents and crawlers look for first: `/llms.txt`, `/llms-full.txt` and `/robots.txt` of the service itself.

use std::future::{Ready, ready};

use actix_web::http::header::{CACHE_CONTROL, ETAG};
use actix_web::{HttpResponse, web};

use crate::service::Service;

pub(super) const INDEX: &str = include_str!("agents/llms.txt");
/// The API's reference as one text.
pub(super) const FULL: &str = include_str!("agents/llms-full.txt");
/// What crawlers may read: all public pages.
pub(super) const ROBOTS: &str = include_str!("agents/robots.txt");
/// Stands in the texts where the address of the service belongs.
const BASE: &str = "{base}";
/// They change with a new version of the service alone.
const KEPT: &str = "public, max-age=3600";

/// A handler that answers with one of these texts.
pub(super) fn text(text: &'static str) -> impl Fn(web::Data<Service>) -> Ready<HttpResponse> + Clone {
    move |service| {
        let text = text.replace(BASE, &service.address("/"));
        ready(
            HttpResponse::Ok()
                .content_type("text/plain; charset=utf-8")
                .insert_header((CACHE_CONTROL, KEPT))
                .insert_header((ETAG, format!("\"{:08x}\"", crc32fast::hash(text.as_bytes()))))
                .body(text),
        )
    }
}

#[cfg(test)]
mod tests {
    use wayfile_core::llms_txt::lint::lint;
    use wayfile_core::llms_txt::lint::report::Report;
    use wayfile_core::url::SiteUrl;

    use super::*;

    #[test]
    fn our_own_file_is_as_good_as_we_ask_others_to_make_theirs() {
        let text = INDEX.replace(BASE, "https://api.tide.dev/");
        let site = SiteUrl::parse("https://api.tide.dev/llms.txt").unwrap();
        let report = Report::of_content(lint(&text.as_str().into(), Some(&site)), None);
        let failing: Vec<_> = report.checks.iter().filter(|check| !check.pass).collect();
        assert_eq!((report.score, report.readiness_score), (100, 100), "{failing:#?}");
    }

    #[test]
    fn the_reference_names_every_field_that_is_taken() {
        let document: serde_json::Value = serde_json::from_str(&crate::openapi::document(None)).unwrap();
        for request in ["GenerateRequest", "ValidateSite", "ValidateContent"] {
            let fields = document["components"]["schemas"][request]["properties"].as_object().unwrap();
            for field in fields.keys() {
                assert!(FULL.contains(&format!("`{field}`")), "{field}");
            }
        }
    }
}
