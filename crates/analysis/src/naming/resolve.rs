//! Resolves a name to its object, or reports the part that does not resolve and the available alternatives.

use std::fmt;

use super::index::NO_OBJECT;
use super::namer::Namer;
use super::spelling::{field, ordinal_at};
use super::starts::BOOTSTRAP;
use heaplens_base::{Cancelled, Count, Task};
use heaplens_heap::{ObjectId, shown_names};

/// Maximum length of a name in bytes.
const LONGEST: usize = 1 << 16;
/// Maximum number of alternatives offered.
const OFFERED: usize = 8;
/// Maximum number of characters shown of an invalid step.
const SHOWN: usize = 40;

/// Reasons why a name does not resolve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unresolved {
    /// The task was cancelled.
    Cancelled,
    /// The start does not resolve or the text is not a name, with the reason.
    NotFound(String),
    /// A prefix resolves to an object that has no such step.
    Partly {
        /// The object of the prefix.
        object: ObjectId,
        /// The prefix as written.
        name: String,
        /// The missing step and the alternatives.
        why: String,
    },
}

impl fmt::Display for Unresolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cancelled => f.write_str("cancelled"),
            Self::NotFound(why) => f.write_str(why),
            Self::Partly { name, why, .. } => write!(f, "{name} {why}"),
        }
    }
}

impl std::error::Error for Unresolved {}

impl From<Cancelled> for Unresolved {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

/// One step as text without its ordinal, and the ordinal, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) text: &'a str,
    pub(crate) ordinal: u64,
}

/// Target of a name.
pub(crate) struct ResolvedName<'a> {
    pub(crate) object: ObjectId,
    /// The last step, and the object it starts from.
    pub(crate) last: Option<(ObjectId, Token<'a>)>,
}

