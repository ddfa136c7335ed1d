//! What the name of a field, property, key or variable says about its value.

use super::rules::{PASSWORD, SECRET, SESSION};
use super::values::{self, Setting};

/// Maximum length of a name in characters.
pub(super) const LONGEST_NAME: usize = 80;

/// Kind of value that a name announces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameMeaning {
    /// Any text.
    Password,
    /// Words, with blanks between.
    Passphrase,
    /// Something random.
    Secret,
    /// The number of a session, in a cookie.
    Session,
}

/// Endings of names in lower case, without separators.
const PASSWORDS: [&str; 6] = ["password", "passwd", "passcode", "pwd", "passwort", "userpass"];
const PASSPHRASE: &str = "passphrase";
const SECRETS: [&str; 29] = [
    "secret",
    "secrets",
    "secretkey",
    "secretkeybase",
    "keysecret",
    "apikey",
    "apitoken",
    "accesskey",
    "accountkey",
    "applicationkey",
    "appkey",
    "authkey",
    "clientkey",
    "encryptionkey",
    "hmackey",
    "integrationkey",
    "licensekey",
    "masterkey",
    "privatekey",
    "servicekey",
    "sharedkey",
    "signingkey",
    "subscriptionkey",
    "token",
    "jwt",
    "credential",
    "credentials",
    "webhooksecret",
    "sessionkey",
];
/// Last words that count only as such: "compass" ends with one.
const PASSWORD_WORDS: [&str; 5] = ["pass", "pw", "pswd", "credential", "credentials"];
const SECRET_WORDS: [&str; 4] = ["pat", "auth", "psk", "authorization"];
/// Cookies of frameworks that name a session.
const SESSIONS: [&str; 13] = [
    "jsessionid",
    "phpsessid",
    "sessionid",
    "session",
    "sid",
    "connectsid",
    "aspnetsessionid",
    "laravelsession",
    "sessiontoken",
    "rememberme",
    "aspxauth",
    "aspnetcoreidentityapplication",
    "sessioncookie",
];
/// Tokens and keys that open nothing: positions in lists, proofs of a form, numbers of the public.
const HARMLESS: [&str; 17] = [
    "publickey",
    "publictoken",
    "csrftoken",
    "xsrftoken",
    "pagetoken",
    "nexttoken",
    "continuationtoken",
    "cancellationtoken",
    "canceltoken",
    "synctoken",
    "starttoken",
    "endtoken",
    "firsttoken",
    "lasttoken",
    "prevtoken",
    "currenttoken",
    "antiforgerytoken",
];

/// A name in lower case without separators and without digits at its end, and its last word.
struct Folded {
    text: [u8; LONGEST_NAME],
    length: usize,
    last_word: usize,
}

impl Folded {
    fn new(name: &str) -> Option<Self> {
        let mut folded = Self { text: [0; LONGEST_NAME], length: 0, last_word: 0 };
        let is_separator = |byte: u8| b"_-.:/$[] ".contains(&byte);
        let mut before = b'_';
        for byte in name.bytes() {
            let is_word = byte.is_ascii_uppercase() && before.is_ascii_lowercase() || is_separator(before);
            before = byte;
            if byte.is_ascii_alphanumeric() {
                if is_word {
                    folded.last_word = folded.length;
                }
                *folded.text.get_mut(folded.length)? = byte.to_ascii_lowercase();
                folded.length += 1;
            } else if !is_separator(byte) || byte == b' ' {
                return None;
            }
        }
        let digits = folded.all().iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        folded.length -= digits;
        Some(folded)
    }

    fn all(&self) -> &[u8] {
        self.text.get(..self.length).unwrap_or_default()
    }

    fn ends_with(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.all().ends_with(word.as_bytes()))
    }

    fn last_is(&self, words: &[&str]) -> bool {
        let last = self.all().get(self.last_word..).unwrap_or_default();
        words.iter().any(|word| word.as_bytes() == last)
    }
}

/// Meaning of a name; `None` for most.
pub(super) fn meaning(name: &str) -> Option<NameMeaning> {
    if name.len() > LONGEST_NAME || name.len() < 2 {
        return None;
    }
    let name = Folded::new(name)?;
    match () {
        () if name.ends_with(&HARMLESS) => None,
        () if name.ends_with(&[PASSPHRASE]) => Some(NameMeaning::Passphrase),
        () if name.ends_with(&PASSWORDS) || name.last_is(&PASSWORD_WORDS) => Some(NameMeaning::Password),
        () if SESSIONS.iter().any(|cookie| cookie.as_bytes() == name.all()) => Some(NameMeaning::Session),
        () if name.ends_with(&SECRETS) || name.last_is(&SECRET_WORDS) => Some(NameMeaning::Secret),
        () => None,
    }
}

impl NameMeaning {
    /// Kind of a value with such a name; `None` if it is no credential.
    pub(super) fn kind(self, value: &str, setting: Setting) -> Option<&'static str> {
        let length = value.chars().count();
        match self {
            Self::Passphrase if values::is_phrase(value) => Some(PASSWORD),
            Self::Password | Self::Passphrase => {
                (length >= 4 && values::is_password_in(value, setting)).then_some(PASSWORD)
            }
            Self::Secret => values::is_credential_in(value, setting).then_some(SECRET),
            Self::Session => {
                (length >= 20 && values::is_credential_in(value, setting) && !values::is_uuid(value)).then_some(SESSION)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_their_values_are() {
        for name in
            ["password", "dbPassword", "DB_PASSWORD", "proxy-passwd", "DB_PASS", "smtp.pass", "password2", "db.pw"]
        {
            assert_eq!(meaning(name), Some(NameMeaning::Password), "{name}");
        }
        assert_eq!(meaning("keyPassphrase"), Some(NameMeaning::Passphrase));
        for name in ["apiKey", "API_KEY", "client_secret", "authToken", "token", "aws_secret_access_key", "azurePat"] {
            assert_eq!(meaning(name), Some(NameMeaning::Secret), "{name}");
        }
        assert_eq!(meaning("connect.sid"), Some(NameMeaning::Session));
        for name in [
            "passwordField",
            "tokens",
            "tokenizer",
            "key",
            "secretary",
            "passwordHint",
            "compass",
            "bypass",
            "pattern",
            "csrf_token",
            "Enter the password",
            "nextToken",
        ] {
            assert_eq!(meaning(name), None, "{name}");
        }
    }
}
