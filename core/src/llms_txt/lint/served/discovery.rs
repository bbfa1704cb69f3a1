//! Reading what was fetched beside the file.

use super::observed::HttpAnswer;
use crate::page::hrefs;
use crate::site::robots::Robots;
use crate::url::SiteUrl;

/// Agents that a site should let read its file, beside ourselves.
const AGENTS: [&str; 4] = ["GPTBot", "ClaudeBot", "PerplexityBot", "Google-Extended"];

/// Which of the agents, and of us, robots.txt keeps from `url`.
pub fn agents_shut_out(robots: &[u8], ourselves: &str, url: &SiteUrl) -> Vec<String> {
    let all = std::iter::once(ourselves).chain(AGENTS);
    all.filter(|agent| !Robots::parse(robots, agent).allows(url)).map(str::to_owned).collect()
}

/// Whether the home page or its `Link` header leads to the file.
pub fn points_to(home: &HttpAnswer, file: &SiteUrl) -> bool {
    let leads = |reference: &str| home.url.join(reference).is_ok_and(|target| target.key() == file.key());
    let links = home.headers.iter().filter(|(name, _)| name == "link");
    let mut named =
        links.flat_map(|(_, value)| value.split('<').skip(1)).filter_map(|part| part.split('>').next());
    named.any(leads) || hrefs(&home.body, home.header("content-type")).iter().any(|href| leads(href))
}

/// Whether what a made-up address gave is what the file's address gave: the same but for a part of it, or a page
/// of the site in place of a text.
pub fn alike(file: &HttpAnswer, made_up: &HttpAnswer) -> bool {
    if made_up.status != 200 || file.status != 200 {
        return false;
    }
    if file.is_html() || made_up.is_html() {
        return file.is_html() == made_up.is_html();
    }
    let (one, other) = (&file.body, &made_up.body);
    let longer = one.len().max(other.len());
    let start = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let rest = one.len().min(other.len()) - start;
    let end = one.iter().rev().zip(other.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    (start + end) * 10 >= longer * 9
}
