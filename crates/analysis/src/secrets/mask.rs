//! What is kept and shown of a credential.

use xxhash_rust::xxh3::xxh3_128;

use super::rules::PRIVATE_KEY;

/// Number of characters shown, and length from which on they are: of a shorter value they would be too much of it.
const SHOWN: usize = 4;
const LONG: usize = 12;
/// Length of the longest type of a private key.
const LONGEST_TYPE: usize = 40;

/// Number of characters that are kept of a value, to recognise it in another one of the same object.
const BEGIN: usize = 256;

/// A value, of which only the beginning is kept: many objects may share a long text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FoundValue {
    pub(super) begin: String,
    /// What is shown of it.
    pub(super) masked: String,
    /// Length in characters.
    pub(super) length: u64,
    hash: u128,
}

impl FoundValue {
    pub(super) fn new(kind: &str, value: &str) -> Self {
        let masked = if kind == PRIVATE_KEY { key_type(value) } else { masked(value) };
        let begin = value.chars().take(BEGIN).collect();
        Self { begin, masked, length: length(value), hash: xxh3_128(value.as_bytes()) }
    }
}

/// The first characters and the length: `AKIA… (20 characters)`.
fn masked(value: &str) -> String {
    let length = value.chars().count();
    let shown: String = value.chars().take(if length >= LONG { SHOWN } else { length / 4 }).collect();
    format!("{shown}… ({length} characters)")
}

/// The type of a private key: `EC PRIVATE KEY`, which is before its text or in the first line of the value.
fn key_type(key: &str) -> String {
    let of_pem = key.strip_prefix("-----BEGIN ").and_then(|rest| rest.split_once("-----"));
    let name = of_pem.or_else(|| key.split_once('\n')).map(|(name, _)| name).filter(|name| is_key_type(name));
    name.unwrap_or("PRIVATE KEY").to_owned()
}

/// True for words that a type of key consists of: a line of a key in base64 has no blanks.
fn is_key_type(name: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_uppercase() || byte == b' ';
    name.len() <= LONGEST_TYPE && name.contains("PRIVATE KEY") && name.bytes().all(is_word)
}

/// Length of a value in characters, without the line that says the type of a private key.
fn length(value: &str) -> u64 {
    let key = value.split_once('\n').filter(|(name, _)| is_key_type(name));
    key.map_or(value, |(_, key)| key).chars().count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_of_a_value_is_shown() {
        assert_eq!(masked("abcdefghijkl"), "abcd… (12 characters)");
        assert_eq!(masked("hunter2!"), "hu… (8 characters)");
        assert_eq!(masked("abc"), "… (3 characters)");
        assert_eq!(key_type("-----BEGIN EC PRIVATE KEY-----\nMHc"), "EC PRIVATE KEY");
        assert_eq!(key_type("-----BEGIN PGP PRIVATE KEY BLOCK-----\nMHc"), "PGP PRIVATE KEY BLOCK");
        assert_eq!(key_type("WHgCtzC1uwB5QKEY\nMHc"), "PRIVATE KEY", "a line of the key itself");
    }
}
