//! Forms as browsers send them, and what is wrong with them.

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use futures_util::future::LocalBoxFuture;
use url::form_urlencoded;

use crate::error::{ApiError, ApiResult, Code};
use crate::routes::body;

/// Bytes of a form without long texts; an extractor takes no more.
const MAX_BYTES: usize = 16 << 10;

/// Fields of a form that are read; no form of ours has as many.
const MAX_FIELDS: usize = 32;

/// The fields of a form. What it holds may be secret, so it cannot be printed.
pub(crate) struct Form(Vec<(String, String)>);

impl Form {
    /// Reads a form of at most `cap` bytes.
    /// Errors: 415 for anything but a form, 413 above the cap, 408 when it does not arrive, 400 when it breaks off.
    pub(crate) async fn read(request: &HttpRequest, payload: web::Payload, cap: usize) -> ApiResult<Self> {
        Ok(Self::parse(&body::read(request, payload, body::FORM, cap).await?))
    }

    pub(crate) fn query(request: &HttpRequest) -> Self {
        Self::parse(request.query_string().as_bytes())
    }

    fn parse(body: &[u8]) -> Self {
        let fields = form_urlencoded::parse(body).take(MAX_FIELDS);
        // Browsers write every line end of a text as two characters.
        Self(fields.map(|(name, value)| (name.into_owned(), value.replace("\r\n", "\n"))).collect())
    }

    /// What a field says; empty where there is none. Of several with one name, the first counts.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.0.iter().find(|(field, _)| field == name).map_or("", |(_, value)| value)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(field, _)| field == name)
    }
}

impl FromRequest for Form {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, ApiResult<Self>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let payload = web::Payload::from_request(request, payload);
        let request = request.clone();
        Box::pin(async move {
            let payload = payload.await.map_err(|_| ApiError::new(Code::BadRequest))?;
            Self::read(&request, payload, MAX_BYTES).await
        })
    }
}

/// What is wrong with a form, in the words of the person who filled it in.
pub(crate) struct Problem {
    /// The field's name, which is also its id on the page; empty: the form as a whole.
    pub(crate) field: &'static str,
    pub(crate) message: String,
}

/// All that is wrong; the page shows it before the form, and each beside its field.
#[derive(Default)]
pub(crate) struct Problems(Vec<Problem>);

impl Problems {
    pub(crate) fn about(field: &'static str, message: impl Into<String>) -> Self {
        let mut problems = Self::default();
        problems.add(field, message);
        problems
    }

    pub(crate) fn add(&mut self, field: &'static str, message: impl Into<String>) {
        self.0.push(Problem { field, message: message.into() });
    }

    pub(crate) fn of(&self, field: &str) -> &str {
        self.0.iter().find(|problem| problem.field == field).map_or("", |problem| &problem.message)
    }

    pub(crate) fn all(&self) -> &[Problem] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_decoded_and_line_ends_are_one_character() {
        let form = Form::parse(b"name=a+b%26c&text=one%0D%0Atwo&name=second&ticked=");
        assert_eq!((form.text("name"), form.text("text"), form.text("none")), ("a b&c", "one\ntwo", ""));
        assert!(form.has("ticked") && !form.has("none"));
    }

    #[test]
    fn junk_is_no_panic() {
        for junk in [&b"%"[..], b"=%ff&&&=", b"\xff\xfe", b"a=%00"] {
            Form::parse(junk);
        }
    }
}
