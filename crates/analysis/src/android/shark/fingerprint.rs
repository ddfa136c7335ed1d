//! Fingerprint of a leak as in Shark, so that a leak has the same identity here,
//! in LeakCanary and on a server that collects reports.

use std::fmt::Write as _;

use sha1::{Digest, Sha1};

/// SHA-1 of a string, in hexadecimal digits.
pub(super) fn sha1(text: &str) -> String {
    Sha1::digest(text.as_bytes()).iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

#[cfg(test)]
mod tests {
    use super::sha1;

    #[test]
    fn fingerprints_are_those_of_shark() {
        assert_eq!(sha1(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
        let pattern = "instance field android.view.inputmethod.InputMethodManager#mNextServedView";
        assert_eq!(sha1(pattern), "1e770c85b3c9035e9a766255b35fef682ab30414");
    }
}
