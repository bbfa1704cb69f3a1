use proptest::prelude::*;

use super::*;

fn url(text: &str) -> SiteUrl {
    SiteUrl::parse(text).unwrap()
}

#[test]
fn a_bare_domain_gets_https() {
    assert_eq!(url("docs.rs").as_str(), "https://docs.rs/");
    assert_eq!(url("docs.rs:8443/a?b=c:d").as_str(), "https://docs.rs:8443/a?b=c:d");
    assert_eq!(url("[2001:4860::1]:8080").as_str(), "https://[2001:4860::1]:8080/");
    assert_eq!(url(" bücher.de ").as_str(), "https://xn--bcher-kva.de/");
}

#[test]
fn tracking_parameters_are_removed_before_the_fetch() {
    assert_eq!(url("http://Docs.RS.:80/a?utm_source=x&b=1&GCLID=2#frag").as_str(), "http://docs.rs/a?b=1");
    assert_eq!(url("https://docs.rs/?fbclid=1").as_str(), "https://docs.rs/");
    assert_eq!(url("https://docs.rs/a?").as_str(), "https://docs.rs/a");
}

#[test]
fn references_resolve_against_their_page() {
    let page = url("https://docs.rs/guide/intro?x=1");
    assert_eq!(page.join(" ../api#top\n").unwrap().as_str(), "https://docs.rs/api");
    assert_eq!(page.join("//docs.rs./a").unwrap().as_str(), "https://docs.rs/a");
    assert_eq!(page.join("https://docs.rs\n/\ta/ b").unwrap().as_str(), "https://docs.rs/a/%20b");
    assert_eq!(page.join("mailto:a@b.c"), Err(UrlError::Scheme("mailto".to_owned())));
    assert_eq!(page.join("//user@docs.rs/"), Err(UrlError::Credentials));
}

#[test]
fn a_page_stands_above_what_lies_in_its_folder() {
    let above = |page: &str| url(page).stands_above(&url("https://a.example/b/c/d"));
    for page in ["/", "/b", "/b/", "/b/index.html", "/b/c/"] {
        assert!(above(&format!("https://a.example{page}")), "{page}");
    }
    for page in ["/bc", "/b/c/d", "/x/", "/b/other.html"] {
        assert!(!above(&format!("https://a.example{page}")), "{page}");
    }
}

#[test]
fn hostile_texts_are_refused() {
    for (text, why) in [
        ("http://docs.rs/\ta", UrlError::ControlCharacter),
        ("http://docs.rs\\@127.0.0.1/", UrlError::Backslash),
        ("http://@docs.rs/", UrlError::Credentials),
        ("ftp://docs.rs/", UrlError::Scheme("ftp".to_owned())),
        ("unix:/run/x.sock", UrlError::Scheme("unix".to_owned())),
        ("http://a..b/", UrlError::HostName),
        ("http://docs.rs../", UrlError::HostName),
        ("http://docs.rs:0/", UrlError::Port),
    ] {
        assert_eq!(SiteUrl::parse(text), Err(why), "{text}");
    }
    for text in ["", "/etc/passwd", "//docs.rs/", "?a", "http://docs.rs:99999/", "http://"] {
        assert!(matches!(SiteUrl::parse(text), Err(UrlError::Invalid(_))), "{text}");
    }
    let long = format!("https://docs.rs/{}", "a".repeat(URL_MAX_CHARS));
    assert_eq!(SiteUrl::parse(&long), Err(UrlError::TooLong));
    assert_eq!(url("https://docs.rs/").join(&"ü".repeat(500)), Err(UrlError::TooLong));
    assert_eq!(SiteUrl::parse(&format!("{}.com", "a".repeat(64))), Err(UrlError::HostName));
    assert_eq!(SiteUrl::parse(&format!("{}com", "a.".repeat(126))), Err(UrlError::HostName));
}

#[test]
fn the_parts_of_an_address() {
    let page = url("http://a.docs.co.uk:8080/x?y");
    assert_eq!(page.registrable_domain(), Some("docs.co.uk"));
    assert_eq!(page.origin().to_string(), "http://a.docs.co.uk:8080");
    assert_eq!(page.path_and_query(), "/x?y");
    assert_eq!(url("http://[::1]/").host(), "::1");
    assert_eq!(url("http://0x7f.1/").ip(), Some(IpAddr::from([127, 0, 0, 1])));
    assert_eq!(url("https://docs.rs/").with_scheme("http").unwrap().as_str(), "http://docs.rs/");
    assert!(url("https://docs.rs/").with_scheme("ftp").is_err());
}

proptest! {
    #[test]
    fn any_text_parses_or_is_refused(text in any::<String>()) {
        let _ = SiteUrl::parse(&text);
        let _ = url("https://docs.rs/a/").join(&text);
    }

    #[test]
    fn references_resolve_as_the_standard_says(
        base in "https://docs[.]rs(:81)?(/[a-c.]{0,3}){0,4}([?][a-z=&]{0,5})?",
        reference in "[a-c.]{0,4}(/?[a-c.]{1,3}){0,3}|([a-c.%?:_é -]|/|[.]html|[.][.]/|utm_a=1){0,6}(#a)?",
    ) {
        let base = url(&base);
        if let Ok(parsed) = base.as_url().join(&reference) {
            prop_assert_eq!(base.join(&reference), SiteUrl::clean(parsed));
        }
    }

    #[test]
    fn cleaning_and_keys_are_idempotent(text in "(https?://)?[a-zA-Zü0-9.-]{1,12}(:[0-9]{1,4})?(/[a-z%0-9A-F;.=~é \"|-]{0,12}){0,4}(/index.html|/;jsessionid=1)?(\\?[a-c%0-9&=_;+é]{0,20}(&utm_x=1|&jsessionid=%34)?)?(#x)?") {
        if let Ok(parsed) = SiteUrl::parse(&text) {
            let again = SiteUrl::parse(parsed.as_str());
            prop_assert_eq!(again.as_ref(), Ok(&parsed));
            let key = parsed.key();
            let of_key = SiteUrl::parse(key.as_str()).map(|url| url.key());
            prop_assert_eq!(of_key, Ok(key));
        }
    }
}
