//! A run as a stream of events: progress, and last `done` or `error`.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::future::{Future, ready};
use std::pin::Pin;
use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::http::header::{CACHE_CONTROL, ContentEncoding};
use actix_web::web::Bytes;
use futures_util::stream;
use serde::Serialize;
use serde_json::json;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Interval, MissedTickBehavior, interval};
use utoipa::ToSchema;
use wayfile_actors::{Event, Progress, Settled};

use crate::error::ApiResult;
use crate::middleware::RequestId;

/// A comment is sent this often, so that no proxy takes a long crawl for a dead connection.
const BEAT: Duration = Duration::from_secs(15);

const STILL: Bytes = Bytes::from_static(b": still at it\n\n");
/// Round the answer of a run that went well.
const DONE: Bytes = Bytes::from_static(b"event: done\ndata: ");
const END: Bytes = Bytes::from_static(b"\n\n");

pub(crate) type RunFuture<T> = Pin<Box<dyn Future<Output = ApiResult<T>>>>;

/// Work that was let in, and how to hear how it goes.
pub(crate) struct Started<T> {
    pub(crate) work: RunFuture<T>,
    pub(crate) events: Receiver<Event>,
}

impl<T> Started<T> {
    /// The answer alone: what nobody listens to is neither told nor kept meanwhile.
    pub(crate) async fn answer(self) -> ApiResult<T> {
        drop(self.events);
        self.work.await
    }
}

struct Watched {
    run: RunFuture<Bytes>,
    events: Receiver<Event>,
    /// No more events come.
    silent: bool,
    beat: Interval,
    id: RequestId,
    /// What is to be sent before anything else is heard.
    ready: VecDeque<Bytes>,
    /// The last event is said.
    over: bool,
}

/// Streams a run whose answer is JSON. Until it begins, failures are plain answers; from then on they end the stream.
pub(crate) async fn watch(started: Started<Bytes>, id: &RequestId) -> ApiResult {
    let Started { mut work, mut events } = started;
    let begun = tokio::select! {
        biased;
        begun = events.recv() => begun,
        answer = &mut work => {
            work = Box::pin(ready(answer));
            Err(RecvError::Closed)
        }
    };
    match begun {
        // It ended before it began.
        Err(RecvError::Closed) => {
            let answer = work.await?;
            Ok(stream(Box::pin(ready(Ok(answer))), None, events, id))
        }
        begun => Ok(stream(work, begun.as_ref().ok(), events, id)),
    }
}

/// Streams a run. The client that leaves drops the stream, and with it the run.
pub(crate) fn stream(
    run: RunFuture<Bytes>,
    first: Option<&Event>,
    events: Receiver<Event>,
    id: &RequestId,
) -> HttpResponse {
    let mut beat = interval(BEAT);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    beat.reset();
    let ready = first.and_then(say).map(Bytes::from).into_iter().collect();
    let watched = Watched { run, events, silent: false, beat, id: id.clone(), ready, over: false };
    let body = stream::unfold(watched, |mut watched| async move {
        if watched.ready.is_empty() && !watched.over {
            watched.hear().await;
        }
        let said = watched.ready.pop_front()?;
        Some((Ok::<_, Infallible>(said), watched))
    });
    HttpResponse::Ok()
        .content_type("text/event-stream")
        .insert_header((CACHE_CONTROL, "no-store"))
        // What stands between must not collect events: neither compression nor a buffering proxy.
        .insert_header(ContentEncoding::Identity)
        .insert_header(("x-accel-buffering", "no"))
        .streaming(body)
}

impl Watched {
    async fn hear(&mut self) {
        loop {
            tokio::select! {
                biased;
                event = self.events.recv(), if !self.silent => match event {
                    Ok(event) => if let Some(said) = say(&event) { return self.ready.push_back(said.into()) },
                    Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => self.silent = true,
                },
                result = &mut self.run => {
                    self.over = true;
                    return match result {
                        // Other clients may be sent the same bytes.
                        Ok(answer) => self.ready.extend([DONE, answer, END]),
                        Err(error) => self.ready.push_back(written("error", &error.body(self.id.as_str())).into()),
                    };
                }
                _ = self.beat.tick() => return self.ready.push_back(STILL),
            }
        }
    }
}

/// A page that was settled, and where the crawl stands.
#[derive(Serialize, ToSchema)]
pub(crate) struct PageEvent<'a> {
    #[serde(flatten)]
    progress: &'a Progress,
    #[serde(flatten)]
    page: &'a Settled,
}

fn say(event: &Event) -> Option<String> {
    match event {
        Event::Accepted => Some(written("accepted", &json!({}))),
        Event::Discovered(progress) => Some(written("discovered", progress)),
        Event::Page(page, progress) => Some(written("page", &PageEvent { progress, page })),
        Event::Described(progress) => Some(written("described", progress)),
        Event::Assembling(_) => None,
    }
}

fn written(event: &str, data: &impl Serialize) -> String {
    // JSON has no raw line breaks, which would end the field.
    format!("event: {event}\ndata: {}\n\n", serde_json::to_string(data).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use tokio::sync::broadcast::Sender;

    use super::*;

    #[actix_web::test]
    async fn a_run_whose_answer_alone_is_wanted_is_not_listened_to() {
        let telling = Sender::new(1);
        let events = telling.subscribe();
        let work: RunFuture<usize> = Box::pin(async move { Ok(telling.receiver_count()) });
        assert_eq!(Started { work, events }.answer().await.ok(), Some(0));
    }
}
