//! Whether a text may be a credential: not a placeholder, not a word, not a name.

/// Words that stand in place of a credential.
const WORDS: [&str; 34] = [
    "password",
    "passwd",
    "passwort",
    "pass",
    "secret",
    "token",
    "null",
    "none",
    "nil",
    "true",
    "false",
    "undefined",
    "string",
    "required",
    "optional",
    "example",
    "hidden",
    "masked",
    "redacted",
    "removed",
    "unknown",
    "empty",
    "value",
    "text",
    "plain",
    "default",
    "enabled",
    "disabled",
    "missing",
    "invalid",
    "expired",
    "username",
    "char[]",
    "object",
];
/// Parts of texts that are filled in later, or were masked.
const MARKS: [&str; 14] = ["${", "#{", "{{", "}", "<", ">", "%s", "%d", "…", "...", "***", "xxx", "XXX", "???"];

/// True for text that stands in place of a value.
pub(super) fn is_placeholder(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let mut letters = text.chars();
    let first = letters.next();
    WORDS.contains(&&*lower)
        || MARKS.iter().any(|mark| text.contains(mark))
        || text.starts_with(['$', '{', '%', ':', '=', '(', '['])
        || first.is_none_or(|first| letters.all(|c| c == first))
}

/// True if a text may be a password. Passwords are words, too, so only what is certainly none is refused.
pub(super) fn is_password(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let mentions = ["password", "passwort", "passwd"].iter().any(|word| lower.contains(word));
    !is_placeholder(text) && !mentions && !text.chars().any(|c| c.is_whitespace() || c.is_control()) && !is_name(text)
}

/// True for names in programs: `user.login.failed`, `shop.Cart`, `LOGIN_FAILED`, and paths.
fn is_name(text: &str) -> bool {
    let is_word =
        |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphabetic() || c == '_' || c == '$');
    let dotted = text.contains('.') && text.split('.').all(is_word);
    let constant = text.contains('_') && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    dotted || constant || text.starts_with('/') || text.contains("://")
}

/// True if a text may be a key or token: letters and digits, and no name.
pub(super) fn is_credential(text: &str) -> bool {
    let has = |is: fn(&char) -> bool| text.chars().any(|c| is(&c));
    text.len() >= 12
        && has(char::is_ascii_digit)
        && has(char::is_ascii_alphabetic)
        && is_password(text)
        && is_varied(text)
        && !text.contains(['(', ')', ';', ' '])
}

/// True if characters are as varied as in something random: at least a third as many different ones as there are, up to
/// eight. Examples in documentation repeat one.
pub(super) fn is_varied(text: &str) -> bool {
    let mut seen: Vec<char> = text.chars().collect();
    let wanted = (seen.len() / 3).min(8);
    seen.sort_unstable();
    seen.dedup();
    let is_example = ["EXAMPLE", "example", "XXXX", "xxxx", "0000000"].iter().any(|word| text.contains(word));
    seen.len() >= wanted && !is_example
}

/// Lengths of the digests MD5, SHA-1, SHA-256, SHA-384 and SHA-512 in base64 without padding.
const DIGESTS: [usize; 5] = [22, 27, 43, 64, 86];

/// True if a whole text is a random token of letters and digits: no hexadecimal number, no digest, no name with parts.
pub(super) fn is_random(text: &str) -> bool {
    let is_of_token = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    if !(32..=120).contains(&text.len()) || DIGESTS.contains(&text.len()) || !text.bytes().all(is_of_token) {
        return false;
    }
    let class = |byte: u8| match byte {
        b'0'..=b'9' => 0,
        b'A'..=b'Z' => 1,
        b'a'..=b'z' => 2,
        _ => 3,
    };
    let bytes = text.as_bytes();
    let count = |of: u8| bytes.iter().filter(|&&byte| class(byte) == of).count();
    let [digits, upper, lower, other] = [0, 1, 2, 3].map(count);
    let changes = bytes.windows(2).filter(|two| matches!(two, [a, b] if class(*a) != class(*b))).count();
    let mut longest = 0;
    for run in bytes.chunk_by(|a, b| class(*a) == class(*b)).filter(|run| run.first().is_some_and(|&b| class(b) > 0)) {
        longest = longest.max(run.len());
    }
    // Of 62 letters and digits, 26 are capitals, and the kind changes with most of them: names have longer runs.
    let within = |part: usize, from: usize, to: usize| part * 100 >= text.len() * from && part * 100 <= text.len() * to;
    within(digits, 1, 40)
        && within(upper, 20, 65)
        && within(lower, 20, 65)
        && other * 10 <= text.len()
        && changes * 100 >= text.len() * 45
        && longest <= 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_and_names_are_no_passwords() {
        for text in
            ["${db.password}", "********", "password", "user.password.reset", "LOGIN_FAILED", "two words", "/etc/a"]
        {
            assert!(!is_password(text), "{text}");
        }
        for text in ["hunter2!", "correcthorse", "p4ss.w0rd"] {
            assert!(is_password(text), "{text}");
        }
        assert!(is_credential("9fK2xQ7bLm40Zt") && !is_credential("getUserAccount") && !is_credential("aaaaaaaaaaaa1"));
    }

    #[test]
    fn tokens_are_random() {
        assert!(is_random("k9Xw2QmZt7LrB4vNc8HsD1yGpJ6fUaE3"));
        for text in [
            "getUserAccountByIdentifierHandler2",
            "550e8400-e29b-41d4-a716-446655440000",
            "da39a3ee5e6b4b0d3255bfef95601890afd80709",
            "ORDER_STATUS_CHANGED_NOTIFICATION_2",
        ] {
            assert!(!is_random(text), "{text}");
        }
    }
}
