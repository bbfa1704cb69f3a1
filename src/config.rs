//! The settings: compiled-in defaults, then a file, then the environment, then flags.

use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use ipnet::IpNet;
use layers::{Layers, SettingError};
use lettre::message::Mailbox;
use serde::{Deserialize, Serialize};
use url::Url;
use wayfile_actors::coordination::{Coordination, InProcess};
use wayfile_actors::http::{HttpClient, SystemLookup};
use wayfile_actors::renderer;
use wayfile_actors::settings::{BrowserSettings, ByteSize, CrawlSettings, LlmSettings, ValidateSettings};
use wayfile_actors::summarizer::{self, Prompts};
use wayfile_actors::{Engine, SiteAccess};
use wayfile_core::plan::Plans;

mod bounds;
mod changes;
mod layers;

pub(crate) use changes::Changes;

use crate::mail::{self, MailSettings};
use crate::store::{DatabaseSettings, Lifetime};

const DEFAULTS: &str = include_str!("../config/default.toml");
const PROMPTS: &str = include_str!("../config/prompts.toml");
const ENVIRONMENT: &str = "WAYFILE__";

/// All settings.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "config/default.toml says what each setting is, and its unit")]
pub struct Config {
    pub server: ServerSettings,
    pub metrics: MetricsSettings,
    pub crawl: CrawlSettings,
    pub validate: ValidateSettings,
    pub database: DatabaseSettings,
    pub plans: Plans,
    pub browser: BrowserSettings,
    pub llm: LlmSettings,
    pub accounts: AccountsSettings,
    pub mail: MailSettings,
    pub dashboard: DashboardSettings,
}

/// The section `[server]`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "config/default.toml says what each setting is, and its unit")]
pub struct ServerSettings {
    pub listen: SocketAddr,
    pub public_url: Option<String>,
    pub trusted_proxies: Vec<IpNet>,
    #[serde(with = "humantime_serde")]
    pub drain_timeout: Duration,
    pub min_read_rate: ByteSize,
}

impl ServerSettings {
    /// Where people and programs reach the service: as configured, or `bound`, where it listens.
    pub(crate) fn base(&self, bound: SocketAddr) -> anyhow::Result<Url> {
        let listened = || {
            let everywhere = bound.ip().is_unspecified();
            if everywhere { format!("http://localhost:{}", bound.port()) } else { format!("http://{bound}") }
        };
        let url = self.public_url.clone().unwrap_or_else(listened);
        Url::parse(&url).with_context(|| format!("server.public_url is {url:?}, which is no address"))
    }
}

/// The section `[metrics]`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "config/default.toml says what each setting is, and its unit")]
pub struct MetricsSettings {
    pub listen: Option<SocketAddr>,
}

/// The section `[accounts]`: people who sign up and log in.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "config/default.toml says what each setting is, and its unit")]
pub struct AccountsSettings {
    #[serde(with = "humantime_serde")]
    pub session_idle: Duration,
    #[serde(with = "humantime_serde")]
    pub session_longest: Duration,
    #[serde(with = "humantime_serde")]
    pub verify_within: Duration,
    #[serde(with = "humantime_serde")]
    pub reset_within: Duration,
    pub free_tries: u32,
    #[serde(with = "humantime_serde")]
    pub first_wait: Duration,
    #[serde(with = "humantime_serde")]
    pub first_mail_wait: Duration,
    #[serde(with = "humantime_serde")]
    pub longest_wait: Duration,
    pub forms_per_minute: u32,
}

impl AccountsSettings {
    /// How long a session lasts.
    pub fn lifetime(&self) -> Lifetime {
        Lifetime { idle: self.session_idle, longest: self.session_longest }
    }
}

/// The section `[dashboard]`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "config/default.toml says what each setting is, and its unit")]
pub struct DashboardSettings {
    pub upgrade_url: Option<String>,
}

impl Config {
    /// Reads the layers; `allow` adds to `crawl.allow_networks`.
    /// Errors: Unknown keys, values of the wrong kind or out of range: all of them, each with its place.
    pub fn load(file: Option<&Path>, allow: &[IpNet]) -> anyhow::Result<Self> {
        let mut layers = Layers::read(file)?;
        let found = layers.config.check();
        let mut errors = std::mem::take(&mut layers.errors);
        errors.extend(found.iter().map(|error| layers.told(error)));
        if !errors.is_empty() {
            // What a start would find in the rest is told as well, but no setting twice.
            let is_told = |error: &String| {
                let key = error.split([' ', ':']).find(|word| word.contains('.'));
                key.is_none_or(|key| errors.iter().any(|told| told.contains(key)))
            };
            let more: Vec<String> =
                layers.config.start_errors().into_iter().filter(|error| !is_told(error)).collect();
            errors.extend(more);
            return Err(layers::faults(&errors));
        }
        layers.config.crawl.allow_networks.extend(allow);
        Ok(layers.config)
    }

