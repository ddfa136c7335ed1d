//! Spelling of names: quotes, ordinals, runs of equal steps. The resolver never parses labels: it spells candidates and
//! compares.

use std::fmt::Write;

use heaplens_base::Count;
use heaplens_base::invisible::is_invisible;
use heaplens_heap::{Class, ClassId, Heap};

/// Maximum number of characters of a string in a name.
pub(super) const SHOWN: usize = 60;
/// Maximum number of runs of steps in a name; longer paths are abbreviated in the middle.
const RUNS: usize = 400;
/// Maximum number of steps in a repeating unit.
const UNIT: usize = 3;

/// `"text"` in one line; long strings as prefix and length.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars().take(SHOWN) {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_invisible(c) => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    if text.chars().nth(SHOWN).is_some() {
        out.push('…');
    }
    out.push('"');
    out
}

/// True if [`quoted`] does not abbreviate a string, so that equal spelling means equal strings.
pub(super) fn is_whole(text: &str) -> bool {
    text.chars().nth(SHOWN).is_none()
}

/// A field after its dot, in quotes if it is ambiguous. Fields known by number only (IBM heap dumps) are written `[2]`,
/// like elements.
pub(crate) fn field(name: &str) -> String {
    let number = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
    if number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())) {
        return name.to_owned();
    }
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '-');
    let inside = name.strip_prefix('<').and_then(|name| name.strip_suffix('>')).unwrap_or(name);
    // `.class` is the class object; `this$0` is an ordinary field.
    if name != "class" && !inside.is_empty() && inside.chars().all(is_plain) {
        format!(".{name}")
    } else {
        format!(".{}", quoted(name))
    }
}

/// The second object of a name is `name#2`.
pub(super) fn ordinal(name: String, nth: u64) -> String {
    if nth == 0 { name } else { format!("{name}#{}", nth + 1) }
}

/// The ordinal at an offset, counted from 0, and its end: `#2` is 1.
pub(super) fn ordinal_at(text: &str, at: usize) -> (u64, usize) {
    let Some(rest) = text.get(at..).and_then(|rest| rest.strip_prefix('#')) else { return (0, at) };
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    match rest[..digits].parse::<u64>() {
        Ok(n @ 1..) => (n - 1, at + 1 + digits),
        _ => (0, at),
    }
}

/// A class name without the address in names of hidden classes, which differs from run to run.
pub(super) fn class(name: &str) -> &str {
    let cut = name.find("/0x").or_else(|| name.find("+0x")).unwrap_or(name.len());
    // Arrays of hidden classes are shortened, too.
    if name.ends_with("[]") { name } else { &name[..cut] }
}

/// The name of a class with its ordinal, as the index of names has it, by a search of all classes.
pub(crate) fn class_name(heap: &Heap, id: ClassId) -> String {
    let name = class(&heap.classes.get(id).name);
    let is_same = |row: &Class| row.name.starts_with(name) && class(&row.name) == name;
    let before = heap.classes.iter().take_while(|(other, _)| *other != id).filter(|(_, row)| is_same(row)).count();
    ordinal(name.to_owned(), before as u64)
}

/// A method, `desk.Worker$$Lambda$3.run`, with its class written as [`class`] does.
pub(super) fn method(name: &str) -> String {
    let (of, simple) = name.rsplit_once('.').unwrap_or(("", name));
    format!("{}.{simple}", class(of))
}

/// Steps that repeat.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Run {
    unit: Vec<String>,
    times: u64,
}

/// A name under construction: start and steps. Repeated steps are counted on the fly, so that millions of them take
/// constant memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    start: String,
    runs: Vec<Run>,
    /// The omitted middle: number of runs before it, and of omitted steps.
    left_out: Option<(usize, u64)>,
}

impl Name {
    pub(super) fn starting(start: String) -> Self {
        Self { start, runs: Vec::new(), left_out: None }
    }

    /// Number of runs of equal steps.
    pub(super) fn runs(&self) -> usize {
        self.runs.len()
    }

    /// Appends a step.
    pub(super) fn push(&mut self, step: String) {
        if let Some(last) = self.runs.last_mut()
            && last.unit.len() == 1
            && last.unit[0] == step
        {
            last.times += 1;
            return;
        }
        self.runs.push(Run { unit: vec![step], times: 1 });
        for length in 2..=UNIT {
            self.fold(length);
        }
        if self.runs.len() > RUNS {
            let (at, steps) = self.left_out.unwrap_or((RUNS / 2, 0));
            let run = self.runs.remove(at);
            self.left_out = Some((at, steps + run.times * run.unit.len() as u64));
        }
    }

