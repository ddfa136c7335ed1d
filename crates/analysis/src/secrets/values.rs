//! Whether a text may be a credential: not a placeholder, not a word, not a name.

use super::encodings::is_encoded_text;
pub(super) use super::words::is_worded;

/// Where a value with a name is. The less can be said of its origin, the more it must look like a credential.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Setting {
    /// A field that holds the value.
    Field,
    /// An entry of a map, a property, or `name=value` in a text. Labels of a form have such names, too.
    Entry,
    /// `name = value` in the source of a program.
    Code,
}

/// Words that stand in place of a credential.
const WORDS: &str = " password passwd passwort pass pwd secret token null none nil true false undefined string required \
    optional example hidden masked redacted removed unknown empty value text plain default enabled disabled missing invalid \
    expired username char[] object number boolean function changeme changeit change-me change_me dummy placeholder sample \
    todo fixme foobar credentials credential apikey api_key basic bearer kennwort senha contrasena clave wachtwoord heslo haslo \
    parola parole salasana adgangskode sifre jelszo lozinka losenord passord ";
/// Parts of texts that are filled in later, were masked, or stand in documentation.
const MARKS: [&str; 25] = [
    "${",
    "#{",
    "{{",
    "}",
    "<",
    ">",
    "%s",
    "%d",
    "…",
    "...",
    "***",
    "xxx",
    "XXX",
    "???",
    "your-",
    "your_",
    "YOUR_",
    "changeme",
    "CHANGEME",
    "placeholder",
    "[REDACTED",
    "REDACTED",
    "insert-",
    "-here",
    "_here",
];

/// True for text that stands in place of a value.
pub(super) fn is_placeholder(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let mut letters = text.chars();
    let first = letters.next();
    (!lower.contains(' ') && WORDS.contains(&format!(" {lower} ")))
        || MARKS.iter().any(|mark| text.contains(mark))
        || text.starts_with(['$', '{', '%', ':', '=', '(', '[', '\'', '"', '`', '|'])
        || first.is_none_or(|first| letters.all(|c| c == first))
}

/// True if a text may be a password. Passwords are words, too, so only what is certainly none is refused.
pub(super) fn is_password(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let is_word = ["password", "passwort", "passwd"].iter().any(|word| lower.contains(word));
    // With digits, it is a weak password.
    let mentions = is_word && !lower.bytes().any(|byte| byte.is_ascii_digit());
    !is_placeholder(text) && !mentions && !text.chars().any(|c| c.is_whitespace() || c.is_control()) && !is_name(text)
}

/// True if a text may be the password in such a place.
pub(super) fn is_password_in(text: &str, setting: Setting) -> bool {
    let has_digit = text.bytes().any(|byte| byte.is_ascii_digit());
    is_password(text)
        && match setting {
            Setting::Field => true,
            Setting::Entry => !is_label(text) && !is_stand_in(text),
            Setting::Code => {
                let is_operator = |c: char| "!&+-?,;)=".contains(c);
                let is_plain = text.len() >= 6 && has_digit && !text.starts_with(is_operator) && !is_label(text);
                is_plain && !is_worded(text) && (text.len() >= 16 || !is_identifier(text))
            }
        }
}

/// `mypwd`, `proxypass`, `topsecret`: letters that say what should stand there, as examples of settings do.
fn is_stand_in(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    text.bytes().all(|byte| byte.is_ascii_alphabetic() || b"_-.".contains(&byte))
        && ["pass", "pwd", "secret", "token"].iter().any(|word| lower.contains(word))
}

/// A word in the language of a user, as labels of forms are.
fn is_label(text: &str) -> bool {
    let mut letters = text.chars();
    let is_capital = letters.next().is_some_and(char::is_uppercase);
    let has_digit = text.bytes().any(|byte| byte.is_ascii_digit());
    !has_digit && !text.is_ascii() || is_capital && letters.all(char::is_lowercase)
}

/// `e1`, `options.key2`: an expression of a program.
fn is_identifier(text: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_' || c == '$';
    let is_part = |part: &str| part.starts_with(is_letter) && part.chars().all(|c| is_letter(c) || c.is_ascii_digit());
    text.split('.').all(is_part)
}

