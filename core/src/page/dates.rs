//! When a page says that it was published and changed.

use super::structured::Data;
use super::tree::{NodeId, Tree};
use super::vocabulary::Name;
use crate::phrases::list;

/// Names of `meta` elements that tell when a page was published, best first.
const PUBLISHED: &[&str] = list! {
    "article:published_time" "datepublished" "og:published_time" "citation_publication_date"
    "dcterms.issued" "dcterms.created" "dc.date.issued" "dc.date" "dcterms.date" "parsely-pub-date"
    "sailthru.date" "publish-date" "publishdate" "pubdate" "date"
};
/// And when it was changed.
const MODIFIED: &[&str] = list! {
    "article:modified_time" "datemodified" "og:updated_time" "og:modified_time" "dcterms.modified"
    "dc.date.modified" "last-modified" "revised"
};

/// So many nodes behind a title stand the lines that belong to it.
const NEAR: NodeId = 16;
/// Within so many nodes behind it a list of posts tells the days of others.
const APART: NodeId = 60;
/// So many other days stand there at most that are no such: when the page was changed, or its event is.
const MAX_OTHERS: usize = 1;

/// Two days, each as `YYYY-MM-DD`.
#[derive(Debug, Default)]
pub(super) struct Dates {
    published: Option<(usize, String)>,
    modified: Option<(usize, String)>,
    /// The day right below the title, and where.
    below_title: Option<(NodeId, String)>,
    /// How many others stand near it.
    others: usize,
}

impl Dates {
    /// Takes what a `meta` element of this name, in lower case, says.
    pub(super) fn meta(&mut self, name: &str, content: &str) {
        for (names, place) in [(PUBLISHED, &mut self.published), (MODIFIED, &mut self.modified)] {
            let Some(rank) = names.iter().position(|n| *n == name) else { continue };
            if place.as_ref().is_none_or(|(best, _)| rank < *best)
                && let Some(day) = day(content)
            {
                *place = Some((rank, day));
            }
        }
    }

    /// Takes a `time` element whose marks say what its time is: the properties of schema.org, the classes of
    /// microformats and of WordPress; or that is the first behind the last title, and near where that ends.
    pub(super) fn time(&mut self, tree: &Tree<'_>, node: NodeId, title_end: Option<NodeId>) {
        let Some(day) = tree.raw_attribute(node, Name::Datetime).and_then(day) else { return };
        let names =
            [Name::Itemprop, Name::Class].into_iter().filter_map(|name| tree.raw_attribute(node, name));
        let mut is_change = false;
        for name in names.flat_map(str::split_ascii_whitespace) {
            match name.to_ascii_lowercase().as_str() {
                "datepublished" | "dt-published" | "published" | "entry-date" => {
                    self.published.get_or_insert_with(|| (PUBLISHED.len(), day.clone()));
                }
                "datemodified" | "dt-updated" | "updated" => {
                    is_change = true;
                    self.modified.get_or_insert_with(|| (MODIFIED.len(), day.clone()));
                }
                _ => {}
            }
        }
        match &self.below_title {
            // A page's own title stands below that of its newspaper.
            _ if title_end.is_some_and(|end| node < end + NEAR) && !is_change => {
                (self.below_title, self.others) = (Some((node, day)), 0);
            }
            Some((first, known)) => self.others += usize::from(*known != day && node < first + APART),
            None => {}
        }
    }

    /// The days of publication and of the last change, from structured data where nothing else told them.
    pub(super) fn take(self, data: &Data) -> (Option<String>, Option<String>) {
        // A list of posts tells the day of each.
        let below_title = self.below_title.filter(|_| self.others <= MAX_OTHERS).map(|(_, day)| day);
        let or_data = |told: Option<(usize, String)>, said: &Option<String>| {
            told.map(|(_, day)| day).or_else(|| said.as_deref().and_then(day))
        };
        (or_data(self.published, &data.published).or(below_title), or_data(self.modified, &data.modified))
    }
}

