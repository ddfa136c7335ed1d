//! Shortening of names that are too long for their space, so that both ends stay visible. Independent of the window:
//! `fits` measures a text.

use std::borrow::Cow;

/// Other names beside one that is shortened: what they have in common with it is cut first.
#[derive(Debug, Clone, Copy, Default)]
pub struct Neighbours<'a> {
    names: &'a [String],
}

impl<'a> Neighbours<'a> {
    /// The names that are shown together; the shortened one may be among them.
    pub fn new(names: &'a [String]) -> Self {
        Self { names }
    }

    /// True if another name than `text` begins with `head` and ends with `tail`, so that both could read the same.
    fn has_alike(&self, text: &str, head: &str, tail: &str) -> bool {
        let both = head.len() + tail.len();
        self.names
            .iter()
            .any(|name| name != text && name.len() >= both && name.starts_with(head) && name.ends_with(tail))
    }

    /// True if the name is not the only one of its kind.
    pub fn has_twin(&self, text: &str) -> bool {
        self.names.iter().filter(|name| *name == text).nth(1).is_some()
    }
}

/// Where a text is cut that has nothing in common with the texts beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UsualCut {
    /// In the middle: the end of a name tells more than its beginning. It begins at a `.` or `[` if one is near.
    Middle,
    /// At the end, as a sentence or the content of a string.
    End,
}

/// Replaces the middle of `text` by `…` if it does not fit.
pub fn middle<'a>(text: &'a str, fits: &dyn Fn(&str) -> bool) -> Cow<'a, str> {
    among(text, UsualCut::Middle, Neighbours::default(), fits)
}

/// Shortens `text` to what fits: cut is the part that it has in common with the names beside it, such as a package, a
/// path or a holder, never the part that tells it from them.
pub fn among<'a>(
    text: &'a str,
    default: UsualCut,
    beside: Neighbours<'_>,
    fits: &dyn Fn(&str) -> bool,
) -> Cow<'a, str> {
    if fits(text) {
        return Cow::Borrowed(text);
    }
    let chars: Vec<char> = text.chars().collect();
    let default = match default {
        UsualCut::Middle => cut_in_the_middle(&chars, fits),
        UsualCut::End => cut_at_the_end(&chars, fits),
    };
    let is_unique =
        |cut: &Cut| !beside.has_alike(text, &text_of(&chars[..cut.head]), &text_of(&chars[chars.len() - cut.tail..]));
    if is_unique(&default) {
        return Cow::Owned(default.text(&chars));
    }
    // The same number of characters from other ends, nearest to the usual cut first.
    let most = default.head + default.tail;
    let mut moved: Vec<Cut> = (0..=most).map(|head| Cut { head, tail: most - head }).collect();
    moved.sort_by_key(|cut| cut.head.abs_diff(default.head));
    let unique = moved.into_iter().find(|cut| is_unique(cut) && fits(&cut.text(&chars)));
    Cow::Owned(unique.map_or_else(|| differing(text, &chars, beside, fits), |cut| cut.text(&chars)))
}

/// Number of characters that remain at each end.
#[derive(Clone, Copy)]
struct Cut {
    head: usize,
    tail: usize,
}

impl Cut {
    fn text(self, chars: &[char]) -> String {
        let tail = self.tail.min(chars.len());
        let (head, tail) = (&chars[..self.head.min(chars.len())], &chars[chars.len() - tail..]);
        head.iter().chain(&['…']).chain(tail).collect()
    }
}

fn text_of(chars: &[char]) -> String {
    chars.iter().collect()
}

/// The largest number from `least` to below `most` that fits; `least` if none does.
fn largest(mut least: usize, mut most: usize, fits: impl Fn(usize) -> bool) -> usize {
    while least + 1 < most {
        let middle = least.midpoint(most);
        if fits(middle) { least = middle } else { most = middle }
    }
    least
}

fn cut_at_the_end(chars: &[char], fits: &dyn Fn(&str) -> bool) -> Cut {
    let cut = |head| Cut { head, tail: 0 };
    cut(largest(1.min(chars.len()), chars.len(), |head| fits(&cut(head).text(chars))))
}

