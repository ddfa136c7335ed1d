//! Whether letters are words or random, by which letters follow each other.

/// Pairs of letters that follow each other in English words and in names of programs: four of five pairs there, one of
/// five in random letters.
const PAIRS: &str = "th he in er an re nd on en at ou ed ha to or it is hi es ng st ar te se me ve of le al de ra ro li ri io ic ne \
    ea om co ti ll ur el la ma et us ch ss ec ce si as ns tr ca no ta ac pe ge di ct ot nt ut il em pr ad ho mo ol lo ly wi we be \
    id un im su po ul ow mp ai ir ke op ty ab ag ig am ap bl ck cl cr do ee ev ex fo fi fr ie iv ld mi ni od oo pa pl rs rt sh so \
    sp ts tt ui up vi wa wo ay ey ak ob oc os ff gh gr qu rc rd rm rn sc sk sw tu ue";
/// Number of pairs from which on one half of them decide; of fewer, more must be common.
const LONG: usize = 12;
/// Fewer pairs decide nothing.
const SHORTEST: usize = 5;

/// One bit for each pair of letters.
static COMMON: [u32; 26] = common();

const fn common() -> [u32; 26] {
    let bytes = PAIRS.as_bytes();
    let mut table = [0; 26];
    let mut at = 0;
    while at + 1 < bytes.len() {
        if bytes[at].is_ascii_lowercase() && bytes[at + 1].is_ascii_lowercase() {
            table[(bytes[at] - b'a') as usize] |= 1 << (bytes[at + 1] - b'a');
            at += 2;
        } else {
            at += 1;
        }
    }
    table
}

/// True if the letters of a text are words, also run together as in names of programs.
pub(super) fn is_worded(text: &str) -> bool {
    // The six letters of hexadecimal numbers and UUIDs are common ones.
    if text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
        && text.bytes().any(|byte| byte.is_ascii_digit())
    {
        return false;
    }
    let letter = |byte: u8| byte.is_ascii_alphabetic().then(|| byte.to_ascii_lowercase() - b'a');
    let (mut pairs, mut hits) = (0_usize, 0_usize);
    for two in text.as_bytes().windows(2) {
        let &[first, second] = two else { continue };
        let (Some(first), Some(second)) = (letter(first), letter(second)) else { continue };
        pairs += 1;
        let row = COMMON.get(usize::from(first)).copied().unwrap_or(0);
        hits += usize::from(row >> second & 1 == 1);
    }
    let needed = if pairs < LONG { pairs * 62 } else { pairs * 50 };
    pairs >= SHORTEST && hits * 100 >= needed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_letters_are_no_words() {
        for text in [
            "getUserAccountByIdentifierHandler2",
            "sk-skeleton-loading-placeholder-animation",
            "Uint8ClampedArray",
            "ORDER_STATUS_CHANGED_NOTIFICATION_2",
            "sha256-with-rsa-encryption-2048",
        ] {
            assert!(is_worded(text), "{text}");
        }
        for text in [
            "k9Xw2QmZt7LrB4vNc8HsD1yGpJ6fUaE3",
            "da39a3ee5e6b4b0d3255bfef95601890afd80709",
            "xqvzkjwpyg",
            "a1b2",
            "deadbeef12efacedbeadfeed",
        ] {
            assert!(!is_worded(text), "{text}");
        }
    }
}
