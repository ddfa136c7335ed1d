//! How names are written: quotes, ordinals, runs of equal steps. The resolver
//! never reads a text back: it writes what it finds the same way and compares.

use std::fmt::Write;

use crate::units::Count;

/// Characters of a text that a name shows.
pub(super) const SHOWN: usize = 60;
/// Runs of steps a name is made of at most; of a longer way only the ends are told.
const RUNS: usize = 400;
/// Steps in a unit that is found to repeat.
const UNIT: usize = 3;

/// `"text"`, on one line; of a long one the beginning and the length.
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

/// What would break the line, or turn it round.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// Whether a text is written whole by [`quoted`], so that equal writing means equal texts.
pub(super) fn is_whole(text: &str) -> bool {
    text.chars().nth(SHOWN).is_none()
}

/// The name of a field behind its dot; in quotes where it could be taken for something else. Where fields have numbers
/// alone (heapdumps of IBM) it is `[2]`, as an element is.
pub(super) fn field(name: &str) -> String {
    let number = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
    if number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())) {
        return name.to_owned();
    }
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '-');
    let inside = name.strip_prefix('<').and_then(|name| name.strip_suffix('>')).unwrap_or(name);
    // `.class` is the class object, and `this$0` a field like others.
    if name != "class" && !inside.is_empty() && inside.chars().all(is_plain) {
        format!(".{name}")
    } else {
        format!(".{}", quoted(name))
    }
}

/// The second thing of a name is `name#2`.
pub(super) fn ordinal(name: String, place: u64) -> String {
    if place == 0 { name } else { format!("{name}#{}", place + 1) }
}

/// A class name without what differs from run to run: the address in that of a hidden class.
pub(super) fn class(name: &str) -> &str {
    let cut = name.find("/0x").or_else(|| name.find("+0x")).unwrap_or(name.len());
    // An array of hidden classes is one all the same.
    if name.ends_with("[]") { name } else { &name[..cut] }
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

impl Run {
    fn is_single(&self, step: &str) -> bool {
        self.times == 1 && self.unit.len() == 1 && self.unit[0] == step
    }
}

/// A name in the making: where it begins, and the steps from there. Repeated
/// steps are counted as they come, so that five million of them take no room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    start: String,
    runs: Vec<Run>,
    /// Where the middle was given up: runs before it, and steps left out.
    left_out: Option<(usize, u64)>,
}

impl Name {
    pub(super) fn starting(start: String) -> Self {
        Self { start, runs: Vec::new(), left_out: None }
    }

    /// Goes on by a step.
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
            let gone = self.runs.remove(at);
            self.left_out = Some((at, steps + gone.times * gone.unit.len() as u64));
        }
    }

    /// Where the last single steps are a unit that came before, counts them to it.
    fn fold(&mut self, length: usize) {
        let Some(tail) = self.runs.len().checked_sub(length) else { return };
        // Steps on both sides of a gap do not follow each other.
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
        // A unit is found when it has come three times in single steps.
        let Some(first) = tail.checked_sub(2 * length) else { return };
        let unit: Vec<String> = last.iter().map(|run| run.unit[0].clone()).collect();
        let again = |at: usize| before[at..at + length].iter().zip(&unit).all(|(run, step)| run.is_single(step));
        if again(first) && again(first + length) {
            self.runs.truncate(first);
            self.runs.push(Run { unit, times: 3 });
        }
    }

    /// As people see it.
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
    fn steps_that_repeat_are_counted() {
        assert_eq!(written([".next", ".next"]), "a.B.list.next.next");
        assert_eq!(written(std::iter::repeat_n(".next", 1_234_567)), "a.B.list.next×1,234,567");
        let pairs = (0..10_000).map(|i| if i % 2 == 0 { ".cell" } else { ".tail" });
        assert_eq!(written(pairs), "a.B.list(.cell.tail)×5,000");
        let threes = (0..9).map(|i| [".a", ".b", ".c"][i % 3]);
        assert_eq!(written(threes.chain([".d"])), "a.B.list(.a.b.c)×3.d");
    }

    #[test]
    fn a_way_without_order_is_told_by_its_ends() {
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