/// The day at the start of a date of ISO 8601 (`2024-05-01T10:00Z`), also as `2024/05/01` or `20240501`.
fn day(text: &str) -> Option<String> {
    let text = text.trim();
    let digits: String = text.chars().take(10).filter(|c| !matches!(c, '-' | '/')).take(8).collect();
    let marks = text.chars().take(10).filter(|c| matches!(c, '-' | '/')).count();
    let number = |range| digits.get(range).and_then(|part: &str| part.parse::<u16>().ok());
    let (year, month, day) = (number(0..4)?, number(4..6)?, number(6..8)?);
    let real = (1900..2200).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    (real && matches!(marks, 0 | 2)).then(|| format!("{year:04}-{month:02}-{day:02}"))
}

#[cfg(test)]
mod tests {
    use super::super::{PageSource, read_html};
    use super::*;
    use crate::url::SiteUrl;
    use crate::work::Work;

    fn dates(html: &str) -> (Option<String>, Option<String>) {
        let url = SiteUrl::parse("https://site.example/a").unwrap();
        let page = read_html(
            &PageSource { url: &url, content_type: None, x_robots_tag: None, body: html.as_bytes() },
            &Work::unbounded(),
        )
        .unwrap();
        (page.published, page.modified)
    }

    #[test]
    fn days_are_read_and_checked() {
        assert_eq!(day("2024-05-01T10:00:00+02:00").as_deref(), Some("2024-05-01"));
        assert_eq!(day(" 2024/5/01"), None);
        assert_eq!(day("2024/05/01").as_deref(), Some("2024-05-01"));
        assert_eq!(day("20240501").as_deref(), Some("2024-05-01"));
        for no in ["1 May 2024", "2024-13-01", "2024-05", "", "0000-00-00", "1714557600"] {
            assert_eq!(day(no), None, "{no}");
        }
    }

    #[test]
    fn the_best_source_wins() {
        let html = "<meta name=date content=2020-01-01><meta property='article:published_time' content=2021-02-03T04:05Z>\
            <script type='application/ld+json'>{\"datePublished\":\"2019-01-01\",\"dateModified\":\"2022-03-04\"}</script>";
        assert_eq!(dates(html), (Some("2021-02-03".to_owned()), Some("2022-03-04".to_owned())));
        let html = "<main><p>In <time datetime=1999-09-09>September</time></p><time class='entry-date published' \
            datetime='2023-04-05T06:07'>April</time>";
        assert_eq!(dates(html), (Some("2023-04-05".to_owned()), None));
    }

    #[test]
    fn the_day_below_a_title_is_that_of_its_page() {
        let time = |day: u8| format!("<time datetime=2024-05-{day:02}>{day}</time>");
        let post =
            |rest: &str| dates(&format!("<h1>Kiln</h1><div>by Ash {}</div><p>Hot.</p>{rest}", time(3))).0;
        assert_eq!(post("").as_deref(), Some("2024-05-03"));
        assert_eq!(post(&time(9)).as_deref(), Some("2024-05-03"));
        assert_eq!(post(&(time(1) + &time(2))), None, "a list of posts");
        let related = "<p>Hot.</p>".repeat(40) + &time(1) + &time(2);
        assert_eq!(post(&related).as_deref(), Some("2024-05-03"));
        assert_eq!(dates(&format!("<h1>Kiln</h1>{}{}", "<p>Hot.</p>".repeat(9), time(3))).0, None);
        let changed = dates("<h1>Kiln</h1><time itemprop=dateModified datetime=2024-05-01>1 May</time>");
        assert_eq!(changed, (None, Some("2024-05-01".to_owned())));
        let newspaper = format!("<h1>Daily Kiln</h1>{}<h1>Fire</h1>{}", time(9), time(3));
        assert_eq!(dates(&newspaper).0.as_deref(), Some("2024-05-03"));
    }
}
