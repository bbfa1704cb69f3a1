//! E-mail addresses as accounts are named by.

use std::fmt;
use std::str::FromStr;

use url::Host;

/// RFC 5321 section 4.5.3.1.3: a path has at most 256 octets, two of which are its brackets.
const MAX_LENGTH: usize = 254;

/// An address in lower case, so that one mailbox is one account.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Email(String);

/// A text that mail cannot be sent to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this is no e-mail address; write it like name@example.org")]
pub struct BadEmail;

impl Email {
    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Email {
    type Err = BadEmail;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // First, since a letter in lower case may be one that no address has.
        let text = text.trim().to_lowercase();
        let (name, host) = text.rsplit_once('@').ok_or(BadEmail)?;
        let odd = |c: char| c.is_whitespace() || c.is_control() || "<>()[]\\,;:\"@".contains(c);
        // As the protocol spells it (RFC 5891): few mail servers know another spelling.
        let Ok(Host::Domain(host)) = Host::parse(host) else { return Err(BadEmail) };
        let text = format!("{name}@{host}");
        // What no mail can be sent to is told here, where somebody can still mend it.
        let is_sendable = text.parse::<lettre::Address>().is_ok();
        if name.is_empty() || text.len() > MAX_LENGTH || name.contains(odd) || !is_sendable {
            return Err(BadEmail);
        }
        Ok(Self(text))
    }
}

impl fmt::Display for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_mailbox_is_one_account() {
        let email: Email = " Ada.Lovelace+api@Example.ORG\n".parse().unwrap();
        assert_eq!(email.as_str(), "ada.lovelace+api@example.org");
        let email: Email = "ada@B\u{dc}CHER.example".parse().unwrap();
        assert_eq!(email.as_str(), "ada@xn--bcher-kva.example");
    }

    proptest::proptest! {
        #[test]
        fn an_address_is_the_same_when_it_is_read_again(text in "\\PC{1,8}@\\PC{1,6}[.]\\PC{1,4}") {
            if let Ok(email) = text.parse::<Email>() {
                proptest::prop_assert_eq!(email.as_str().parse::<Email>(), Ok(email.clone()));
            }
        }
    }

    #[test]
    fn undeliverable_addresses_are_refused() {
        let long = format!("{}@example.org", "a".repeat(250));
        for bad in [
            "",
            "a",
            "@b.org",
            "a@",
            "a b@c.org",
            "a@b..org",
            "a..b@c.org",
            ".a@c.org",
            "a.@c.org",
            "a@-c.org",
            "a@xn--.org",
            "a@127.0.0.1",
            "a\u{200b}b@c.org",
            &format!("{}@c.org", "a".repeat(65)),
            "a@b.org, c@d.org",
            "a\n@b.org",
            &long,
        ] {
            assert_eq!(bad.parse::<Email>(), Err(BadEmail), "{bad}");
        }
    }
}