    /// Merges the last single steps into a preceding equal unit.
    fn fold(&mut self, length: usize) {
        let Some(tail) = self.runs.len().checked_sub(length) else { return };
        // Steps on both sides of a gap are not adjacent.
        if self.left_out.is_some_and(|(at, _)| tail <= at + length) {
            return;
        }
        let (before, last) = self.runs.split_at(tail);
        if last.iter().any(|run| run.times != 1 || run.unit.len() != 1) {
            return;
        }
        let repeats = |unit: &[String]| unit.iter().zip(last).all(|(step, run)| run.unit[0] == *step);
        if let Some(run) = before.last()
            && run.unit.len() == length
            && repeats(&run.unit)
        {
            self.runs.truncate(tail);
            if let Some(run) = self.runs.last_mut() {
                run.times += 1;
            }
            return;
        }
        // A unit is recognized after three repetitions as single steps.
        let Some(first) = tail.checked_sub(2 * length) else { return };
        let unit: Vec<String> = last.iter().map(|run| run.unit[0].clone()).collect();
        let again = |at: usize| {
            before[at..at + length].iter().zip(&unit).all(|(run, step)| run.times == 1 && run.unit == [step.as_str()])
        };
        if again(first) && again(first + length) {
            self.runs.truncate(first);
            self.runs.push(Run { unit, times: 3 });
        }
    }

    /// The text of the name.
    pub(super) fn text(&self) -> String {
        let mut out = self.start.clone();
        for (at, run) in self.runs.iter().enumerate() {
            if let Some((gap, steps)) = self.left_out
                && gap == at
            {
                let _ = write!(out, " …{} steps… ", Count(steps));
            }
            let unit = run.unit.concat();
            let _ = match (run.times, run.unit.len()) {
                (times @ 1..=2, _) => (0..times).try_for_each(|_| out.write_str(&unit)),
                (times, 1) => write!(out, "{unit}×{}", Count(times)),
                (times, _) => write!(out, "({unit})×{}", Count(times)),
            };
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(steps: impl IntoIterator<Item = &'static str>) -> String {
        let mut name = Name::starting("a.B.list".to_owned());
        steps.into_iter().for_each(|step| name.push(step.to_owned()));
        name.text()
    }

    #[test]
    fn repeated_steps_are_counted() {
        assert_eq!(written([".next", ".next"]), "a.B.list.next.next");
        assert_eq!(written(std::iter::repeat_n(".next", 1_234_567)), "a.B.list.next×1,234,567");
        let pairs = (0..10_000).map(|i| if i % 2 == 0 { ".cell" } else { ".tail" });
        assert_eq!(written(pairs), "a.B.list(.cell.tail)×5,000");
        let threes = (0..9).map(|i| [".a", ".b", ".c"][i % 3]);
        assert_eq!(written(threes.chain([".d"])), "a.B.list(.a.b.c)×3.d");
    }

    #[test]
    fn an_unordered_path_is_named_by_its_ends() {
        // Left or right by the digits of a number that never repeats.
        let steps = (0_u64..100_000).map(|i| {
            let mixed = (i ^ (i >> 7)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 61;
            [".a", ".b", ".c", ".d", ".e", ".f", ".g", ".h"][mixed as usize]
        });
        let text = written(steps);
        assert!(text.contains(" steps… ") && text.len() < 4_000, "{text}");
    }

    #[test]
    fn texts_stay_on_one_line() {
        assert_eq!(quoted("a\"b\\c\n\u{202e}"), r#""a\"b\\c\n\u{202e}""#);
        assert_eq!(quoted(&"x".repeat(61)), format!("\"{}…\"", "x".repeat(60)));
        assert_eq!(field("class"), ".\"class\"");
        assert_eq!(field("<resolved_references>"), ".<resolved_references>");
        assert_eq!(field("a b"), ".\"a b\"");
        assert_eq!(field(""), ".\"\"");
        assert_eq!(method("desk.Worker$$Lambda$3+0x00007f51fc006000.run"), "desk.Worker$$Lambda$3.run");
    }
}
