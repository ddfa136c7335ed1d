//! Expressions of licences as SPDX has them: `(MIT OR Apache-2.0) AND Unicode-3.0`.

use std::iter::Peekable;

/// True if the allowed licences satisfy an expression: one side of each OR, both of each AND. `/` means OR, as in older
/// manifests. Fails if the expression is malformed.
pub(crate) fn is_satisfied(expression: &str, allowed: &dyn Fn(&str) -> bool) -> Result<bool, String> {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let mut words = spaced.split_whitespace().peekable();
    let satisfied = any(&mut words, allowed).ok_or_else(|| format!("no licence: {expression}"))?;
    words.next().map_or(Ok(satisfied), |word| Err(format!("{word} stands wrong in {expression}")))
}

type Words<'a, 'w> = &'w mut Peekable<std::str::SplitWhitespace<'a>>;

fn any(words: Words<'_, '_>, allowed: &dyn Fn(&str) -> bool) -> Option<bool> {
    let mut satisfied = all(words, allowed)?;
    while words.next_if_eq(&"OR").is_some() {
        satisfied |= all(words, allowed)?;
    }
    Some(satisfied)
}

fn all(words: Words<'_, '_>, allowed: &dyn Fn(&str) -> bool) -> Option<bool> {
    let mut satisfied = one(words, allowed)?;
    while words.next_if_eq(&"AND").is_some() {
        satisfied &= one(words, allowed)?;
    }
    Some(satisfied)
}

fn one(words: Words<'_, '_>, allowed: &dyn Fn(&str) -> bool) -> Option<bool> {
    match words.next()? {
        "(" => {
            let satisfied = any(words, allowed)?;
            words.next_if_eq(&")").map(|_| satisfied)
        }
        "OR" | "AND" | "WITH" | ")" => None,
        licence if words.next_if_eq(&"WITH").is_some() => Some(allowed(&format!("{licence} WITH {}", words.next()?))),
        licence => Some(allowed(licence)),
    }
}

#[test]
fn expressions_are_read_as_spdx_has_them() {
    let allowed = |licence: &str| ["MIT", "Zlib", "Apache-2.0 WITH LLVM-exception"].contains(&licence);
    for (expression, satisfied) in [
        ("MIT", true),
        ("GPL-3.0-only", false),
        ("GPL-3.0-only OR MIT", true),
        ("GPL-3.0-only/MIT", true),
        ("MIT AND GPL-3.0-only", false),
        ("MIT OR GPL-3.0-only AND GPL-2.0-only", true),
        ("(MIT OR GPL-3.0-only) AND GPL-2.0-only", false),
        ("(MIT OR Apache-2.0) AND Zlib", true),
        ("Apache-2.0", false),
        ("Apache-2.0 WITH LLVM-exception OR GPL-2.0-only", true),
        ("Apache-2.0 WITH another-exception", false),
    ] {
        assert_eq!(is_satisfied(expression, &allowed), Ok(satisfied), "{expression}");
    }
    for wrong in ["", "MIT OR", "AND MIT", "(MIT", "MIT)", "MIT Zlib", "Apache-2.0 WITH", "()"] {
        assert!(is_satisfied(wrong, &allowed).is_err(), "{wrong}");
    }
}
