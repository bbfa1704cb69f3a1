//! The public-address rule: no stranger may make us reach a private address.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

use crate::phrases::list;
use crate::url::SiteUrl;

/// Ports that websites are served on.
pub const PUBLIC_PORTS: [u16; 4] = [80, 443, 8080, 8443];

/// IANA IPv4 special-purpose registry, multicast and reserved space, and what clouds serve their guests from.
const REFUSED_V4: [Ipv4Net; 19] = [
    v4(0, 0, 0, 0, 8),        // this network
    v4(10, 0, 0, 0, 8),       // private, RFC 1918
    v4(100, 64, 0, 0, 10),    // shared by carriers, RFC 6598
    v4(127, 0, 0, 0, 8),      // loopback
    v4(168, 63, 129, 16, 32), // Azure's host
    v4(169, 254, 0, 0, 16),   // link-local, metadata of clouds
    v4(172, 16, 0, 0, 12),    // private, RFC 1918
    v4(192, 0, 0, 0, 24),     // protocol assignments
    v4(192, 0, 2, 0, 24),     // documentation
    v4(192, 31, 196, 0, 24),  // AS112
    v4(192, 52, 193, 0, 24),  // AMT relays
    v4(192, 88, 99, 0, 24),   // 6to4 relays
    v4(192, 168, 0, 0, 16),   // private, RFC 1918
    v4(192, 175, 48, 0, 24),  // AS112
    v4(198, 18, 0, 0, 15),    // benchmarks
    v4(198, 51, 100, 0, 24),  // documentation
    v4(203, 0, 113, 0, 24),   // documentation
    v4(224, 0, 0, 0, 4),      // multicast
    v4(240, 0, 0, 0, 4),      // reserved, broadcast
];

/// The only global unicast space that IANA hands out.
const GLOBAL_V6: Ipv6Net = v6(0x2000, 0, 0, 3);

/// What is not public within [`GLOBAL_V6`] (IANA IPv6 special-purpose registry).
const REFUSED_V6: [Ipv6Net; 5] = [
    v6(0x2001, 0, 0, 23),         // protocol assignments: Teredo, ORCHID, benchmarks, DRIP
    v6(0x2001, 0xdb8, 0, 32),     // documentation
    v6(0x2002, 0, 0, 16),         // 6to4: holds an IPv4 address
    v6(0x2620, 0x4f, 0x8000, 48), // AS112
    v6(0x3fff, 0, 0, 20),         // documentation, RFC 9637
];

const fn v4(a: u8, b: u8, c: u8, d: u8, prefix: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), prefix)
}

const fn v6(a: u16, b: u16, c: u16, prefix: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0), prefix)
}

/// Last labels of names that never lead to a public website: special-use names (RFC 6761, 6762, 7686, 8375, 9476),
/// what ICANN keeps for private use, and what private networks, clusters and name systems outside DNS use.
const RESERVED_TLDS: &[&str] = list! {
    "alt" "arpa" "bit" "consul" "corp" "docker" "domain" "example" "home" "i2p" "internal" "intranet"
    "invalid" "lan" "local" "localdomain" "localhost" "mail" "onion" "private" "svc" "test" "workgroup"
};

/// Why an address may not be fetched. Callers outside must not learn which it was for a name that resolves.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotPublic {
    /// A literal address, or an answer of DNS, outside the public space.
    #[error("{0} is not a public address")]
    Address(IpAddr),
    /// A single label or a reserved name.
    #[error("{0:?} is not a public name")]
    Name(String),
    /// A port that no public website uses.
    #[error("port {0} is not one that public websites use ({PUBLIC_PORTS:?})")]
    Port(u16),
    /// The name has no address.
    #[error("the name has no address")]
    Unresolved,
}

/// Which addresses may be fetched: the public ones, and the networks that the operator opened.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AddressPolicy {
    allow: Vec<IpNet>,
}

impl AddressPolicy {
    /// `allow`: networks that may be fetched although they are private, on any port (`crawl.allow_networks`).
    pub fn new(allow: Vec<IpNet>) -> Self {
        Self { allow }
    }

    /// Whether an address may be dialled. To be asked for every address right before it is.
    ///
    /// # Errors
    /// [`NotPublic::Address`].
    pub fn ip(&self, ip: IpAddr) -> Result<(), NotPublic> {
        if self.is_allowed(ip) || is_public(ip) { Ok(()) } else { Err(NotPublic::Address(ip)) }
    }

    /// What can be said before a name is resolved: literal addresses, reserved names, ports.
    ///
    /// Where networks are opened, names and their ports pass here, because their addresses decide: ask
    /// [`AddressPolicy::resolved`].
    ///
    /// # Errors
    /// [`NotPublic`] says why it may not be fetched.
    pub fn url(&self, url: &SiteUrl) -> Result<(), NotPublic> {
        if let Some(ip) = url.ip() {
            self.resolved(url, &[ip])
        } else if self.allow.is_empty() {
            public_name(url.host())?;
            Self::port(url.port())
        } else {
            Ok(())
        }
    }