impl Namer<'_> {
    /// The object of a name as [`Namer::name`] writes it. `.class` after a class may be omitted, and `*3` is accepted
    /// for `×3`.
    ///
    /// # Errors
    /// [`Unresolved`] if nothing has this name, or the task is cancelled.
    pub fn resolve(&self, text: &str, task: &Task) -> Result<ObjectId, Unresolved> {
        let text = text.trim();
        if text.len() > LONGEST {
            let (length, most) = (Count(text.len() as u64), Count(LONGEST as u64));
            return Err(Unresolved::NotFound(format!("the name is {length} bytes long, the maximum is {most}")));
        }
        let start = self.start_of(text)?;
        self.walk(text, start, task).map(|end| end.object)
    }

    /// Follows the steps of a name from the object of its prefix, which has this length.
    pub(crate) fn walk<'t>(
        &self,
        text: &'t str,
        (mut at, length): (ObjectId, usize),
        task: &Task,
    ) -> Result<ResolvedName<'t>, Unresolved> {
        let mut reader = Reader { text, at: length };
        let mut last = None;
        while !reader.is_done() {
            let begins = reader.at;
            if reader.rest().starts_with(" …") {
                let why = "the name is abbreviated: use the id of the object instead";
                return Err(Unresolved::NotFound(why.to_owned()));
            }
            let Some((unit, times)) = reader.unit() else {
                return self.not_read(at, text, begins, task).map(|object| ResolvedName { object, last });
            };
            if times > self.heap.len() as u64 {
                return Err(Unresolved::NotFound(format!("{times} steps exceed the number of objects")));
            }
            for done in 0..times {
                task.checkpoint()?;
                for &token in &unit {
                    let next = self.follow(at, &token, task)?;
                    last = Some((at, token));
                    at = next.map_or_else(|| self.missing(at, &token, &text[..begins], (done, times), task), Ok)?;
                }
            }
        }
        Ok(ResolvedName { object: at, last })
    }

    /// The starting object of a name, and the length of that part.
    pub(crate) fn start_of(&self, text: &str) -> Result<(ObjectId, usize), Unresolved> {
        let missing = |why: String| Err(Unresolved::NotFound(why));
        if text.starts_with(BOOTSTRAP) {
            let bootstrap = self.heap.at(NO_OBJECT).map(|loader| (loader, BOOTSTRAP.len()));
            return bootstrap.map_or_else(|| missing(format!("no {BOOTSTRAP} in this dump")), Ok);
        }
        if let Some(rest) = text.strip_prefix("thread ").filter(|rest| rest.starts_with('"')) {
            let Some(length) = quotes(rest) else { return missing(format!("no closing quote in {text}")) };
            let (_, end) = ordinal_at(text, "thread ".len() + length);
            let name = &text[..end];
            let bootstrap = self.index.thread(name).map(|thread| (thread, end));
            return bootstrap.map_or_else(|| missing(format!("no {name}; see the threads of the dump")), Ok);
        }
        if let Some(start) = self.index.anchors.start(text) {
            return Ok(start);
        }
        if let Some(rest) = text.strip_prefix("root <") {
            let Some(length) = rest.find('>') else { return missing(format!("no closing > in {text}")) };
            let (nth, end) = ordinal_at(text, "root <".len() + length + 1);
            let (bootstrap, count) = self.index.root(self.heap, &rest[..length], nth);
            let why = || format!("no {}: there are {count} of these", &text[..end]);
            return bootstrap.map_or_else(|| missing(why()), |root| Ok((root, end)));
        }
        let Some((class, length)) = self.class_prefix(text).or_else(|| self.short_class_prefix(text)) else {
            return missing(format!("no class {}{}", class_part(text), self.classes_like(text)));
        };
        let Some(object) = self.heap.classes.get(class).object else {
            return missing(format!("the class object of {} is not in the dump", &text[..length]));
        };
        let rest = &text[length..];
        let explicit = rest.strip_prefix(".class").filter(|rest| !rest.starts_with(is_plain));
        Ok((object, length + if explicit.is_some() { ".class".len() } else { 0 }))
    }

    fn follow(&self, from: ObjectId, token: &Token<'_>, task: &Task) -> Result<Option<ObjectId>, Cancelled> {
        if token.text.starts_with(['[', '{']) && self.is_collection(from) {
            return Ok(self.entry(from, token.text, token.ordinal, task)?.map(|entry| entry.object));
        }
        Ok(self.child(from, token.text, token.ordinal))
    }

    /// Error for text after an object that is not a step, or only part of one.
    fn not_read(&self, from: ObjectId, text: &str, at: usize, task: &Task) -> Result<ObjectId, Unresolved> {
        let end = text[at..].char_indices().nth(SHOWN).map_or(text.len(), |(length, _)| at + length);
        let (name, rest) = (&text[..at], &text[at..end]);
        if rest.starts_with(['.', '[', '{']) {
            return self.missing(from, &Token { text: rest, ordinal: 0 }, name, (0, 1), task);
        }
        let why = format!(
            "continues with {rest}, which is not a step of a name: write .field, [index], [\"key\"] or {{element}}"
        );
        Err(Unresolved::Partly { object: from, name: name.to_owned(), why })
    }

    /// Error for a step that an object does not have, with those it has.
    fn missing(
        &self,
        from: ObjectId,
        token: &Token<'_>,
        so_far: &str,
        (done, times): (u64, u64),
        task: &Task,
    ) -> Result<ObjectId, Unresolved> {
        let class = self.heap.classes.of_object(from);
        let what = class.map_or_else(|| self.index.class(self.heap, self.heap.class_id(from)), |_| "class".to_owned());
        let wanted = token.text;
        let ordinal = if token.ordinal == 0 { String::new() } else { format!("#{}", token.ordinal + 1) };
        let after = if times > 1 { format!(", after {done} of {times} steps") } else { String::new() };
        let mut there: Vec<String> = if self.is_collection(from) && wanted.starts_with(['[', '{']) {
            self.some_keys(from, OFFERED as u64 + 1, task)?
        } else if let Some(length) = self.contents.array_length(self.heap, from) {
            vec![Count(length).of("element", "elements")]
        } else {
            let fields = self.fields(from);
            let shown = shown_names(&fields).into_iter().zip(&fields);
            let there = shown.filter(|(_, f)| f.value.object().is_some()).map(|(name, _)| field(&name));
            there.chain(self.locals(from).into_iter().map(|(name, _)| name)).collect()
        };
        let instead = likeliest(&mut there, wanted);
        let why = format!("({what}) has no {wanted}{ordinal}{after}; it has {instead}");
        Err(Unresolved::Partly { object: from, name: so_far.to_owned(), why })
    }

    /// Classes with similar names.
    pub(super) fn classes_like(&self, text: &str) -> String {
        let simple = |name: &str| name.rsplit('.').next().unwrap_or(name).to_lowercase();
        let parts: Vec<String> = class_part(text).split('.').map(str::to_lowercase).collect();
        let mut like: Vec<&str> =
            self.index.class_names().filter(|name| parts.iter().any(|part| *part == simple(name))).collect();
        if like.is_empty() {
            let start = |name: &str| name.to_lowercase().starts_with(&format!("{}.", parts[0]));
            like = self.index.class_names().filter(|name| start(name)).collect();
        }
        let wanted = parts.join(".");
        let alike = |name: &str| name.to_lowercase().chars().zip(wanted.chars()).take_while(|(a, b)| a == b).count();
        like.sort_unstable_by_key(|&name| (std::cmp::Reverse(alike(name)), name));
        like.truncate(OFFERED);
        if like.is_empty() { String::new() } else { format!("; similar classes: {}", like.join(", ")) }
    }
}