    /// What only a start finds out: settings that make no client, no model, no way out for mails.
    pub fn start_errors(&self) -> Vec<String> {
        let client = HttpClient::new(&self.crawl, Arc::new(SystemLookup));
        let client = client.map(drop).map_err(anyhow::Error::from);
        let browser = renderer::check(&self.browser).map_err(anyhow::Error::from);
        let model = self.prompts().and_then(|prompts| Ok(summarizer::can_be_asked(&self.llm, prompts)?));
        let found = [client, model, mail::check(&self.mail), browser];
        found.into_iter().filter_map(Result::err).map(|error| format!("{error:#}")).collect()
    }

    /// What works and is hardly meant; `wayfile config check` and the start of a server say so.
    pub fn warnings(&self) -> Vec<String> {
        let mut found = self.plans.warnings();
        found.extend(self.crawl.allow_networks.iter().map(|network| {
            format!("crawl.allow_networks opens {network}: whoever has a key can read what is served there")
        }));
        let (url, keep) = (self.server.public_url.as_deref(), &self.database.keep);
        let (is_https, is_public) = (url.is_some_and(is_secure), !self.server.listen.ip().is_loopback());
        let mail_server = self.mail.server();
        let odd = [
            (
                keep.answers < Duration::from_hours(24),
                "database.keep.answers is less than 24h: clients repeat a request for that long",
            ),
            (url.is_none() && is_public, "server.public_url is not set: links in mails lead to this machine"),
            (
                is_public && !is_https,
                "server.public_url is no https address: browsers may keep nobody logged in without TLS",
            ),
            // The service speaks plain HTTP, so there is a proxy before it.
            (
                is_https && self.server.trusted_proxies.is_empty(),
                "server.trusted_proxies is empty: tries to log in of all clients behind the proxy count as one",
            ),
            (
                mail_server.and_then(|url| Url::parse(url).ok()).is_some_and(|url| is_in_clear(&url)),
                "mail.smtp_url has no TLS: links in mails can be read on their way",
            ),
            (
                url.is_some() && mail_server.is_none(),
                "mail.smtp_url is not set: mails go to the log, and nobody but you gets them",
            ),
            (
                self.crawl.deadline > self.server.drain_timeout,
                "server.drain_timeout is less than crawl.deadline: runs that are under way at a restart are cut short",
            ),
            // A run may be settled by a server that was taken for dead as long as its deadline lasts.
            (
                keep.reservations < self.crawl.deadline * 2,
                "database.keep.reservations is less than twice crawl.deadline: a run that ends late might not be counted",
            ),
        ];
        found.extend(odd.into_iter().filter(|(is_so, _)| *is_so).map(|(_, told)| told.to_owned()));
        found.extend(layers::unread(std::env::vars_os().filter_map(|(name, _)| name.into_string().ok())));
        found
    }

    /// Starts the engine of a command on the current actor system, for sites that are had as `access` says.
    pub(crate) fn start_engine(self, access: SiteAccess) -> anyhow::Result<Engine> {
        self.start_engine_with(access, Arc::new(InProcess))
    }

    /// The same, for a node that shares sites with others.
    pub(crate) fn start_engine_with(
        self,
        access: SiteAccess,
        coordination: Arc<dyn Coordination>,
    ) -> anyhow::Result<Engine> {
        let prompts = self.prompts()?;
        let own = std::iter::once(self.server.listen).chain(self.metrics.listen).collect();
        let engine = Engine::start_for(self.crawl, Arc::new(SystemLookup), access, coordination)?;
        Ok(engine.with_browser(self.browser, own)?.with_model(self.llm, prompts)?)
    }

    fn prompts(&self) -> anyhow::Result<Prompts> {
        let prompts = match &self.llm.prompts {
            Some(file) => std::fs::read_to_string(file)
                .with_context(|| format!("llm.prompts: {} cannot be read", file.display()))?,
            None => PROMPTS.to_owned(),
        };
        Ok(Prompts::parse(&prompts)?)
    }

