//! The errors that the OpenAPI document names, from the same table that answers them.

use std::collections::BTreeMap;

use serde_json::Value;
use utoipa::openapi::{
    ContentBuilder, ObjectBuilder, Ref, RefOr, Response, ResponseBuilder, example::ExampleBuilder,
    header::HeaderBuilder, schema::Type,
};

use crate::error::{ApiError, Code};

/// Stands where a real answer has its own.
const EXAMPLE_ID: &str = "0199a1c2-7f3e-7b60-9d3a-5a2f6c1e8b04";

/// One response a status, one example a code.
pub(crate) fn documented(codes: &[Code]) -> BTreeMap<String, RefOr<Response>> {
    let mut statuses: BTreeMap<u16, Vec<Code>> = BTreeMap::new();
    for code in codes {
        statuses.entry(code.status().as_u16()).or_default().push(*code);
    }
    statuses
        .into_iter()
        .map(|(status, codes)| (status.to_string(), RefOr::T(response(status, &codes))))
        .collect()
}

fn response(status: u16, codes: &[Code]) -> Response {
    let examples = codes.iter().map(|code| (code.name(), example(*code)));
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

fn example(code: Code) -> Value {
    let error = match code {
        Code::MissingField => ApiError::about(code, "url", "`url` is missing."),
        Code::InvalidField => {
            ApiError::about(code, "url", "`url`: invalid type: integer `7`, expected a string.")
        }
        Code::UnknownField => ApiError::about(code, "ulr", "Unknown field `ulr`, expected `url`."),
        code => ApiError::new(code),
    };
    serde_json::to_value(error.body(EXAMPLE_ID)).unwrap_or_default()
}

/// Declares what an operation may answer beside its success.
macro_rules! error_responses {
    ($(#[$doc:meta])* $name:ident: $($code:ident)*) => {
        $(#[$doc])*
        pub(crate) struct $name;

        impl utoipa::IntoResponses for $name {
            fn responses() -> std::collections::BTreeMap<String, utoipa::openapi::RefOr<utoipa::openapi::Response>> {
                $crate::error_responses::documented(&[$($crate::error::Code::$code),*])
            }
        }
    };
}
pub(crate) use error_responses;

error_responses!(
    /// What any path may answer.
    EveryError: BadRequest RequestTimeout Internal
);
error_responses!(
    /// While the service cannot work.
    ReadyErrors: BadRequest RequestTimeout Internal StoreUnavailable NotReady ShuttingDown
);
error_responses!(
    /// Of whatever asks with a key.
    KeyErrors: BadRequest InvalidHeader Unauthorized RequestTimeout RateLimited Internal
        StoreUnavailable ShuttingDown
);
