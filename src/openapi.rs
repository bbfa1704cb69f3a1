//! The OpenAPI document. Errors are written from the same table that answers them.

use std::collections::BTreeMap;
use std::io::Write;

use serde_json::Value;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{
    ContentBuilder, ObjectBuilder, Ref, RefOr, Response, ResponseBuilder, Schema, ServerBuilder,
    example::ExampleBuilder, header::HeaderBuilder, schema::AdditionalProperties, schema::Type,
};
use utoipa::{IntoResponses, OpenApi};

use crate::cli::{Failure, output};
use crate::config::Config;
use crate::error::{ApiError, Code, ErrorBody};
use crate::routes::progress::PageEvent;
use crate::routes::{self, body};

/// Stands where a real answer has its own.
const EXAMPLE_ID: &str = "0199a1c2-7f3e-7b60-9d3a-5a2f6c1e8b04";

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Wayfile",
        description = "Makes websites readable for language models: generates llms.txt and llms-full.txt, \
                       and says what an llms.txt is worth.",
    ),
    paths(
        routes::generate::generate,
        routes::validate::validate,
        routes::usage::usage,
        routes::health::healthz,
        routes::health::readyz,
    ),
    components(schemas(ErrorBody, PageEvent))
)]
struct ApiDocument;

/// The whole document as JSON; `public_url` is where clients reach the service, when that is known.
pub(crate) fn document(public_url: Option<&str>) -> String {
    let mut document = ApiDocument::openapi();
    document.servers = public_url.map(|url| vec![ServerBuilder::new().url(url).build()]);
    if let Some(components) = &mut document.components {
        let key = ApiKey::Header(ApiKeyValue::with_description("x-api-key", "An API key: `wf_...`"));
        components.add_security_scheme("apiKey", SecurityScheme::ApiKey(key));
        let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("wf_...").build();
        components.add_security_scheme("bearer", SecurityScheme::Http(bearer));
        // Its values have no name of their own: generators that put those of all types in one place (Go) could not tell
        // them from a status.
        if let Some(reason) = components.schemas.remove("DeadReason")
            && let Some(RefOr::T(Schema::Object(link))) = components.schemas.get_mut("DeadLink")
        {
            link.properties.insert("reason".to_owned(), reason);
        }
        for request in ["GenerateRequest", "ValidateSite", "ValidateContent"] {
            if let Some(RefOr::T(Schema::Object(request))) = components.schemas.get_mut(request) {
                request.additional_properties = Some(Box::new(AdditionalProperties::FreeForm(false)));
            }
        }
    }
    document.to_pretty_json().unwrap_or_default()
}

/// `wayfile openapi`
///
/// # Errors
/// [`Failure`]: standard output takes nothing.
pub(crate) fn print(config: &Config) -> Result<(), Failure> {
    let document = document(config.server.public_url.as_deref());
    output::print(|out| writeln!(out, "{document}"))
}

/// One response a status, one example a code.
fn documented(codes: &[Code], fields: &[&str]) -> BTreeMap<String, RefOr<Response>> {
    let mut statuses: BTreeMap<u16, Vec<Code>> = BTreeMap::new();
    for code in codes {
        statuses.entry(code.status().as_u16()).or_default().push(*code);
    }
    statuses
        .into_iter()
        .map(|(status, codes)| (status.to_string(), RefOr::T(response(status, &codes, fields))))
        .collect()
}

fn response(status: u16, codes: &[Code], fields: &[&str]) -> Response {
    let examples = codes.iter().map(|code| (code.name(), example(*code, fields)));
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name("Error"))).examples_from_iter(
        examples.map(|(name, value)| (name, ExampleBuilder::new().value(Some(value)).build())),
    );
    let messages: Vec<_> =
        codes.iter().map(|code| format!("`{}`: {}", code.name(), code.entry().2)).collect();
    let mut response = ResponseBuilder::new()
        .description(messages.join("\n\n"))
        .content("application/json", content.build());
    if matches!(status, 429 | 503) {
        let seconds = ObjectBuilder::new().schema_type(Type::Integer);
        let header = HeaderBuilder::new().schema(Some(seconds)).description(Some("Seconds to wait"));
        response = response.header("Retry-After", header.build());
    }
    response.build()
}

/// `fields`: those of the request.
fn example(code: Code, fields: &[&str]) -> Value {
    let error = match code {
        Code::MissingField => ApiError::about(code, "url", "`url` is missing."),
        Code::InvalidField => ApiError::about(code, "url", "`url` must be a string."),
        Code::UnknownField => body::unknown("ulr", fields),
        code => ApiError::new(code),
    };
    serde_json::to_value(error.body(EXAMPLE_ID)).unwrap_or_default()
}

/// Declares what an operation may answer beside its success; `of`: the fields of its request.
macro_rules! errors {
    ($(#[$doc:meta])* $name:ident of $fields:expr => $($code:ident)*) => {
        $(#[$doc])*
        pub(crate) struct $name;

        impl IntoResponses for $name {
            fn responses() -> BTreeMap<String, RefOr<Response>> {
                documented(&[$(Code::$code),*], &$fields)
            }
        }
    };
}

errors!(
    /// What any path may answer.
    EveryError of [] => BadRequest RequestTimeout HeadersTooLarge Internal
);
errors!(
    /// While the service cannot work.
    ReadyErrors of [] => BadRequest RequestTimeout HeadersTooLarge Internal StoreUnavailable NotReady ShuttingDown
);
errors!(
    /// Of whatever asks with a key.
    KeyErrors of [] => BadRequest InvalidHeader Unauthorized RequestTimeout HeadersTooLarge RateLimited Internal
        StoreUnavailable ShuttingDown
);
errors!(
    /// Of a generate run.
    GenerateErrors of routes::generate::FIELDS => BadRequest InvalidJson MissingField InvalidField UnknownField
        AddressNotPublic InvalidHeader Unauthorized NotInPlan SiteRefused RequestTimeout IdempotencyKeyReused
        BodyTooLarge UnsupportedMediaType HeadersTooLarge RateLimited QuotaExceeded TooManyCrawls SiteUnreachable
        NothingToRead Internal Busy OutOfTime StoreUnavailable ShuttingDown
);
errors!(
    /// Of a validation.
    ValidateErrors of routes::validate::FIELDS => BadRequest InvalidJson MissingField InvalidField UnknownField
        AddressNotPublic InvalidHeader Unauthorized RequestTimeout IdempotencyKeyReused BodyTooLarge
        UnsupportedMediaType HeadersTooLarge RateLimited QuotaExceeded Internal Busy StoreUnavailable ShuttingDown
);
