//! Names of similar owners as one pattern: `thread "shop-pool-*".history`.

/// Minimum share of the first name that the pattern must contain: one part in so many.
const PART: usize = 3;

/// Title of a row of `owners` similar owners: `4 owners like thread "shop-pool-*".history`; of parts of one structure
/// `shop.Cache.ALL (140 parts)`. `name` is that of the row, with what tells it from others of this name; `names` are
/// those of the first owners, of which a pattern is only derived if they are all.
pub fn title(owners: u64, name: (&str, Option<&str>), names: &[&str]) -> String {
    match pattern_of(owners, name, names) {
        (name, 1) => name,
        (name, owners) => format!("{} owners like {name}", heaplens_base::Count(owners)),
    }
}

/// The name or the pattern in such a title, and the number of owners like it.
pub fn pattern_of(owners: u64, (name, distinction): (&str, Option<&str>), names: &[&str]) -> (String, u64) {
    let count = heaplens_base::Count(owners);
    let is_of_one = (names.len() > 1 && names.iter().all(|other| *other == name))
        || names.first().is_some_and(|first| *first != name);
    let parts = if owners > 1 && is_of_one { count.of("part", "parts") } else { String::new() };
    let notes: Vec<&str> =
        [distinction.unwrap_or_default(), &parts].into_iter().filter(|note| !note.is_empty()).collect();
    let noted = |name: &str| if notes.is_empty() { name.to_owned() } else { format!("{name} ({})", notes.join(", ")) };
    if owners < 2 || is_of_one {
        return (noted(name), 1);
    }
    let pattern = if names.len() as u64 == owners { pattern(names) } else { None };
    (noted(pattern.as_deref().unwrap_or(name)), owners)
}

/// The common beginning and end of names with `*` between them; never within a word or a number. `None` if they have
/// little in common.
fn pattern(names: &[&str]) -> Option<String> {
    let names: Vec<Vec<char>> = names.iter().map(|name| name.chars().collect()).collect();
    let (first, others) = names.split_first()?;
    if others.iter().all(|name| name == first) {
        return Some(first.iter().collect());
    }
    let least = names.iter().map(Vec::len).min()?;
    let is_token = |a: char, b: char| (a.is_alphabetic() && b.is_alphabetic()) || (a.is_numeric() && b.is_numeric());
    let all_have = |at: &dyn Fn(&Vec<char>) -> Option<char>| others.iter().all(|name| at(name) == at(first));
    let begin = (0..least).take_while(|&at| all_have(&|name| name.get(at).copied())).count();
    let splits = |&at: &usize| {
        let divides = |name: &Vec<char>| at > 0 && name.get(at).is_some_and(|&next| is_token(name[at - 1], next));
        !names.iter().any(divides)
    };
    let begin = (0..=begin).rev().find(splits)?;
    let from_end = |name: &Vec<char>, at: usize| name.len().checked_sub(at + 1).map(|at| name[at]);
    let end = (0..least - begin).take_while(|&at| all_have(&|name| from_end(name, at))).count();
    let splits = |&at: &usize| {
        let divides = |name: &Vec<char>| {
            let next = at.checked_sub(1).and_then(|last| from_end(name, last));
            next.zip(from_end(name, at)).is_some_and(|(next, before)| is_token(before, next))
        };
        !names.iter().any(divides)
    };
    let end = (0..=end).rev().find(splits)?;
    if (begin + end) * PART < first.len() {
        return None;
    }
    Some(first[..begin].iter().chain(&['*']).chain(&first[first.len() - end..]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_names_make_a_pattern_of_whole_words() {
        for (names, made) in [
            (
                &[r#"thread "pool-2".list"#, r#"thread "pool-21".list"#, r#"thread "pool-3".list"#][..],
                r#"3 owners like thread "pool-*".list"#,
            ),
            (&["shop.Main.alpha.list", "shop.Main.beta.list"], "2 owners like shop.Main.*.list"),
            (&["Worker1", "Worker2"], "2 owners like Worker*"),
            (&["shop.Cache.ALL", "shop.Cache.ALL"], "shop.Cache.ALL (2 parts)"),
            (&["shop.Cache", "shop.Cache.ALL"], "2 owners like shop.Cache*"),
            (&["a.long.name.of.one", "b.list.of.two"], "2 owners like a.long.name.of.one"),
            (&["shop.Cache.ALL"], "shop.Cache.ALL"),
        ] {
            assert_eq!(title(names.len() as u64, (names[0], None), names), made);
        }
        assert_eq!(title(1_200, ("Worker1", None), &["Worker1", "Worker2"]), "1,200 owners like Worker1");
        assert_eq!(title(140, ("shop.Cache", None), &["shop.Cache.a", "shop.Cache.b"]), "shop.Cache (140 parts)");
        assert_eq!(title(2, ("shop.Cache", Some("a.loader")), &["shop.Cache"; 2]), "shop.Cache (a.loader, 2 parts)");
        assert_eq!(title(1, ("shop.Cache", Some("a.loader")), &[]), "shop.Cache (a.loader)");
        assert_eq!(title(1, ("", None), &[]), "");
    }
}