fn cut_in_the_middle(chars: &[char], fits: &dyn Fn(&str) -> bool) -> Cut {
    // The end of a name tells more than its beginning.
    let tail = |characters: usize| characters * 3 / 5;
    let both = |characters: usize| Cut { head: characters - tail(characters), tail: tail(characters) };
    // Largest number of characters that fits.
    let least = largest(2.min(chars.len()), chars.len(), |characters| fits(&both(characters).text(chars)));
    let tail = tail(least);
    let end = &chars[chars.len() - tail..];
    let snapped = end[..tail / 2].iter().position(|c| matches!(c, '.' | '[')).map_or(tail, |at| tail - at);
    // Characters differ in width, so the head may have to give back some.
    let mut heads = (1..=least - snapped).rev().map(|head| Cut { head, tail: snapped });
    heads.find(|cut| fits(&cut.text(chars))).unwrap_or_else(|| both(least))
}

/// The part that differs from the names with the most in common, between the `…` of what is before and after it.
fn differing(text: &str, chars: &[char], beside: Neighbours<'_>, fits: &dyn Fn(&str) -> bool) -> String {
    let (mut begin, mut end) = (chars.len(), 0);
    for name in beside.names.iter().filter(|name| *name != text) {
        let other: Vec<char> = name.chars().collect();
        let least = chars.len().min(other.len());
        let same = chars.iter().zip(&other).take_while(|(a, b)| a == b).count();
        let left = least - same.min(least);
        let after = chars.iter().rev().zip(other.iter().rev()).take(left).take_while(|(a, b)| a == b).count();
        // Names that differ from the beginning need no more than their beginning.
        if same + after >= least / 2 {
            begin = begin.min(same);
            end = end.max(chars.len() - after);
        }
    }
    let (begin, end) = if begin < end { (begin, end) } else { (0, chars.len()) };
    let shown = |begin: usize, end: usize| -> String {
        let before = if begin > 0 { "…" } else { "" };
        let after = if end < chars.len() { "…" } else { "" };
        format!("{before}{}{after}", text_of(&chars[begin..end]))
    };
    // As much around the differing part as fits, else as much of it as fits.
    let around = |more: usize| shown(begin.saturating_sub(more), (end + more / 3).min(chars.len()));
    if fits(&around(0)) {
        return around(largest(0, chars.len(), |more| fits(&around(more))));
    }
    shown(begin, largest(begin + 1, end, |end| fits(&shown(begin, end))).min(chars.len()))
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
    fn names_are_cut_where_they_are_the_same() {
        for (names, most, texts) in [
            // At the end, at the beginning, in the middle.
            (["shop-pool-thread-1", "shop-pool-thread-2"], 8, ["sho…ad-1", "sho…ad-2"]),
            (["before.com.acme.checkout.Items", "after.com.acme.checkout.Items"], 10, ["befo…Items", "afte…Items"]),
            (["com.acme.orders.Cache.all.table", "com.acme.people.Cache.all.table"], 10, ["…e.orders…", "…e.people…"]),
            (["j01-tomcat-before-sessions-live", "j01-tomcat-after-sessions-live"], 9, ["…-before…", "…t-after…"]),
        ] {
            let names = names.map(str::to_owned);
            let beside = Neighbours::new(&names);
            let cut = names.each_ref().map(|name| among(name, UsualCut::Middle, beside, &within(most)).into_owned());
            assert_ne!(cut[0], cut[1], "{names:?}");
            assert!(cut.iter().all(|text| text.chars().count() <= most), "{cut:?}");
            assert_eq!(cut, texts, "{names:?}");
        }
        // Whatever the width, names that differ do not read the same, as long as a few characters fit.
        let names: Vec<String> = (0..12).map(|n| format!("com.acme.web.session.Store{n}.entries.table[{n}]")).collect();
        for most in 8..60 {
            let cut =
                |name: &String| among(name, UsualCut::Middle, Neighbours::new(&names), &within(most)).into_owned();
            let mut all: Vec<String> = names.iter().map(cut).collect();
            all.sort();
            all.dedup();
            assert_eq!(all.len(), names.len(), "{most}: {all:?}");
        }
        let twins = ["a".to_owned(), "b".to_owned(), "a".to_owned()];
        assert!(Neighbours::new(&twins).has_twin("a") && !Neighbours::new(&twins).has_twin("b"));
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
