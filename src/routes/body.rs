//! Request bodies: JSON objects, read within a time and a size, field by field.

use std::fmt;
use std::time::Duration;

use actix_web::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use actix_web::{HttpRequest, web};
use futures_util::StreamExt;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value};

use crate::error::{ApiError, Code};
use crate::service::Service;

/// A client sends its body within this time, or somebody else gets its place.
const TIMEOUT: Duration = Duration::from_secs(15);

/// What a body is written in.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Json,
    Form,
}

impl Kind {
    fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Form => "application/x-www-form-urlencoded",
        }
    }
}

/// As [`read`], until the service stops: a client that still sends when the drain is over is turned away.
///
/// # Errors
/// 400, 408, 413, 415, 503.
pub(crate) async fn receive(
    service: &Service,
    request: &HttpRequest,
    payload: web::Payload,
    kind: Kind,
    cap: usize,
) -> Result<Vec<u8>, ApiError> {
    tokio::select! {
        biased;
        body = read(request, payload, kind, cap) => body,
        () = service.shutdown.over() => Err(ApiError::new(Code::ShuttingDown)),
    }
}

/// Reads a body of at most `cap` bytes.
///
/// # Errors
/// 415 for anything but a plain body of this kind, 413 above the cap, 408 when it does not arrive, 400 when it breaks off.
pub(crate) async fn read(
    request: &HttpRequest,
    payload: web::Payload,
    kind: Kind,
    cap: usize,
) -> Result<Vec<u8>, ApiError> {
    check_type(request, kind)?;
    let too_large = || {
        let message = format!("The request's body is larger than {cap} bytes.");
        ApiError::saying(Code::BodyTooLarge, message)
    };
    let announced =
        request.headers().get(CONTENT_LENGTH).and_then(|v| v.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|bytes| bytes > cap) {
        return Err(too_large());
    }
    let reading = async {
        let mut payload = payload;
        let mut body = Vec::with_capacity(announced.unwrap_or(0));
        while let Some(chunk) = payload.next().await {
            let chunk = chunk.map_err(|_| ApiError::new(Code::BadRequest))?;
            if body.len() + chunk.len() > cap {
                return Err(too_large());
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    };
    tokio::time::timeout(TIMEOUT, reading).await.unwrap_or_else(|_| Err(ApiError::new(Code::RequestTimeout)))
}

fn check_type(request: &HttpRequest, kind: Kind) -> Result<(), ApiError> {
    let header = |name| request.headers().get(name).and_then(|value| value.to_str().ok());
    let essence = header(CONTENT_TYPE).and_then(|kind| kind.split(';').next()).unwrap_or_default().trim();
    let coded = header(CONTENT_ENCODING).is_some_and(|coding| !coding.eq_ignore_ascii_case("identity"));
    match kind {
        kind if essence.eq_ignore_ascii_case(kind.media_type()) && !coded => Ok(()),
        Kind::Json => Err(ApiError::new(Code::UnsupportedMediaType)),
        Kind::Form => {
            let message = format!("A form is sent as `content-type: {}`.", kind.media_type());
            Err(ApiError::saying(Code::UnsupportedMediaType, message))
        }
    }
}

/// The fields of a JSON object that nobody has asked for yet.
pub(crate) struct Fields(Map<String, Value>);

impl Fields {
    pub(crate) fn parse(body: &[u8]) -> Result<Self, ApiError> {
        match serde_json::from_slice(body) {
            Ok(Object { fields, repeated: None }) => Ok(Self(fields)),
            Ok(Object { repeated: Some(name), .. }) => {
                let message = format!("`{name}` is there more than once; send it once.");
                Err(ApiError::about(Code::InvalidField, &name, message))
            }
            Err(error) if error.is_data() => Err(ApiError::new(Code::InvalidJson)),
            Err(error) => Err(ApiError::saying(Code::InvalidJson, format!("The body is no JSON: {error}."))),
        }
    }

    /// A text, if the field is there.
    pub(crate) fn text(&mut self, name: &str) -> Result<Option<String>, ApiError> {
        match self.0.remove(name) {
            // Many clients write an option that is not set as null.
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => {
                let message = format!("`{name}` must be a string.");
                Err(ApiError::about(Code::InvalidField, name, message))
            }
        }
    }

    pub(crate) fn required_text(&mut self, name: &str) -> Result<String, ApiError> {
        let missing = || ApiError::about(Code::MissingField, name, format!("`{name}` is missing."));
        self.text(name)?.ok_or_else(missing)
    }

    /// True or false, if the field is there.
    pub(crate) fn truth(&mut self, name: &str) -> Result<Option<bool>, ApiError> {
        match self.0.remove(name) {
            None => Ok(None),
            Some(Value::Bool(truth)) => Ok(Some(truth)),
            Some(_) => {
                let message = format!("`{name}` must be true or false.");
                Err(ApiError::about(Code::InvalidField, name, message))
            }
        }
    }

    /// A number from 0 on, if the field is there.
    pub(crate) fn count(&mut self, name: &str) -> Result<Option<usize>, ApiError> {
        match self.0.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => {
                // `3.0` is a whole number to JSON Schema, too.
                let written =
                    value.as_f64().filter(|count| count.fract() == 0.0).map(|count| count.to_string());
                let count = written.and_then(|count| count.parse().ok());
                let message = || format!("`{name}` must be a whole number.");
                count.map(Some).ok_or_else(|| ApiError::about(Code::InvalidField, name, message()))
            }
        }
    }

    /// A list of texts; empty when the field is not there.
    pub(crate) fn texts(&mut self, name: &str) -> Result<Vec<String>, ApiError> {
        let wrong = || {
            let message = format!("`{name}` must be a list of strings.");
            ApiError::about(Code::InvalidField, name, message)
        };
        match self.0.remove(name) {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(Value::Array(values)) => {
                let text = |value| match value {
                    Value::String(text) => Ok(text),
                    _ => Err(wrong()),
                };
                values.into_iter().map(text).collect()
            }
            Some(_) => Err(wrong()),
        }
    }

    /// Refuses what is left: a field that is misspelt must not be ignored.
    pub(crate) fn end(self, known: &[&str]) -> Result<(), ApiError> {
        self.0.keys().next().map_or(Ok(()), |name| Err(ApiError::unknown_field(name, known)))
    }
}

/// A JSON object as it came: a map by itself would keep the last of equal names, and nobody could say which is meant.
struct Object {
    fields: Map<String, Value>,
    /// A name that is there more than once.
    repeated: Option<String>,
}

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Collect)
    }
}

