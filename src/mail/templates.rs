//! The texts of mails. They are plain text: nothing to load, nothing to click by accident.

use std::time::Duration;

use url::Url;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MailText {
    pub(crate) subject: &'static str,
    pub(crate) text: String,
}

/// To an address that somebody signed up with: confirm it.
pub(crate) fn verify(link: &Url, within: Duration) -> MailText {
    let within = spoken(within);
    MailText {
        subject: "Confirm your address for Wayfile",
        text: format!(
            "Somebody, hopefully you, signed up for Wayfile with this address.\n\n\
             To confirm it, open this page within {within} and press the button there:\n\n{link}\n\n\
             If it was not you, do nothing: without your confirmation there is no account.\n"
        ),
    }
}

/// Somebody signed up with the address of an account.
pub(crate) fn known_already(log_in: &Url, forgotten: &Url) -> MailText {
    MailText {
        subject: "You already have a Wayfile account",
        text: format!(
            "Somebody, hopefully you, signed up for Wayfile with this address. It has an account already, \
             and nothing about it was changed.\n\n\
             Log in here:\n\n{log_in}\n\nIf you have forgotten your password, choose a new one:\n\n{forgotten}\n\n\
             If it was not you, there is nothing to be done.\n"
        ),
    }
}

/// The password is said to be forgotten.
pub(crate) fn reset(link: &Url, within: Duration) -> MailText {
    let within = spoken(within);
    MailText {
        subject: "Choose a new password for Wayfile",
        text: format!(
            "Somebody, hopefully you, said that the password of your Wayfile account is forgotten.\n\n\
             To choose a new one, open this page within {within}:\n\n{link}\n\n\
             If it was not you, do nothing: your password stays as it is.\n"
        ),
    }
}

pub(crate) fn password_changed(forgotten: &Url) -> MailText {
    MailText {
        subject: "Your Wayfile password was changed",
        text: format!(
            "The password of your Wayfile account was changed, and whoever was logged in with the old one was logged \
             out.\n\nIf it was not you, choose a new one at once:\n\n{forgotten}\n"
        ),
    }
}

/// A time as people say it.
fn spoken(time: Duration) -> String {
    let minutes = time.as_secs().div_ceil(60);
    let (count, unit) =
        if minutes > 0 && minutes.is_multiple_of(60) { (minutes / 60, "hour") } else { (minutes, "minute") };
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_written_in_minutes_or_hours() {
        for (seconds, told) in
            [(86_400, "24 hours"), (3_600, "1 hour"), (60, "1 minute"), (5_430, "91 minutes")]
        {
            assert_eq!(spoken(Duration::from_secs(seconds)), told);
        }
    }

    #[test]
    fn link_has_a_line_of_its_own() {
        let link: Url = "https://wayfile.example/verify?token=abc".parse().unwrap();
        let mail = verify(&link, Duration::from_hours(24));
        assert!(mail.text.lines().any(|line| line == link.as_str()), "{}", mail.text);
    }
}
