//! What is wrong with a form, in the words of the person who filled it in.

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
