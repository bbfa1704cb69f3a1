//! Every path of the service: as it is routed, linked and counted in metrics.

macro_rules! paths {
    ($(#[$doc:meta])* $module:ident: $($name:ident $path:literal)*) => {
        $(#[$doc])*
        pub(crate) mod $module {
            $(pub(crate) const $name: &str = $path;)*

            pub(super) const ALL: &[&str] = &[$($name),*];
        }
    };
}

paths! {
    /// For programs.
    api:
        GENERATE "/api/v1/generate"
        VALIDATE "/api/v1/validate"
        USAGE "/api/v1/usage"
        OPENAPI "/openapi.json"
        HEALTHZ "/healthz"
        READYZ "/readyz"
        METRICS "/metrics"
        LLMS "/llms.txt"
        LLMS_FULL "/llms-full.txt"
        ROBOTS "/robots.txt"
}

paths! {
    /// Of the dashboard. `DOCS_BEFORE`: as it was called before.
    pages:
        LANDING "/"
        ASSET "/assets/{name}"
        DOCS "/docs"
        DOCS_BEFORE "/docs/"
        OVERVIEW "/overview"
        RUNS "/runs"
        RUN "/runs/{id}"
        RUN_FILE "/runs/{id}/{file}"
        KEYS "/keys"
        REVOKE "/keys/{id}/revoke"
        USAGE "/usage"
        PLAYGROUND "/playground"
        GENERATE "/playground/generate"
        VALIDATE "/playground/validate"
        SIGN_UP "/signup"
        AGAIN "/signup/again"
        VERIFY "/verify"
        LOG_IN "/login"
        LOG_OUT "/logout"
        FORGOTTEN "/forgot"
        RESET "/reset"
        ACCOUNT "/account"
        PASSWORD "/account/password"
        DELETE "/account/delete"
}

/// The field of links in mails, and of the forms behind them.
pub(crate) const TOKEN: &str = "token";

pub(crate) fn all() -> impl Iterator<Item = &'static str> {
    api::ALL.iter().chain(pages::ALL).copied()
}
