//! What every page has round it: the menu, and who is signed in.

use super::session::SignedIn;

const SIGNED_IN: [(&str, &str); 5] = [
    ("/playground", "Playground"),
    ("/keys", "Keys"),
    ("/usage", "Usage"),
    ("/account", "Account"),
    ("/docs/", "API"),
];
const STRANGER: [(&str, &str); 3] = [("/docs/", "API"), ("/login", "Log in"), ("/signup", "Sign up")];

/// Round a page.
pub(crate) struct Frame {
    /// Who is signed in.
    pub(crate) email: Option<String>,
    /// The page's path, for the menu.
    pub(crate) here: &'static str,
}

impl Frame {
    /// Of a page that looks the same for everybody.
    pub(crate) fn public(here: &'static str) -> Self {
        Self { email: None, here }
    }

    /// Of a page that is somebody's own.
    pub(crate) fn of(person: &SignedIn, here: &'static str) -> Self {
        Self { email: Some(person.email.clone()), here }
    }

    /// Where one can go from here: paths and names.
    pub(crate) fn menu(&self) -> &'static [(&'static str, &'static str)] {
        if self.email.is_some() { &SIGNED_IN } else { &STRANGER }
    }
}