    fn check(&self) -> Vec<SettingError> {
        let leads = |url: &str, schemes: &[&str]| {
            let url = Url::parse(url).ok().filter(|url| url.has_host() || url.scheme() == "mailto");
            url.is_some_and(|url| schemes.contains(&url.scheme()))
        };
        let is_origin = |url: &str| Url::parse(url).is_ok_and(|url| url.path() == "/" && is_bare(&url));
        let public = self.server.public_url.as_deref();
        let public = public.filter(|url| !leads(url, &["http", "https"]) || !is_origin(url));
        // It may hold a password, too.
        let public = public.map(|url| if url.contains('@') { "***" } else { url });
        let shared = self.metrics.listen.filter(|listen| *listen == self.server.listen && listen.port() > 0);
        let shared = shared.map(|listen| listen.to_string());
        let nameless = Some(self.crawl.user_agent.as_str()).filter(|agent| agent.trim().is_empty());
        let from = Some(self.mail.from.as_str()).filter(|from| from.parse::<Mailbox>().is_err());
        // It may hold a password.
        let server = self.mail.server().filter(|url| !leads(url, &["smtp", "smtps"])).map(|_| "***");
        let upgrade = self.dashboard.upgrade_url.as_deref();
        let upgrade = upgrade.filter(|url| !leads(url, &["http", "https", "mailto"]));
        let found = [
            (
                "server.public_url",
                public,
                "no http(s) address of a host alone; write where clients reach the service, like https://wayfile.example.org",
            ),
            (
                "metrics.listen",
                shared.as_deref(),
                "that of server.listen; without it metrics are served there",
            ),
            ("crawl.user_agent", nameless, "no name that sites could tell the crawler by"),
            ("mail.from", from, "no address; write it like Wayfile <mail@example.org>"),
            ("mail.smtp_url", server, "no mail server; write it like smtps://USER:PASSWORD@HOST"),
            ("dashboard.upgrade_url", upgrade, "no address; write it like https://example.org/plans"),
        ];
        let found = found.into_iter().filter_map(|(key, value, why)| {
            Some(SettingError { key: key.to_owned(), says: format!("is {:?}, which is {why}", value?) })
        });
        self.check_bounds().into_iter().chain(found).collect()
    }
}

/// Whether an address has neither user, query nor fragment.
fn is_bare(url: &Url) -> bool {
    url.username().is_empty() && url.password().is_none() && url.query().is_none() && url.fragment().is_none()
}

fn is_secure(url: &str) -> bool {
    Url::parse(url).is_ok_and(|url| url.scheme() == "https")
}

/// Whether mails are handed to this server without TLS, over a network.
pub(super) fn is_in_clear(mail_server: &Url) -> bool {
    let is_forced = mail_server.query_pairs().any(|(key, value)| key == "tls" && value == "required");
    mail_server.scheme() == "smtp" && !is_forced && !is_loopback(mail_server)
}

/// Addresses are not read as such in URLs of mail servers: to the standard these hold names alone.
fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

#[cfg(test)]
pub(crate) mod tests {
    use std::io::Write;

    use super::*;

