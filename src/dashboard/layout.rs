//! The layout of every page: the menu, and who is signed in.

use wayfile_core::plan::Plan;

use crate::auth::Email;
use crate::store::Session;

/// The menu of a signed-in person: path, name, and icon of `icons.svg`.
const SIGNED_IN: [(&str, &str, &str); 6] = [
    ("/overview", "Overview", "home"),
    ("/playground", "Generate", "spark"),
    ("/playground/validate", "Validate", "check"),
    ("/keys", "Keys", "key"),
    ("/usage", "Usage", "bars"),
    ("/docs", "Docs", "book"),
];
const STRANGER: [(&str, &str, &str); 3] =
    [("/docs", "Docs", ""), ("/login", "Log in", ""), ("/signup", "Sign up", "")];

pub(crate) struct Layout {
    /// Who is signed in, and with which plan.
    pub(crate) person: Option<(Email, Plan)>,
    pub(crate) here: &'static str,
}

impl Layout {
    pub(crate) fn of<'p>(person: impl Into<Option<&'p Session>>, here: &'static str) -> Self {
        Self { person: person.into().map(|person| (person.email.clone(), person.plan)), here }
    }

    /// Where one can go from here: paths, names and shapes.
    pub(crate) fn menu(&self) -> &'static [(&'static str, &'static str, &'static str)] {
        if self.person.is_some() { &SIGNED_IN } else { &STRANGER }
    }
}
