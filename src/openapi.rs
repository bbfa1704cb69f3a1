//! The OpenAPI document.

use utoipa::OpenApi;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{RefOr, Schema, ServerBuilder};

use crate::error::ErrorBody;
use crate::routes;
use crate::routes::progress::PageEvent;

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
    }
    document.to_pretty_json().unwrap_or_default()
}
