//! Whether the text that a pattern matches is a credential, by name in `assets/secret-rules.txt`.

use super::encodings::decoded;
use super::{cards, checksums, jwt, values};

/// A test of what a pattern matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Check {
    /// The form is enough.
    Any,
    /// Characters are as varied as in something random, and no documented example.
    Varied,
    /// Capitals, small letters and digits.
    Mixed,
    /// Not made of words.
    Unworded,
    /// No letter, digit or sign of base64 before or behind it.
    Alone,
    /// A checksum of GitHub and npm fits; otherwise it is less certain.
    Crc62,
    /// A checksum of Grafana fits; otherwise it is less certain.
    CrcHex,
    /// It may be a password.
    Password,
    /// It may be a key or token.
    Credential,
    /// A user and a password, with a colon between.
    UserPassword,
    /// A name and a password in base64.
    Basic,
    /// A token or a password of npm.
    Npmrc,
    /// A JSON web token.
    Jwt,
    /// A token of a Discord bot: it begins with the number of its user, in base64.
    Discord,
    /// The number of a payment card.
    Card,
}

/// What a check says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verdict {
    /// It is none.
    Refused,
    /// It has the form, but its checksum is wrong.
    Doubtful,
    /// It has the form.
    Accepted,
    /// A checksum or its own structure proves the form.
    Proven,
}

impl Check {
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "any" => Self::Any,
            "varied" => Self::Varied,
            "mixed" => Self::Mixed,
            "unworded" => Self::Unworded,
            "alone" => Self::Alone,
            "crc62" => Self::Crc62,
            "crc32hex" => Self::CrcHex,
            "password" => Self::Password,
            "credential" => Self::Credential,
            "userpass" => Self::UserPassword,
            "basic" => Self::Basic,
            "npmrc" => Self::Npmrc,
            "jwt" => Self::Jwt,
            "discord" => Self::Discord,
            "card" => Self::Card,
            _ => return None,
        })
    }

    /// Verdict on a value with the characters before and behind it.
    pub(super) fn verdict(self, value: &str, around: [Option<u8>; 2]) -> Verdict {
        let has = |is: fn(&u8) -> bool| value.as_bytes().iter().any(is);
        let accepted = |is_one: bool| if is_one { Verdict::Accepted } else { Verdict::Refused };
        let proven = |is_one: bool| if is_one { Verdict::Proven } else { Verdict::Refused };
        let checksum = |fits: bool| if fits { Verdict::Proven } else { Verdict::Doubtful };
        match self {
            Self::Any => accepted(!values::is_example(value)),
            Self::Varied => accepted(values::is_varied(value)),
            Self::Mixed => accepted(
                has(u8::is_ascii_digit)
                    && has(u8::is_ascii_lowercase)
                    && (has(u8::is_ascii_uppercase) || is_hex(value)),
            ),
            Self::Unworded => accepted(!values::is_worded(value)),
            Self::Alone => {
                let is_base64 =
                    |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"+/_-".contains(&byte));
                accepted(!around.into_iter().any(is_base64))
            }
            // Longer ones have another structure.
            Self::Crc62 if value.len() > 40 => Verdict::Accepted,
            Self::Crc62 => checksum(checksums::is_crc62(value)),
            Self::CrcHex => checksum(checksums::is_crc_hex(value)),
            Self::Password => accepted(values::is_password(value)),
            Self::Credential => accepted(values::is_credential(value)),
            Self::UserPassword => accepted(value.split_once(':').is_some_and(|(_, word)| values::is_password(word))),
            Self::Basic => proven(jwt::is_basic(value)),
            Self::Npmrc => accepted(values::is_credential(value) || jwt::is_basic(value)),
            Self::Jwt => proven(jwt::is_jwt(value)),
            Self::Discord => {
                let user = value.split('.').next().and_then(decoded);
                proven(user.is_some_and(|user| user.len() >= 15 && user.iter().all(u8::is_ascii_digit)))
            }
            Self::Card => proven(cards::is_card(value)),
        }
    }
}

fn is_hex(text: &str) -> bool {
    let text = text.rsplit(['_', '-']).next().unwrap_or(text);
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
