//! Every path of the service: as it is routed, linked and counted in metrics.

/// For programs.
pub(crate) mod api {
    pub(crate) const GENERATE: &str = "/api/v1/generate";
    pub(crate) const VALIDATE: &str = "/api/v1/validate";
    pub(crate) const USAGE: &str = "/api/v1/usage";
    pub(crate) const OPENAPI: &str = "/openapi.json";
    pub(crate) const HEALTHZ: &str = "/healthz";
    pub(crate) const READYZ: &str = "/readyz";
    pub(crate) const METRICS: &str = "/metrics";
    pub(crate) const LLMS: &str = "/llms.txt";
    pub(crate) const LLMS_FULL: &str = "/llms-full.txt";
    pub(crate) const ROBOTS: &str = "/robots.txt";

    pub(super) const ALL: [&str; 10] =
        [GENERATE, VALIDATE, USAGE, OPENAPI, HEALTHZ, READYZ, METRICS, LLMS, LLMS_FULL, ROBOTS];
}

/// Of the dashboard.
pub(crate) mod pages {
    pub(crate) const LANDING: &str = "/";
    pub(crate) const ASSET: &str = "/assets/{name}";
    pub(crate) const DOCS: &str = "/docs";
    /// As it was called before.
    pub(crate) const DOCS_BEFORE: &str = "/docs/";
    pub(crate) const OVERVIEW: &str = "/overview";
    pub(crate) const RUN_FILE: &str = "/runs/{id}/{file}";
    pub(crate) const KEYS: &str = "/keys";
    pub(crate) const REVOKE: &str = "/keys/{id}/revoke";
    pub(crate) const USAGE: &str = "/usage";
    pub(crate) const PLAYGROUND: &str = "/playground";
    pub(crate) const GENERATE: &str = "/playground/generate";
    pub(crate) const VALIDATE: &str = "/playground/validate";
    pub(crate) const SIGN_UP: &str = "/signup";
    pub(crate) const AGAIN: &str = "/signup/again";
    pub(crate) const VERIFY: &str = "/verify";
    pub(crate) const LOG_IN: &str = "/login";
    pub(crate) const LOG_OUT: &str = "/logout";
    pub(crate) const FORGOTTEN: &str = "/forgot";
    pub(crate) const RESET: &str = "/reset";
    pub(crate) const ACCOUNT: &str = "/account";
    pub(crate) const PASSWORD: &str = "/account/password";
    pub(crate) const DELETE: &str = "/account/delete";

    pub(super) const ALL: [&str; 22] = [
        LANDING,
        ASSET,
        DOCS,
        DOCS_BEFORE,
        OVERVIEW,
        RUN_FILE,
        KEYS,
        REVOKE,
        USAGE,
        PLAYGROUND,
        GENERATE,
        VALIDATE,
        SIGN_UP,
        AGAIN,
        VERIFY,
        LOG_IN,
        LOG_OUT,
        FORGOTTEN,
        RESET,
        ACCOUNT,
        PASSWORD,
        DELETE,
    ];

    /// The field of links in mails, and of the forms behind them.
    pub(crate) const TOKEN: &str = "token";
}

/// All of them.
pub(crate) fn all() -> impl Iterator<Item = &'static str> {
    api::ALL.into_iter().chain(pages::ALL)
}
