//! Ranges of rows of sorted tables.

use super::{AFTER, heaplens};

/// A row of csv without its last two columns.
fn without_loader(row: &str) -> &str {
    row.rsplitn(3, ',').nth(2).unwrap_or(row)
}

/// Ranges of rows, sorted by any column in either order, equal those of the fully sorted table.
#[test]
fn sorted_ranges_equal_parts_of_the_whole() {
    let rows = |arguments: &[&str]| {
        let output = heaplens(&[arguments, &["--format", "csv"]].concat());
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    for command in ["histogram", "collections", "roots", "threads"] {
        let all = rows(&[command, AFTER]);
        let mut sorted = all.clone();
        // Before the loader of classes that share a name, which is empty here but for those.
        let last = |row: &String| {
            let row = if matches!(command, "histogram" | "collections") { without_loader(row) } else { row.as_str() };
            row.rsplit(',').next().and_then(|n| n.parse::<u64>().ok()).expect("a number")
        };
        let key = match command {
            "collections" => "wasted_bytes",
            "threads" => "locals",
            _ => "retained_bytes",
        };
        sorted.sort_by_key(last);
        let reversed = rows(&[command, AFTER, "--sort", key, "--reverse"]);
        if command == "histogram" {
            // Ties are sorted by name there.
            sorted.sort_by(|a, b| last(a).cmp(&last(b)).then_with(|| a.split(',').next().cmp(&b.split(',').next())));
        }
        assert_eq!(reversed, sorted, "{command}");
        assert_eq!(rows(&[command, AFTER, "--skip", "1", "--top", "2"]), all[1..3], "{command}");
        let picked = [&all[..1], &all[2..4]].concat();
        assert_eq!(rows(&[command, AFTER, "--rows", "1,3-4"]), picked, "{command}");
    }
    let objects = rows(&["objects", AFTER, "--class", "desk.Session", "--sort", "retained_bytes", "--top", "3"]);
    let ids: Vec<&str> = objects.iter().rev().filter_map(|row| row.split(',').next()).collect();
    let named: Vec<&str> = ids.iter().flat_map(|id| ["--object", id]).collect();
    let again = rows(&[&["objects", AFTER][..], &named].concat());
    assert_eq!(again, objects.into_iter().rev().collect::<Vec<_>>());
    // Labels of classes contain no line breaks.
    let classes = ["dominators", AFTER, "--filter-class", "/^java.lang.Class$/", "--sort", "shallow_bytes"];
    let mut first = rows(&classes);
    first.reverse();
    assert!(first.len() > 100 && rows(&[&classes[..], &["--reverse"]].concat()) == first);
    assert!(first.iter().all(|row| row.contains(",java.lang.Class,")));
}