    pub(crate) fn load(toml: &str) -> anyhow::Result<Config> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(toml.as_bytes()).unwrap();
        Config::load(Some(file.path()), &[])
    }

    #[test]
    fn the_public_address_is_that_of_a_host_and_listeners_are_apart() {
        for url in [
            "https://a.example/sub",
            "https://a.example?x",
            "https://a.example/#x",
            "https://u:p4ss@a.example",
        ] {
            let error = load(&format!("[server]\npublic_url = {url:?}")).unwrap_err().to_string();
            assert!(error.contains("a host alone") && !error.contains("p4ss"), "{error}");
        }
        assert!(load("[server]\npublic_url = \"https://a.example:8443/\"").is_ok());
        let same = "[server]\nlisten = \"127.0.0.1:80\"\n[metrics]\nlisten = \"127.0.0.1:80\"";
        assert!(load(same).unwrap_err().to_string().contains("metrics.listen"));
        assert!(load("[crawl]\nuser_agent = \" \"").unwrap_err().to_string().contains("crawl.user_agent"));
    }

    #[test]
    fn a_mail_server_is_checked_without_a_runtime() {
        let config = load("[mail]\nsmtp_url = \"smtps://ada:secret@mail.example.org\"").unwrap();
        assert_eq!(config.start_errors(), Vec::<String>::new());
        let error = load("[mail]\nsmtp_url = \"smtp://mail.example.org\"\n[crawl]\nnope = 1").unwrap_err();
        assert!(format!("{error:#}").contains("crawl.nope"), "{error:#}");
    }

    #[test]
    fn a_file_sets_a_part_and_the_rest_keeps_its_defaults() {
        let crawl = load("[crawl]\nper_domain_delay = \"0s\"\npage_max_bytes = \"1MiB\"").unwrap().crawl;
        assert_eq!(crawl.per_domain_delay, Duration::ZERO);
        assert_eq!(crawl.page_max_bytes.0, 1 << 20);
        assert_eq!(crawl.per_domain_concurrency, 4);
        assert_eq!(crawl.deadline, Duration::from_secs(110));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (toml, named) in [
            ("[crawl]\nper_domain_delya = \"1s\"", "per_domain_delya"),
            ("[crawl]\nmax_fetches = 0", "crawl.max_fetches"),
            ("[crawl]\ndeadline = \"soon\"", "deadline"),
            ("[crawl]\npage_max_bytes = \"5 parsecs\"", "page_max_bytes"),
            ("[llm]\nmax_concurrency = 0", "llm.max_concurrency"),
            ("[llm]\nmodle = \"m\"", "modle"),
            ("[mail]\nfrom = \"nobody\"", "mail.from"),
            ("[mail]\nsmtp_url = \"mail.example\"", "mail.smtp_url"),
            ("[accounts]\nsession_idle = \"0s\"", "accounts.session_idle"),
            ("[accounts]\nlongest_wait = \"9999y\"", "accounts.longest_wait"),
        ] {
            let error = load(toml).unwrap_err().to_string();
            assert!(error.contains(named), "{toml}: {error}");
        }
    }

    #[test]
    fn what_a_start_would_refuse_is_named_beside_what_cannot_be_read() {
        let toml = "[crawl]\nnope = 1\n[llm]\nbase_url = \"ftp://m.example\"\nmodel = \"m\"";
        let error = load(toml).unwrap_err().to_string();
        assert!(error.contains("nope") && error.contains("llm.base_url"), "{error}");
        let error = load("[mail]\nsmtp_url = \"mail.example\"").unwrap_err().to_string();
        assert_eq!(error.matches("mail.smtp_url").count(), 1, "{error}");
    }

    #[test]
    fn the_defaults_raise_no_warning() {
        let plans = Config::load(None, &[]).unwrap();
        assert_eq!(plans.warnings(), Vec::<String>::new());
        let odd = load("[plans.pro]\nvalidate_per_month = 5\n[database.keep]\nanswers = \"1h\"").unwrap();
        assert_eq!(odd.warnings().len(), 3, "{:#?}", odd.warnings());
    }

    #[test]
    fn the_models_key_is_never_shown() {
        let config = load("[llm]\nbase_url = \"http://m.example\"\napi_key = \"sk-secret\"").unwrap();
        assert_eq!(config.llm.endpoint(), Some("http://m.example"));
        let shown = toml::to_string(&config).unwrap();
        assert!(shown.contains("***") && !shown.contains("sk-secret"), "{shown}");
        assert!(!format!("{config:?}").contains("sk-secret"));
    }

    #[test]
    fn networks_on_the_command_line_are_added() {
        let net: IpNet = "127.0.0.0/8".parse().unwrap();
        assert_eq!(Config::load(None, &[net]).unwrap().crawl.allow_networks, [net]);
    }

    #[test]
    fn warns_of_settings_that_lock_people_out() {
        let warnings = |toml: &str| load(toml).unwrap().warnings().len();
        assert_eq!(warnings("server.listen = \"0.0.0.0:80\""), 2);
        let behind_tls = "server.listen = \"0.0.0.0:80\"\nserver.public_url = \"https://a.example\"";
        assert_eq!(warnings(behind_tls), 2);
        let whole = "server.trusted_proxies = [\"10.0.0.0/8\"]\nmail.smtp_url = \"smtp://mail.example\"";
        assert_eq!(warnings(&format!("{behind_tls}\n{whole}")), 1, "mails in clear");
        let safe = whole.replace("smtp://mail.example", "smtp://mail.example?tls=required");
        assert_eq!(warnings(&format!("{behind_tls}\n{safe}")), 0);
        assert_eq!(warnings(&format!("{behind_tls}\n{safe}").replace("https://", "HTTPS://")), 0);
        let unsafe_still = safe.replace("required", "opportunistic");
        assert_eq!(warnings(&format!("{behind_tls}\n{unsafe_still}")), 1, "mails in clear");
        assert_eq!(warnings("mail.smtp_url = \"smtp://127.0.0.1:25\""), 0);
        let config = load("mail.smtp_url = \"smtps://ada:secret@mail.example\"").unwrap();
        assert!(!format!("{config:?}{}", toml::to_string(&config).unwrap()).contains("secret"));
    }
}