    /// Whether an address may be fetched at what its name resolves to: one refused answer refuses all, and the
    /// port must be public unless every answer lies in an opened network.
    ///
    /// # Errors
    /// [`NotPublic`] says why it may not be fetched.
    pub fn resolved(&self, url: &SiteUrl, addresses: &[IpAddr]) -> Result<(), NotPublic> {
        if addresses.is_empty() {
            return Err(NotPublic::Unresolved);
        }
        addresses.iter().try_for_each(|ip| self.ip(*ip))?;
        if addresses.iter().all(|ip| self.is_allowed(*ip)) { Ok(()) } else { Self::port(url.port()) }
    }

    /// Whether public websites use a port.
    ///
    /// # Errors
    /// [`NotPublic::Port`].
    pub fn port(port: u16) -> Result<(), NotPublic> {
        if PUBLIC_PORTS.contains(&port) { Ok(()) } else { Err(NotPublic::Port(port)) }
    }

    fn is_allowed(&self, ip: IpAddr) -> bool {
        self.allow.iter().any(|network| network.contains(&ip))
    }
}

fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => !REFUSED_V4.iter().any(|network| network.contains(&ip)),
        IpAddr::V6(ip) => GLOBAL_V6.contains(&ip) && !REFUSED_V6.iter().any(|network| network.contains(&ip)),
    }
}

fn public_name(name: &str) -> Result<(), NotPublic> {
    match name.rsplit_once('.') {
        Some((_, last)) if !RESERVED_TLDS.contains(&last) => Ok(()),
        _ => Err(NotPublic::Name(name.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn url(text: &str) -> SiteUrl {
        SiteUrl::parse(text).unwrap()
    }

    fn is_open(text: &str) -> bool {
        AddressPolicy::default().url(&url(text)).is_ok()
    }

    #[test]
    fn literal_addresses_in_any_spelling() {
        for text in [
            "http://0x7f.1",
            "http://127.0.0.1.",
            "http://[::ffff:10.0.0.1]",
            "http://[fc00::1]",
            "http://168.63.129.16",
        ] {
            assert!(!is_open(text), "{text}");
        }
        for text in ["http://1.1.1.1", "http://[2a00::1]:8080", "http://168.63.129.17"] {
            assert!(is_open(text), "{text}");
        }
    }

    #[test]
    fn names_that_cannot_be_public() {
        for text in ["localhost", "redis", "a.localhost.", "printer.LAN", "a.home.arpa"] {
            assert!(!is_open(text), "{text}");
        }
        assert!(is_open("local.docs.rs"));
    }

    #[test]
    fn ports_that_are_not_the_web() {
        assert_eq!(AddressPolicy::default().url(&url("docs.rs:22")), Err(NotPublic::Port(22)));
        assert_eq!(AddressPolicy::default().url(&url("http://1.1.1.1:22")), Err(NotPublic::Port(22)));
        assert!(is_open("docs.rs:8443"));
    }

    #[test]
    fn one_private_answer_refuses_all() {
        let policy = AddressPolicy::default();
        let (public, private) = (IpAddr::from([1, 1, 1, 1]), IpAddr::from([10, 0, 0, 1]));
        assert_eq!(policy.resolved(&url("docs.rs"), &[public]), Ok(()));
        assert_eq!(policy.resolved(&url("docs.rs"), &[public, private]), Err(NotPublic::Address(private)));
        assert_eq!(policy.resolved(&url("docs.rs:22"), &[public]), Err(NotPublic::Port(22)));
        assert_eq!(policy.resolved(&url("docs.rs"), &[]), Err(NotPublic::Unresolved));
    }

    #[test]
    fn opened_networks_pass_on_any_port() {
        let policy = AddressPolicy::new(vec!["10.1.0.0/16".parse().unwrap()]);
        assert_eq!(policy.url(&url("http://10.1.2.3:5000")), Ok(()));
        assert!(policy.url(&url("http://10.2.2.3")).is_err());
        assert_eq!(policy.url(&url("http://wiki:5000")), Ok(()));
        let (opened, private) = (IpAddr::from([10, 1, 0, 9]), IpAddr::from([127, 0, 0, 1]));
        let public = IpAddr::from([1, 1, 1, 1]);
        assert_eq!(policy.resolved(&url("http://wiki:5000"), &[opened]), Ok(()));
        assert_eq!(policy.resolved(&url("http://wiki:5000"), &[private]), Err(NotPublic::Address(private)));
        assert_eq!(policy.resolved(&url("http://wiki:5000"), &[opened, public]), Err(NotPublic::Port(5000)));
    }

    proptest! {
        #[test]
        fn an_ipv6_address_that_embeds_an_ipv4_one_is_never_public(v4 in any::<u32>()) {
            let octets = v4.to_be_bytes();
            let tail = [u16::from_be_bytes([octets[0], octets[1]]), u16::from_be_bytes([octets[2], octets[3]])];
            for ip in [
                Ipv4Addr::from(v4).to_ipv6_mapped(),
                Ipv4Addr::from(v4).to_ipv6_compatible(),
                Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, tail[0], tail[1]),
                Ipv6Addr::new(0x2002, tail[0], tail[1], 0, 0, 0, 0, 1),
            ] {
                prop_assert!(AddressPolicy::default().ip(ip.into()).is_err());
            }
        }
    }
}