/// The alternatives in one line, those with the longest common prefix first.
pub(crate) fn likeliest(there: &mut Vec<String>, wanted: &str) -> String {
    let alike = |name: &str| name.chars().zip(wanted.chars()).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
    there.sort_by_key(|name| std::cmp::Reverse(alike(name)));
    there.dedup();
    let more = if there.len() > OFFERED { ", …" } else { "" };
    there.truncate(OFFERED);
    if there.is_empty() { "nothing".to_owned() } else { there.join(", ") + more }
}

/// The prefix of a text that can be part of a class name.
pub(super) fn class_part(text: &str) -> &str {
    &text[..text.find(['[', '{', '(', '"', '×', '*']).unwrap_or(text.len())]
}

fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '-')
}

/// Length of a leading quoted string, quotes included.
fn quotes(text: &str) -> Option<usize> {
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|&(_, c)| {
        let max_listed_at_end = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        max_listed_at_end
    });
    end.map(|(at, _)| at + 1)
}

/// Reads steps.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn is_done(&self) -> bool {
        self.at >= self.text.len()
    }

    /// Steps with their repetition counts.
    fn unit(&mut self) -> Option<(Vec<Token<'a>>, u64)> {
        let mut unit = Vec::new();
        if self.rest().starts_with('(') {
            self.at += 1;
            while !self.rest().starts_with(')') {
                unit.push(self.token()?);
            }
            self.at += 1;
        } else {
            unit.push(self.token()?);
        }
        let Some(rest) = self.rest().strip_prefix(['×', '*']) else { return Some((unit, 1)) };
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != ',').unwrap_or(rest.len());
        let times = rest[..digits].replace(',', "").parse().ok()?;
        self.at = self.text.len() - rest.len() + digits;
        Some((unit, times))
    }

    fn token(&mut self) -> Option<Token<'a>> {
        let rest = self.rest();
        let length = match rest.as_bytes() {
            [b'.', b'"', ..] => 1 + quotes(&rest[1..])?,
            [b'.', b'<', ..] => rest.find('>')? + 1,
            [b'.', ..] => {
                let name = &rest[1..];
                1 + name.find(|c| !is_plain(c)).unwrap_or(name.len())
            }
            [b'[' | b'{', ..] => brackets(rest)?,
            _ => return None,
        };
        if length < 2 {
            return None;
        }
        let (ordinal, end) = ordinal_at(self.text, self.at + length);
        self.at = end;
        Some(Token { text: &rest[..length], ordinal })
    }
}

/// Length of a leading bracketed part, brackets or braces included.
fn brackets(text: &str) -> Option<usize> {
    let (mut depth, mut at) = (0_u32, 0);
    while at < text.len() {
        let rest = &text[at..];
        let c = rest.chars().next()?;
        at += match c {
            '"' => quotes(rest)?,
            // A character literal has at least one character, even a quote: `'''`.
            '\'' => {
                let inside = rest.chars().nth(1)?.len_utf8();
                1 + inside + rest[1 + inside..].find('\'')? + 1
            }
            c => c.len_utf8(),
        };
        match c {
            '[' | '{' => depth += 1,
            ']' | '}' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    type Unit<'a> = (Vec<(&'a str, u64)>, u64);

    fn read(text: &str) -> Option<Vec<Unit<'_>>> {
        let mut reader = Reader { text, at: 0 };
        let mut units = Vec::new();
        while !reader.is_done() {
            let (unit, times) = reader.unit()?;
            units.push((unit.into_iter().map(|token| (token.text, token.ordinal)).collect(), times));
        }
        Some(units)
    }

    #[test]
    fn steps_are_distinguished() {
        assert_eq!(
            read(r#".a["x\"].]"]#2.<local of a.B.c: int[]>{']'}.n×1,000(.a.b)*3.this$0"#),
            Some(vec![
                (vec![(".a", 0)], 1),
                (vec![(r#"["x\"].]"]"#, 1)], 1),
                (vec![(".<local of a.B.c: int[]>", 0)], 1),
                (vec![("{']'}", 0)], 1),
                (vec![(".n", 0)], 1_000),
                (vec![(".a", 0), (".b", 0)], 3),
                (vec![(".this$0", 0)], 1),
            ])
        );
        assert_eq!(
            read("{'''}.é[-1L]"),
            Some(vec![(vec![("{'''}", 0)], 1), (vec![(".é", 0)], 1), (vec![("[-1L]", 0)], 1)])
        );
    }

    #[test]
    fn malformed_names_are_refused() {
        for text in [".", "[", "[\"x]", "{'", "x", "(.a", "(.a×2)×3", ".a×", ".\"", ".<x", "]", "…", "[']"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
