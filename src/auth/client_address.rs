//! Where a request comes from, when it may have come through proxies.

use std::net::{IpAddr, SocketAddr};

use ipnet::IpNet;

/// The client's own address: the peer's, or what the proxies of ours say before which it stands.
///
/// Each proxy appends to `X-Forwarded-For` whom it was asked by, so from the right every hop is believed as long as the
/// one that says it is trusted. Whatever stands to the left of the first stranger, that stranger may have made up.
pub fn client_address<'a>(
    peer: IpAddr,
    forwarded: impl DoubleEndedIterator<Item = &'a str>,
    trusted: &[IpNet],
) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(&address));
    let mut client = peer.to_canonical();
    for hop in forwarded.flat_map(|line| line.split(',')).map(str::trim).rev() {
        if !is_trusted(client) {
            break;
        }
        let Some(said) = parse(hop) else { break };
        client = said;
    }
    client
}

/// An address, with or without a port.
fn parse(hop: &str) -> Option<IpAddr> {
    let bare = hop.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(hop);
    let address = bare.parse().ok().or_else(|| hop.parse().ok().map(|socket: SocketAddr| socket.ip()));
    address.map(|address: IpAddr| address.to_canonical())
}

/// Addresses that one party can easily have many of: a /24, or a /64 of IPv6.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AddressRange(IpNet);

impl AddressRange {
    /// The range that an address lies in.
    pub fn of(address: IpAddr) -> Self {
        let address = address.to_canonical();
        let length = if address.is_ipv4() { 24 } else { 64 };
        Self(IpNet::new_assert(address, length).trunc())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROXIES: [&str; 2] = ["10.0.0.0/8", "fd00::/8"];

    fn client(peer: &str, forwarded: &[&str]) -> String {
        let trusted = PROXIES.map(|network| network.parse().unwrap());
        client_address(peer.parse().unwrap(), forwarded.iter().copied(), &trusted).to_string()
    }

    #[test]
    fn untrusted_peers_are_the_client() {
        assert_eq!(client("203.0.113.7", &[]), "203.0.113.7");
        assert_eq!(client("203.0.113.7", &["198.51.100.1, 10.0.0.1"]), "203.0.113.7");
        assert_eq!(client("::ffff:203.0.113.7", &["198.51.100.1"]), "203.0.113.7");
    }

    #[test]
    fn behind_proxies_of_ours_the_rightmost_stranger_is_the_client() {
        assert_eq!(client("10.0.0.1", &["198.51.100.1"]), "198.51.100.1");
        assert_eq!(client("10.0.0.1", &["198.51.100.1, 10.0.0.2"]), "198.51.100.1");
        assert_eq!(client("10.0.0.1", &["198.51.100.1", "10.0.0.2"]), "198.51.100.1");
        assert_eq!(client("fd00::1", &["[2001:db8::5]:4711"]), "2001:db8::5");
        assert_eq!(client("10.0.0.1", &["198.51.100.1:80"]), "198.51.100.1");
    }

    #[test]
    fn forged_forwarded_addresses_are_ignored() {
        assert_eq!(client("10.0.0.1", &["1.1.1.1, 8.8.8.8, 198.51.100.1"]), "198.51.100.1");
        assert_eq!(client("10.0.0.1", &["1.1.1.1", "10.9.9.9, 198.51.100.1, 10.0.0.2"]), "198.51.100.1");
        // It claims to be a proxy of ours; the proxy itself says otherwise.
        assert_eq!(client("10.0.0.1", &["10.0.0.3, 198.51.100.1"]), "198.51.100.1");
    }

    #[test]
    fn junk_ends_the_search_at_the_last_that_was_believed() {
        for junk in ["", "unknown", "198.51.100.1; 10.0.0.1", "[", "[]", "1.2.3.4.5", "\u{661}.1.1.1"] {
            assert_eq!(client("10.0.0.1", &[junk]), "10.0.0.1", "{junk}");
        }
        assert_eq!(client("10.0.0.1", &["198.51.100.1, _hidden"]), "10.0.0.1");
        assert_eq!(client("10.0.0.1", &["10.0.0.7, 10.0.0.8"]), "10.0.0.7", "inside there are clients, too");
    }

    #[test]
    fn neighbours_share_a_range() {
        let range = |address: &str| AddressRange::of(address.parse().unwrap());
        assert_eq!(range("203.0.113.7"), range("203.0.113.250"));
        assert_eq!(range("203.0.113.7"), range("::ffff:203.0.113.8"));
        assert_ne!(range("203.0.113.7"), range("203.0.112.7"));
        assert_eq!(range("2001:db8:0:1::5"), range("2001:db8:0:1:ffff::9"));
        assert_ne!(range("2001:db8:0:1::5"), range("2001:db8:0:2::5"));
    }
}
