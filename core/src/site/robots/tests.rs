use proptest::prelude::*;

use super::*;

fn allows(robots: &str, agent: &str, path: &str) -> bool {
    Robots::parse(robots.as_bytes(), agent).allows_path(path)
}

#[test]
fn the_longest_rule_decides_and_allowing_wins_ties() {
    let robots = "User-agent: *\nDisallow: /docs\nAllow: /docs/public\nDisallow: /x\nAllow: /x";
    assert!(!allows(robots, "wayfile", "/docs/a"));
    assert!(allows(robots, "wayfile", "/docs/public/a"));
    assert!(allows(robots, "wayfile", "/x"));
    assert!(allows(robots, "wayfile", "/"));
}

#[test]
fn groups_that_name_the_agent_are_merged_and_replace_the_general_one() {
    let robots = "user-agent: *\ndisallow: /\nuser-agent: Wayfile/1.0 (bot)\nuser-agent: other\ndisallow: /a\n\n\
                  user-agent: third\ndisallow: /c\nuser-agent: WAYFILE\ndisallow: /b\n";
    assert!(!allows(robots, "wayfile", "/a") && !allows(robots, "wayfile", "/b"));
    assert!(allows(robots, "wayfile", "/c"));
    assert!(!allows(robots, "way", "/c"));
}

#[test]
fn robots_txt_itself_is_always_allowed() {
    let closed = "User-agent: *\nDisallow: /";
    assert!(allows(closed, "wayfile", "/robots.txt") && !allows(closed, "wayfile", "/"));
    assert!(Robots::free().allows_path("/"));
    for status in [301, 401, 403, 404, 410] {
        assert!(Robots::is_absent(status), "{status}");
    }
    for status in [200, 429, 500, 503, 599, 0] {
        assert!(!Robots::is_absent(status), "{status}");
    }
}

#[test]
fn lines_are_read_as_sites_write_them() {
    for robots in [
        "\u{feff}User-agent: *\rDisallow: /x",
        "USER AGENT : * # all\r\n  DISSALLOW:/x  # no",
        "user-agent *\ndisallow /x",
        "Disallow: /a\nUser-agent: *\n\nSitemap: a\nDisallow: /x",
    ] {
        assert!(!allows(robots, "wayfile", "/x"), "{robots}");
        assert!(allows(robots, "wayfile", "/a"), "{robots}");
    }
    let utf16: Vec<u8> =
        "\u{feff}User-agent: *\nDisallow: /x".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(!Robots::parse(&utf16, "wayfile").allows_path("/x"));
}

#[test]
fn octets_that_are_no_utf8_are_compared_as_octets() {
    let robots = Robots::parse(b"User-agent: *\nDisallow: /caf\xe9", "wayfile");
    assert!(!robots.allows_path("/caf%E9"));
}

#[test]
fn crawl_delays_belong_to_the_agents_above_them() {
    let robots = b"User-agent: slow\nCrawl-delay: 10\nUser-agent: *\nCrawl-delay: 0.5s\nDisallow: /x";
    assert_eq!(Robots::parse(robots, "wayfile").crawl_delay, Some(Duration::from_millis(500)));
    assert_eq!(Robots::parse(robots, "slow").crawl_delay, Some(Duration::from_secs(10)));
    let endless = b"User-agent: *\nCrawl-delay: 99999999999999999999999999";
    assert!(Robots::parse(endless, "wayfile").crawl_delay > Some(Duration::from_hours(24)));
    for junk in ["-1", "", "ten", "1e400", ".."] {
        let robots = format!("User-agent: *\nCrawl-delay: {junk}");
        assert!(
            Robots::parse(robots.as_bytes(), "wayfile").crawl_delay.is_none_or(|delay| delay.as_secs() == 1)
        );
    }
}

#[test]
fn sitemaps_are_named_once_and_in_order() {
    let robots =
        b"Sitemap: https://docs.rs/b.xml\nsite-map:/a.xml\nSITEMAP: https://docs.rs/b.xml\nSitemap:\n";
    assert_eq!(Robots::parse(robots, "wayfile").sitemaps, ["https://docs.rs/b.xml", "/a.xml"]);
}

#[test]
fn a_long_file_is_cut_at_a_line_end() {
    let mut robots = b"User-agent: *\nDisallow: /early\n".to_vec();
    robots.resize(ROBOTS_MAX_BYTES - 14, b'#');
    robots.extend(b"\nDisallow: /late/and/more\n");
    let robots = Robots::parse(&robots, "wayfile");
    assert!(!robots.allows_path("/early"));
    assert!(robots.allows_path("/lament"));
}

proptest! {
    #[test]
    fn any_bytes_are_read(bytes in any::<Vec<u8>>(), lines in "((user-agent|disallow|allow|crawl-delay|sitemap)[: ]{1,2}[/*$%a-c0-9.#\u{feff}]{0,9}[\r\n]){0,20}", path in "/[/*$%a-c0-9?]{0,9}") {
        let _ = Robots::parse(&bytes, "a").allows_path(&path);
        let _ = Robots::parse(lines.as_bytes(), "a").allows_path(&path);
    }
}
