//! Who runs when: the actors that crawl a site by the rules of `wayfile-core`.
