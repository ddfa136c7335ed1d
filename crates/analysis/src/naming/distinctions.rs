//! What tells rows of one name apart: the last steps of their paths.

use std::collections::BTreeMap;

/// Maximum number of last steps of a path that tell rows of one name apart.
const STEPS: usize = 6;

/// By index, what tells a row from the others of its name. `path` gives the path of a row, and `id` what differs in any
/// case, for rows whose paths are the same; a row without a path has no distinction, nor has one without a name.
pub fn distinctions<E>(
    names: &[&str],
    mut path: impl FnMut(usize) -> Result<Option<String>, E>,
    id: impl Fn(usize) -> Option<String>,
) -> Result<BTreeMap<usize, String>, E> {
    let mut of_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (row, &name) in names.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
        of_name.entry(name).or_default().push(row);
    }
    let mut distinctions = BTreeMap::new();
    for (name, rows) in of_name.into_iter().filter(|(_, rows)| rows.len() > 1) {
        let mut with_path = Vec::with_capacity(rows.len());
        for row in rows {
            with_path.extend(path(row)?.map(|path| (row, path)));
        }
        let mut times: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, path) in &with_path {
            *times.entry(path).or_default() += 1;
        }
        let paths: Vec<&str> = times.keys().copied().collect();
        for (row, path) in &with_path {
            let is_alone = times.get(path.as_str()) == Some(&1);
            let own = if is_alone { Some(own_ending(path, &paths).to_owned()) } else { id(*row) };
            // What the name says already tells nothing; the others have more.
            distinctions.extend(own.filter(|own| !name.ends_with(own.as_str())).map(|own| (*row, own)));
        }
    }
    Ok(distinctions)
}

/// The last steps of a path that no other of some paths ends with; the whole path if there are none.
fn own_ending<'a>(path: &'a str, paths: &[&str]) -> &'a str {
    // Another path may be these steps and no more.
    let has = |other: &&&str, ending: &str| other.ends_with(ending) || **other == ending.trim_start_matches('.');
    let is_own = |ending: &&str| paths.iter().filter(|other| has(other, ending)).nth(1).is_none();
    let mut endings = steps(path).into_iter().rev().take(STEPS).filter_map(|at| path.get(at..));
    endings.find(is_own).map_or(path, |ending| ending.trim_start_matches('.'))
}

/// Where the steps of a path begin: its dots, but those of class names and keys in brackets or quotes.
fn steps(path: &str) -> Vec<usize> {
    let (mut depth, mut is_quoted, mut starts) = (0_u32, false, Vec::new());
    for (at, letter) in path.char_indices() {
        match letter {
            '"' => is_quoted = !is_quoted,
            '[' | '<' if !is_quoted => depth += 1,
            ']' | '>' if !is_quoted => depth = depth.saturating_sub(1),
            '.' if !is_quoted && depth == 0 => starts.push(at),
            _ => {}
        }
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owners_of_one_name_have_the_shortest_endings_that_differ() {
        let paths = ["app.a.loader.lock", "app.b.loader.lock", "app.a.loader.classes", "lock"];
        let endings = paths.map(|path| own_ending(path, &paths));
        assert_eq!(endings, ["a.loader.lock", "b.loader.lock", "classes", "lock"]);
        let (one, other) = ("thread.locals[java.nio.Buffers][0]", "thread.\"a.locals\"[java.nio.Buffers][1]");
        assert_eq!(own_ending(one, &[one, other]), "locals[java.nio.Buffers][0]");
        assert_eq!(own_ending(other, &[one, other]), "\"a.locals\"[java.nio.Buffers][1]");
    }

    #[test]
    fn rows_of_one_name_differ_by_path_and_rows_of_one_path_by_id() {
        let names = ["a.B.all", "a.C.one", "a.B.all", "a.B.all", "", ""];
        let paths = [Some("x.all"), Some("y.one"), Some("y.all"), Some("y.all"), Some("p"), Some("q")];
        let path = |row: usize| Ok::<_, ()>(paths[row].map(str::to_owned));
        let texts = distinctions(&names, path, |row| Some(format!("0x{row}"))).expect("no error");
        let listed: Vec<(usize, &str)> = texts.iter().map(|(row, text)| (*row, text.as_str())).collect();
        assert_eq!(listed, [(0, "x.all"), (2, "0x2"), (3, "0x3")]);
        let texts = distinctions(&["B.all"; 2], |row| Ok::<_, ()>(Some(["all", "y.all"][row].to_owned())), |_| None);
        assert_eq!(texts, Ok(BTreeMap::from([(1, "y.all".to_owned())])));
    }
}