struct Collect;

impl<'de> Visitor<'de> for Collect {
    type Value = Object;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object, A::Error> {
        let mut object = Object { fields: Map::new(), repeated: None };
        while let Some((name, value)) = map.next_entry::<String, Value>()? {
            if object.fields.insert(name.clone(), value).is_some() {
                object.repeated = Some(name);
            }
        }
        Ok(object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(body: &str) -> Option<&'static str> {
        Fields::parse(body.as_bytes()).err().map(|error| error.code.name())
    }

    #[test]
    fn a_body_is_one_object_and_names_each_field_once() {
        assert_eq!(code(r#"{"url": "a.org", "fileType": "llms"}"#), None);
        assert_eq!(code(r#"{"url": "a.org", "url": "b.org"}"#), Some("invalid_field"));
        assert_eq!(code(r#"{"url": "a.org", "\u0075rl": "a.org"}"#), Some("invalid_field"));
        for no_object in ["[]", "7", "null", "", "{} {}", "{\"url\":"] {
            assert_eq!(code(no_object), Some("invalid_json"), "{no_object}");
        }
    }

    #[test]
    fn null_is_not_set() {
        let mut fields = Fields::parse(br#"{"url": null, "fileType": null}"#).unwrap();
        assert_eq!(fields.text("fileType").unwrap(), None);
        assert_eq!(fields.required_text("url").unwrap_err().code, Code::MissingField);
    }
}
