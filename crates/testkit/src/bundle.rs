//! Scripts that were made of a file of the source, with their source maps, written from a text that marks the names.

use std::fmt::Write;

use crate::v8::snapshot::{Edge, Location, Node, Snapshot};

/// Digits of the numbers in a map.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// A script and its source map.
#[derive(Debug, Clone)]
pub struct Bundle {
    /// The script.
    pub script: String,
    /// JSON of the map.
    pub map: String,
}

impl Bundle {
    /// Reads a script in which `«e:carts»` is the name `e` that was `carts` in the source. Each name has a line of its own
    /// in the file `source`.
    ///
    /// # Panics
    /// If a mark has no end or no colon.
    pub fn of(marked: &str, source: &str) -> Self {
        let (mut script, mut names, mut mappings) = (String::new(), Vec::<&str>::new(), String::new());
        let (mut lines, mut last_column, mut last_name) = (0, 0, 0);
        let mut rest = marked;
        while let Some((before, after)) = rest.split_once('«') {
            script.push_str(before);
            let (mark, after) = after.split_once('»').expect("a mark with an end");
            let (short, name) = mark.split_once(':').expect("a mark with a colon");
            let index = names.iter().position(|other| *other == name).unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            });
            let line = script.matches('\n').count();
            if line > lines {
                mappings.push_str(&";".repeat(line - lines));
                (lines, last_column) = (line, 0);
            }
            let column = script.rsplit('\n').next().unwrap_or_default().encode_utf16().count();
            // What follows a name begins on the same line, and has none.
            let ahead = (number(column, last_column), number(index, last_name), number(short.len(), 0));
            write!(mappings, "{}ACA{},{}AAA,", ahead.0, ahead.1, ahead.2).expect("memory");
            (last_column, last_name) = (column + short.len(), index);
            script.push_str(short);
            rest = after;
        }
        script.push_str(rest);
        let names = names.join("\",\"");
        let map = format!(r#"{{"version":3,"sources":["{source}"],"names":["{names}"],"mappings":"{mappings}"}}"#);
        Self { script, map }
    }

    /// Line and column of the first place of the script with this text.
    ///
    /// # Panics
    /// If there is none.
    pub fn position(&self, text: &str) -> (u32, u32) {
        let before = self.script.split_once(text).expect("a text of the script").0;
        let column = before.rsplit('\n').next().unwrap_or_default().encode_utf16().count();
        (before.matches('\n').count() as u32, column as u32)
    }

    /// The script with its map in the last line.
    pub fn inline(&self) -> String {
        let mut data = String::new();
        for bytes in self.map.as_bytes().chunks(3) {
            let bits = bytes.iter().fold(0_u32, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - bytes.len()));
            for digit in 0..4 {
                let value = (bits >> (18 - 6 * digit)) as usize & 63;
                data.push(if digit <= bytes.len() { char::from(DIGITS[value]) } else { '=' });
            }
        }
        format!("{}\n//# sourceMappingURL=data:application/json;base64,{data}\n", self.script)
    }

    /// A snapshot with a function at one place of the script, whose context has variables, and an object of a class at
    /// another. Ids are 3 for the function, 5 for the context, 7 for the object, 9 and so on for the variables.
    pub fn snapshot(&self, path: &str, function: (&str, &str), variables: &[&str], class: (&str, &str)) -> Snapshot {
        let node =
            |kind, name: &str, id, edges| Node { kind, name: name.into(), id, self_size: 16, edges, ..Node::default() };
        let first = 8;
        let captured = variables.iter().enumerate().map(|(at, name)| Edge::named("context", *name, first + at));
        let text: String = self.script.chars().take(1024).collect();
        let mut nodes = vec![
            node("synthetic", "", 1, vec![Edge::numbered("element", 1, 1)]),
            node("object", "Shop", 11, vec![Edge::named("property", "f", 2), Edge::named("property", "o", 4)]),
            node(
                "closure",
                function.0,
                3,
                vec![Edge::named("internal", "shared", 5), Edge::named("internal", "context", 3)],
            ),
            node("object", "system / Context", 5, captured.collect()),
            node("object", class.0, 7, Vec::new()),
            node("code", function.0, 13, vec![Edge::named("internal", "script", 6)]),
            node("code", path, 15, vec![Edge::named("internal", "source", 7)]),
            node("string", &text, 17, Vec::new()),
        ];
        nodes.extend((0..variables.len() as u64).map(|at| node("object", "Map", 101 + 2 * at, Vec::new())));
        let location = |node, text: &str| {
            let (line, column) = self.position(text);
            Location { node, script: 5, line, column }
        };
        let locations = vec![location(2, function.1), location(4, class.1)];
        Snapshot { nodes, root: 0, locations, ..Snapshot::default() }
    }
}

/// The difference of two numbers, as a map has it.
fn number(value: usize, before: usize) -> String {
    let mut left = value.abs_diff(before) << 1 | usize::from(value < before);
    let mut text = String::new();
    loop {
        let more = usize::from(left > 31) << 5;
        text.push(char::from(DIGITS[left & 31 | more]));
        left >>= 5;
        if left == 0 {
            return text;
        }
    }
}
