//! `LIKE` and `GLOB`, as SQLite defines them, for conditions tested before SQLite sees a row.

/// True if a text matches a pattern of `LIKE`: `%` is any text, `_` any character; letters of ASCII match in both cases.
pub(crate) fn like_matches(pattern: &str, text: &str) -> bool {
    let pattern: Vec<Part> = pattern
        .chars()
        .map(|c| match c {
            '%' => Part::Any,
            '_' => Part::One,
            c => Part::Char(c.to_ascii_lowercase()),
        })
        .collect();
    matches(&pattern, &text.chars().map(|c| c.to_ascii_lowercase()).collect::<Vec<char>>())
}

/// True if a text may match a pattern of `GLOB`: `*` is any text, `?` any character. A set `[…]` is taken for any
/// character.
pub(crate) fn glob_matches(pattern: &str, text: &str) -> bool {
    let mut parts = Vec::new();
    let mut rest = pattern.chars();
    while let Some(c) = rest.next() {
        parts.push(match c {
            '*' => Part::Any,
            '?' => Part::One,
            '[' => {
                // A set without an end matches nothing; SQLite says so.
                let first = rest.next();
                let first = if first == Some('^') { rest.next() } else { first };
                let _ended = first.and_then(|_| rest.find(|&c| c == ']'));
                Part::One
            }
            c => Part::Char(c),
        });
    }
    matches(&parts, &text.chars().collect::<Vec<char>>())
}

enum Part {
    Any,
    One,
    Char(char),
}

/// Matches greedily; after a mismatch, the last `Any` takes one character more.
fn matches(pattern: &[Part], text: &[char]) -> bool {
    let (mut at, mut next, mut retry) = (0, 0, None);
    while next < text.len() {
        match pattern.get(at) {
            Some(Part::Any) => {
                retry = Some((at, next));
                at += 1;
            }
            Some(Part::One) => (at, next) = (at + 1, next + 1),
            Some(Part::Char(c)) if text.get(next) == Some(c) => (at, next) = (at + 1, next + 1),
            _ => match retry {
                Some((any, from)) => {
                    (at, next) = (any + 1, from + 1);
                    retry = Some((any, from + 1));
                }
                None => return false,
            },
        }
    }
    pattern.get(at..).unwrap_or_default().iter().all(|part| matches!(part, Part::Any))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_sqlite() {
        let database = rusqlite::Connection::open_in_memory().expect("memory");
        let texts = ["", "a", "java.util.HashMap", "java.util.HashMap$Node", "JAVA.util.x", "ä%b_", "a_b", "x]y"];
        let patterns = [
            "",
            "%",
            "_",
            "java.util.%",
            "%map%node",
            "%a%a%",
            "a__",
            "*",
            "?",
            "java.util.*",
            "*[$]*",
            "*Map",
            "[a-z]*",
            "[^^]*Map",
            "[^]]*",
            "a?b",
            "Ä%",
        ];
        for (pattern, text) in patterns.iter().flat_map(|pattern| texts.iter().map(move |text| (pattern, text))) {
            let ask = |sql: &str| database.query_row(sql, [text, pattern], |row| row.get::<_, bool>(0)).expect("a row");
            assert_eq!(like_matches(pattern, text), ask("SELECT ?1 LIKE ?2"), "{text} LIKE {pattern}");
            // Sets are wider here.
            assert!(glob_matches(pattern, text) || !ask("SELECT ?1 GLOB ?2"), "{text} GLOB {pattern}");
        }
    }
}
