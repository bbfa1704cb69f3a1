//! Bodies handed out a portion at a time. actix copies whatever it is given into a buffer of the connection, and what it
//! compresses it compresses as a whole: given all at once, every client that is slow to read holds an answer of its own.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use actix_web::Error;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::web::Bytes;

use super::busy::{Answering, Busy};

const PORTION: usize = 32 << 10;

/// A body in portions. What it is made of is shared with the answer, not copied.
pub(super) struct Portions {
    body: BoxBody,
    /// What came of the body and was not handed out.
    rest: Bytes,
    /// The connection is busy until the body is handed out as a whole or given up.
    answering: Option<Answering>,
}

impl MessageBody for Portions {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        if self.rest.is_empty() {
            match ready!(self.body.as_pin_mut().poll_next(cx)) {
                Some(Ok(came)) => self.rest = came,
                ended => return Poll::Ready(ended),
            }
        }
        let portion = PORTION.min(self.rest.len());
        Poll::Ready(Some(Ok(self.rest.split_to(portion))))
    }

    fn try_into_bytes(self) -> Result<Bytes, Self> {
        if !matches!(self.body.size(), BodySize::Sized(size) if size <= PORTION as u64) {
            return Err(self);
        }
        let Self { body, rest, answering } = self;
        body.try_into_bytes().map_err(|body| Self { body, rest, answering })
    }
}

/// The innermost middleware: what compresses gets portions, too. From here on the connection is busy.
pub(super) async fn hand_out(
    request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse<Portions>, Error> {
    let answering = request.conn_data::<Busy>().cloned().map(Busy::answer);
    let response = next.call(request).await?;
    Ok(response.map_body(|_, body| Portions { body, rest: Bytes::new(), answering }))
}
