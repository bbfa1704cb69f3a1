//! Passwords of people: which may be chosen, and how they are told from their hashes.

use secrecy::{ExposeSecret, SecretString};

/// The shortest password, in characters.
pub const PASSWORD_MIN: usize = 10;
/// The longest password, in characters.
pub const PASSWORD_MAX: usize = 128;
/// The passwords that are tried first, in lower case.
const COMMON: &str = include_str!("common_passwords.txt");

/// A password that may be chosen.
#[derive(Debug, Clone)]
pub struct Password(SecretString);

/// Why a password may not be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "what each one says is its meaning")]
pub enum BadPassword {
    #[error("a password has at least {PASSWORD_MIN} characters; a few words make a good one")]
    TooShort,
    #[error("a password has at most {PASSWORD_MAX} characters")]
    TooLong,
    #[error("this password is one of the first that others try; choose one of your own")]
    Common,
    #[error("the password must not be the e-mail address")]
    IsEmail,
}

impl Password {
    /// Checks a password chosen for the account of `email`.
    /// Errors: [`BadPassword`].
    pub fn parse(text: &str, email: &str) -> Result<Self, BadPassword> {
        let length = text.chars().count();
        let lower = text.trim().to_lowercase();
        let mut chars = lower.chars();
        let first = chars.next();
        match () {
            () if length < PASSWORD_MIN => Err(BadPassword::TooShort),
            () if length > PASSWORD_MAX => Err(BadPassword::TooLong),
            () if lower == email.trim().to_lowercase() => Err(BadPassword::IsEmail),
            // One character over and over is as well known.
            () if chars.all(|c| Some(c) == first) || COMMON.lines().any(|common| common == lower) => {
                Err(BadPassword::Common)
            }
            () => Ok(Self(text.into())),
        }
    }

    /// The password itself, to be hashed.
    pub fn into_secret(self) -> SecretString {
        self.0
    }
}

/// What a password is stored as: argon2id in PHC form. It is secret, too.
#[derive(Debug, Clone)]
pub struct PasswordHash(SecretString);

impl PasswordHash {
    /// Its text, for the store.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

impl From<String> for PasswordHash {
    fn from(text: String) -> Self {
        Self(text.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<(), BadPassword> {
        Password::parse(text, "ada@example.org").map(drop)
    }

    #[test]
    fn length_is_counted_in_characters() {
        assert_eq!(parse("tide-high"), Err(BadPassword::TooShort));
        assert_eq!(parse("tide-highs"), Ok(()));
        assert_eq!(parse("ümläüt-äöü"), Ok(()));
        assert_eq!(parse(&"ab".repeat(64)), Ok(()));
        assert_eq!(parse(&"ä€".repeat(64)), Ok(()));
        assert_eq!(parse(&format!("{}c", "ab".repeat(64))), Err(BadPassword::TooLong));
    }

    #[test]
    fn common_passwords_are_refused() {
        for common in
            ["1234567890", "Password123", "qwertyuiop", " letmein123 ", "zzzzzzzzzzzz", "          "]
        {
            assert_eq!(parse(common), Err(BadPassword::Common), "{common}");
        }
        assert_eq!(parse("Ada@Example.org"), Err(BadPassword::IsEmail));
    }

    #[test]
    fn the_list_holds_only_what_could_be_chosen_otherwise() {
        assert!(COMMON.lines().count() >= 100);
        for common in COMMON.lines() {
            assert!(common.chars().count() >= PASSWORD_MIN && common == common.to_lowercase(), "{common}");
        }
    }

    #[test]
    fn neither_password_nor_hash_is_told() {
        let password = Password::parse("tide-highs", "ada@example.org").unwrap();
        let told = format!("{password:?} {:?}", PasswordHash::from("$argon2id$x".to_owned()));
        assert!(!told.contains("tide") && !told.contains("argon"), "{told}");
    }
}
