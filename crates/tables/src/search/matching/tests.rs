//! Ranks of names for typed texts.

use super::{Fit, Matcher, Tier, mask};

fn own(name: &str) -> usize {
    heaplens_heap::split_class(name).0.len()
}

fn fit(typed: &str, name: &str) -> Option<Fit> {
    let mut matcher = Matcher::new(typed);
    let fit = matcher.fit(name, own(name));
    assert!(fit.is_none() || matcher.may_fit(mask(name)), "{typed} fits {name}, so its letters are in it");
    let letters: usize = matcher.matched_parts().iter().map(|part| name[part.clone()].chars().count()).sum();
    assert_eq!(letters, if fit.is_some() { typed.chars().filter(|c| !c.is_whitespace()).count() } else { 0 });
    fit
}

/// The name with the matched parts in brackets.
fn marked(typed: &str, name: &str) -> String {
    let mut matcher = Matcher::new(typed);
    matcher.fit(name, own(name)).unwrap_or_else(|| panic!("{typed} fits {name}"));
    let (mut text, mut at) = (String::new(), 0);
    for part in matcher.matched_parts() {
        text = text + &name[at..part.start] + "[" + &name[part.clone()] + "]";
        at = part.end;
    }
    text + &name[at..]
}

#[test]
fn names_fit_in_one_of_seven_ways() {
    for (typed, name, tier) in [
        ("java.lang.String", "java.lang.String", Tier::Exact),
        ("string", "java.lang.String", Tier::Exact),
        ("Node", "java.util.HashMap$Node", Tier::Exact),
        ("hashmap.node", "java.util.HashMap$Node", Tier::Exact),
        ("byte[]", "byte[]", Tier::Exact),
        ("str", "java.lang.String", Tier::Prefix),
        ("string", "java.lang.String[]", Tier::Prefix),
        ("java.lang.St", "java.lang.String", Tier::Prefix),
        ("No", "java.util.HashMap$Node", Tier::Prefix),
        ("HMN", "java.util.HashMap$Node", Tier::Humps),
        ("hmn", "java.util.HashMap$Node", Tier::Humps),
        ("HashMN", "java.util.HashMap$Node", Tier::Humps),
        ("sesCa", "desk.SessionCache", Tier::Humps),
        ("session cache", "desk.SessionCache", Tier::Humps),
        ("j.u.HM", "java.util.HashMap", Tier::Humps),
        ("j.u.c.CHM", "java.util.concurrent.ConcurrentHashMap", Tier::Humps),
        ("HTTPSer", "net.HTTPServer", Tier::Prefix),
        ("HServer", "net.HTTPServer", Tier::Humps),
        ("U8", "UTF8Reader", Tier::Humps),
        ("cach", "desk.SessionCache", Tier::Words),
        ("util", "java.util.HashMap", Tier::Words),
        ("juhm", "java.util.HashMap", Tier::Words),
        ("java", "java.util.HashMap", Tier::Words),
        ("essi", "desk.SessionCache", Tier::Inside),
        ("SC", "java.util.Scanner", Tier::Inside),
        ("HASHMAP", "java.util.HashMap", Tier::Inside),
        ("cache session", "desk.SessionCache", Tier::AnyOrder),
        ("chain deep", "leak.deep_chain", Tier::AnyOrder),
        ("deepchain", "leak.deep_chain", Tier::Humps),
        ("deep_chain", "leak.deep_chain", Tier::Exact),
        ("essi ach", "desk.SessionCache", Tier::AnyOrder),
        ("scce", "desk.SessionCache", Tier::Scattered),
        ("scache", "desk.SessionCache", Tier::Humps),
        ("domtr", "Dominator tree", Tier::Humps),
        ("сеанс", "магазин.СеансКэш", Tier::Prefix),
        ("СК", "магазин.СеансКэш", Tier::Humps),
    ] {
        assert_eq!(fit(typed, name).map(|f| f.tier), Some(tier), "{typed} for {name}");
    }
    for (typed, name) in
        [("hash", "String"), ("xyz", "java.lang.String"), ("strings", "String"), ("", "String"), ("a", "")]
    {
        assert_eq!(fit(typed, name), None, "{typed} for {name}");
    }
}

#[test]
fn better_names_come_first() {
    for (typed, better, worse) in [
        ("map", "java.util.Map", "java.util.Map$Entry"),
        ("map", "java.util.Map$Entry", "java.util.HashMap"),
        ("hmn", "java.util.HashMap$Node", "java.util.HashMap$TreeNode"),
        ("sesCa", "desk.SessionCache", "desk.Session$Cart"),
        ("node", "org.Node", "java.util.HashMap$Node"),
        ("cache", "desk.Cache", "cache.Session"),
        ("cache", "desk.SessionCache", "cache.Session"),
        ("hash", "my.HashTable", "my.RehashTable"),
        ("hash", "my.RehashTable", "Hxaxsxh"),
        ("ab", "AxBx", "AxCxBx"),
        ("abc", "a1bc", "a12bc"),
    ] {
        let ranks = (fit(typed, better), fit(typed, worse));
        assert!(ranks.0 < ranks.1 && ranks.0.is_some(), "{typed}: {better} before {worse}: {ranks:?}");
    }
}

#[test]
fn highlights_prefer_word_starts() {
    for (typed, marks) in [
        ("HMN", "java.util.[H]ash[M]ap$[N]ode"),
        ("sesCa", "desk.[Ses]sion[Ca]che"),
        ("j.u.HM", "[j]ava[.u]til[.H]ash[M]ap"),
        ("cach", "desk.Session[Cach]e"),
        ("node", "java.util.HashMap$[Node]"),
        ("ava", "j[ava].Thing"),
        ("cache ses", "desk.[Ses]sion[Cache]"),
    ] {
        let name = marks.replace(['[', ']'], "");
        assert_eq!(marked(typed, &name), marks, "{typed}");
    }
}

/// Every tier is a subset of the last one: a matching name contains the letters in order, so a longer text never
/// matches a name that its beginning does not. Narrowing relies on it.
#[test]
fn a_longer_text_fits_no_more_names() {
    let names = ["java.util.HashMap$Node", "desk.SessionCache", "HTTPServer2", "a.b.C$1", "Ünïcode.Näme", "x"];
    let texts =
        ["j.u.HMN", "Session Cache", "hts2", "abc1", "ünn", "scce", "HASHMAP", "$1", "x y", "cache ses", "node hash"];
    for text in texts {
        for name in names {
            let fits: Vec<bool> = (1..=text.chars().count())
                .map(|n| fit(&text.chars().take(n).collect::<String>(), name).is_some())
                .collect();
            assert!(fits.windows(2).all(|w| w[0] || !w[1]), "{text} for {name}: {fits:?}");
        }
    }
}

#[test]
fn names_of_any_length_are_matched_in_bounded_time() {
    let name = "aB".repeat(1 << 20);
    assert!(fit("aBaB", &name).is_some());
    assert!(Matcher::new(&"ab".repeat(1 << 20)).fit(&name, 0).is_some());
}
