//! Shortening of names that are too long for their space, so that both ends stay visible. Independent of the window:
//! `fits` measures a text.

use std::borrow::Cow;

/// Replaces the middle of `text` by `…` if it does not fit. The end begins at a `.` or `[` if one is near.
pub fn middle<'a>(text: &'a str, fits: &dyn Fn(&str) -> bool) -> Cow<'a, str> {
    if fits(text) {
        return Cow::Borrowed(text);
    }
    let chars: Vec<char> = text.chars().collect();
    let cut = |head: usize, tail: usize| -> String {
        let (head, tail) = (&chars[..head], &chars[chars.len() - tail..]);
        head.iter().chain(&['…']).chain(tail).collect()
    };
    // The end of a name tells more than its beginning.
    let tail = |characters: usize| characters * 3 / 5;
    let both = |characters: usize| cut(characters - tail(characters), tail(characters));
    // Largest number of characters that fits.
    let (mut least, mut most) = (2.min(chars.len()), chars.len());
    while least + 1 < most {
        let characters = least.midpoint(most);
        if fits(&both(characters)) { least = characters } else { most = characters }
    }
    let tail = tail(least);
    let end = &chars[chars.len() - tail..];
    let snapped = end[..tail / 2].iter().position(|c| matches!(c, '.' | '[')).map_or(tail, |at| tail - at);
    // Characters differ in width, so the head may have to give back some.
    let heads = (1..=least - snapped).rev().map(|head| cut(head, snapped));
    Cow::Owned(heads.into_iter().find(|text| fits(text)).unwrap_or_else(|| both(least)))
}

/// Two names with an arrow. If they do not fit, their common beginning and end become `…`, first in the second name;
/// then both are cut to the same number of characters.
pub fn pair(before: &str, after: &str, fits: &dyn Fn(&str) -> bool) -> String {
    let join = |before: &str, after: &str| format!("{before} → {after}");
    let [first, second] = distinct([before, after]);
    let short = |name: &str, most: usize| -> String {
        let is_long = name.chars().count() > most;
        name.chars().take(most).chain(is_long.then_some('…')).collect()
    };
    let longest = first.chars().count().max(second.chars().count());
    let wide = [join(before, after), join(before, &second), join(&first, &second)];
    let narrow = (1..longest).rev().map(|most| join(&short(&first, most), &short(&second, most)));
    wide.into_iter()
        .chain(narrow)
        .find(|text| fits(text))
        .unwrap_or_else(|| join(&short(&first, 1), &short(&second, 1)))
}

/// Both names with `…` for the whole words at which both begin or end.
fn distinct(names: [&str; 2]) -> [String; 2] {
    let [one, other] = names.map(|name| name.chars().collect::<Vec<char>>());
    let least = one.len().min(other.len()).saturating_sub(1);
    let is_word = |c: &char| c.is_alphanumeric();
    let same = one.iter().zip(&other).take(least).take_while(|(a, b)| a == b).count();
    let begin = one[..same].iter().rposition(|c| !is_word(c)).map_or(0, |at| at + 1);
    let left = least - begin;
    let same = one.iter().rev().zip(other.iter().rev()).take(left).take_while(|(a, b)| a == b).count();
    let end = one[one.len() - same..].iter().position(|c| !is_word(c)).map_or(0, |at| same - at);
    [one, other].map(|name| {
        let inner: String = name[begin..name.len() - end].iter().collect();
        let dots = |cut: usize| if cut > 0 { "…" } else { "" };
        format!("{}{inner}{}", dots(begin), dots(end))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn within(most: usize) -> impl Fn(&str) -> bool {
        move |text| text.chars().count() <= most
    }

    #[test]
    fn long_names_keep_both_ends() {
        let name = "thread \"Notification Thread\".contextClassLoader.parallelLockMap.table";
        assert_eq!(middle(name, &within(100)), name);
        assert_eq!(middle(name, &within(44)), "thread \"Notification ….parallelLockMap.table");
        for most in 3..name.len() {
            let short = middle(name, &within(most));
            assert!(short.chars().count() <= most && short.contains('…'), "{short}");
            assert!(short.starts_with('t') && short.ends_with('e'), "{short}");
        }
        assert_eq!(middle("ab", &within(0)), "a…b");
    }

    #[test]
    fn two_names_keep_their_difference() {
        let (before, after) = ("shop-before-live", "shop-after-live");
        for (most, text) in [
            (50, "shop-before-live → shop-after-live"),
            (30, "shop-before-live → …after…"),
            (20, "…before… → …after…"),
            (13, "…bef… → …aft…"),
            (0, "…… → ……"),
        ] {
            assert_eq!(pair(before, after, &within(most)), text);
        }
        assert_eq!(pair("leak-before", "leak-before-all", &within(24)), "…before → …before-all");
        assert_eq!(pair("dump", "dump", &within(9)), "du… → du…");
        assert_eq!(pair("", "", &within(0)), " → ");
    }
}
