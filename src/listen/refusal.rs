//! The answer to what is no request: the body of every other error, and the connection's end.

use std::io;
use std::time::{Duration, SystemTime};

use actix_web::body::MessageBody;
use actix_web::http::StatusCode;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use wayfile_actors::metrics;

use crate::error::ApiError;
use crate::middleware::{OTHER, RequestId};

/// Bytes of what a client still sends that are thrown away at once.
const SINK: usize = 8 << 10;

/// Says what is wrong, and hears the client out so that it reads it.
///
/// # Errors
/// The client is gone.
pub(super) async fn answer(mut stream: TcpStream, status: StatusCode) -> io::Result<()> {
    let id = RequestId::new();
    let error = ApiError::of_status(status);
    tracing::debug!(request.id = id.as_str(), status = status.as_u16(), "what came is no request");
    metrics::http_request(OTHER, OTHER, status.as_u16(), Duration::ZERO);
    stream.write_all(&written(&error, &id)).await?;
    stream.shutdown().await?;
    let mut sink = [0; SINK];
    while stream.read(&mut sink).await? > 0 {}
    Ok(())
}

/// The answer as it goes over the wire.
fn written(error: &ApiError, id: &RequestId) -> Vec<u8> {
    let (head, body) = error.response(id.as_str()).into_parts();
    let status = head.status();
    let reason = status.canonical_reason().unwrap_or_default();
    let body = body.try_into_bytes().unwrap_or_default();
    let mut text = format!("HTTP/1.1 {} {reason}\r\n", status.as_u16()).into_bytes();
    let date = httpdate::fmt_http_date(SystemTime::now());
    let own = [
        ("content-length", body.len().to_string()),
        ("connection", "close".to_owned()),
        ("date", date),
        ("x-request-id", id.as_str().to_owned()),
    ];
    for (name, value) in head.headers() {
        text.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat());
    }
    for (name, value) in own {
        text.extend(format!("{name}: {value}\r\n").into_bytes());
    }
    text.extend(b"\r\n");
    text.extend(body);
    text
}