/// True for a phrase of at least three words in small letters, which no sentence begins with.
pub(super) fn is_phrase(text: &str) -> bool {
    const OF_SENTENCES: [&str; 14] =
        ["the", "a", "an", "your", "is", "to", "for", "of", "must", "please", "enter", "not", "be", "no"];
    let words: Vec<&str> = text.split(' ').collect();
    let is_word =
        |word: &&str| word.len() >= 2 && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    (3..=30).contains(&words.len())
        && words.iter().all(is_word)
        && !words.iter().any(|word| OF_SENTENCES.contains(word))
}

/// True for names in programs: `user.login.failed`, `shop.Cart`, `LOGIN_FAILED`, and paths.
fn is_name(text: &str) -> bool {
    let is_word =
        |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphabetic() || c == '_' || c == '$');
    let dotted = text.contains('.') && text.split('.').all(is_word);
    let constant = text.contains('_') && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    let is_drive = matches!(text.as_bytes(), [drive, b':', b'\\' | b'/', ..] if drive.is_ascii_alphabetic());
    // Keys in base64 may begin with a slash.
    let is_path = text.starts_with('/') && (text.len() < 32 || is_worded(text) || text.contains('.'));
    dotted || constant || is_drive || is_path || text.starts_with("./") || text.contains("://")
}

/// True for the form of a UUID.
pub(super) fn is_uuid(text: &str) -> bool {
    let groups: Vec<usize> = text.split('-').map(str::len).collect();
    groups == [8, 4, 4, 4, 12] && text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

/// True if a text may be the key or token in such a place.
pub(super) fn is_credential_in(text: &str, setting: Setting) -> bool {
    let is_word = setting == Setting::Code && (is_identifier(text) && text.len() < 20 || is_hex_word(text));
    is_credential(text) && !is_placeholder(text) && !is_word
}

/// A digest of a file, as lists of files in programs have them.
fn is_hex_word(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// True if a text may be a key or token: letters and digits, and no name.
pub(super) fn is_credential(text: &str) -> bool {
    let has = |is: fn(&char) -> bool| text.chars().any(|c| is(&c));
    text.len() >= 12
        && has(char::is_ascii_digit)
        && has(char::is_ascii_alphabetic)
        && is_password(text)
        && is_varied(text)
        && !is_worded(text)
        && !text.contains(['(', ')', ';', ' ', ',', '\\', '@'])
}

/// True if characters are as varied as in something random: at least a third as many different ones as there are, up to
/// eight. Examples in documentation repeat one.
pub(super) fn is_varied(text: &str) -> bool {
    let mut seen: Vec<char> = text.chars().collect();
    let wanted = (seen.len() / 3).min(8);
    seen.sort_unstable();
    seen.dedup();
    seen.len() >= wanted && !is_example(text)
}

/// True for texts that are in documentation.
pub(super) fn is_example(text: &str) -> bool {
    ["EXAMPLE", "example", "XXXX", "xxxx", "0000000", "abcdefghij", "ABCDEFGHIJ"].iter().any(|word| text.contains(word))
}

/// Beginnings of keys that are public, and of digests.
const PUBLIC: [&str; 9] = ["pk_live_", "pk_test_", "pub_", "public", "sha1-", "sha256-", "sha384-", "sha512-", "md5-"];

/// Lengths of the digests MD5, SHA-1, SHA-256, SHA-384 and SHA-512 in base64 without padding.
const DIGESTS: [usize; 5] = [22, 27, 43, 64, 86];

/// True if a whole text is a random token of letters and digits: no hexadecimal number, no digest, no name with parts.
pub(super) fn is_random(text: &str) -> bool {
    if PUBLIC.iter().any(|prefix| text.starts_with(prefix)) {
        return false;
    }
    // Secret keys of AWS are 40 characters of base64.
    let is_of_token =
        |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte) || text.len() == 40 && b"+/".contains(&byte);
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
        && !is_worded(text)
        && !is_encoded_text(text)
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
        for text in ["hunter2!", "correcthorse", "p4ss.w0rd", "Password123!"] {
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
