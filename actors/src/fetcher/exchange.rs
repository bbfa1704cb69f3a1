//! One request: to the network, or to the folder in its place.

use super::queue::FetchRequest;
use crate::cache::Cached;
use crate::context::EngineContext;
use crate::error::FetchResult;
use crate::http::{Answer, Reply};

/// Asks the domain, and whether the page changed where an old one is known.
pub(super) async fn exchange(
    context: &EngineContext,
    request: &FetchRequest,
    sent: impl FnOnce(),
) -> FetchResult<Reply> {
    let (url, want) = (&request.url, request.want);
    let known = match context.cache.look_up(url, want) {
        Cached::Fresh(page) | Cached::Stale(page) => Some(page),
        Cached::Gone(_) | Cached::Missing => None,
    };
    if let Some(folder) = &context.folder {
        return folder.get(url, want, &context.settings()).await;
    }
    let validators = known.as_ref().map(|page| &page.validators);
    let Reply { answer, latency } = context.client.get(url, want, validators, sent).await?;
    let answer = match (answer, known) {
        (Answer::NotModified, Some(page)) => Answer::Page((*page).clone()),
        (answer, _) => answer,
    };
    Ok(Reply { answer, latency })
}
