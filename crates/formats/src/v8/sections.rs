//! Sections of a snapshot file, in any order: a walk over the outermost object that skips unknown parts, and finds the
//! ends of arrays of numbers quickly.

use std::ops::Range;

use memchr::memchr;

/// One section: the range between its brackets, or the whole value.
#[derive(Debug, Clone, Default)]
pub(super) struct Section {
    pub(super) range: Range<usize>,
    /// True if it is complete; otherwise the file is truncated in it.
    pub(super) is_closed: bool,
}

/// Walk over the outermost object.
pub(super) struct Outline<'a> {
    file: &'a [u8],
    at: usize,
}

/// Arrays of numbers that may be very long and contain no strings.
const NUMBERS: [&[u8]; 8] = [
    b"nodes",
    b"edges",
    b"samples",
    b"locations",
    b"trace_function_infos",
    b"scopes",
    b"scope_context_vars",
    b"scope_uses",
];

/// True if a file looks like a snapshot: an object that begins with a known section.
pub(crate) fn recognises(file: &[u8]) -> bool {
    let Some(mut outline) = Outline::new(file) else { return false };
    match outline.key() {
        Some(b"snapshot" | b"trace_tree") => true,
        Some(b"strings") => outline.enter().is_some(),
        // Profiles have nodes that are objects.
        Some(key) if NUMBERS.contains(&key) => {
            outline.enter().is_some() && outline.peek().is_none_or(|byte| byte.is_ascii_digit() || byte == b']')
        }
        _ => false,
    }
}

impl<'a> Outline<'a> {
    /// Starts after the opening bracket; `None` if there is none.
    pub(super) fn new(file: &'a [u8]) -> Option<Self> {
        let mut outline = Self { file, at: if file.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 } };
        (outline.peek() == Some(b'{')).then(|| {
            outline.at += 1;
            outline
        })
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn go_to(&mut self, at: usize) {
        self.at = at;
    }

    /// Next byte that is not whitespace.
    fn peek(&mut self) -> Option<u8> {
        let rest = self.file.get(self.at..)?;
        self.at += rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        self.file.get(self.at).copied()
    }

    /// Name of the next section, as in the file; moves to its value. `None` at the end, and for other content.
    pub(super) fn key(&mut self) -> Option<&'a [u8]> {
        while self.peek()? == b',' {
            self.at += 1;
        }
        let key = self.string()?;
        if self.peek()? != b':' {
            return None;
        }
        self.at += 1;
        self.peek();
        Some(key)
    }

    /// Leaves the outermost object, whose last section was read; `None` if something else is here.
    pub(super) fn close(&mut self) -> Option<()> {
        (self.peek()? == b'}').then(|| self.at += 1)
    }

    /// Enters the array that begins here.
    pub(super) fn enter(&mut self) -> Option<()> {
        (self.peek()? == b'[').then(|| self.at += 1)
    }

    /// Skips the value of the section `key`.
    pub(super) fn value(&mut self, key: &[u8]) -> Section {
        let start = self.at;
        if NUMBERS.contains(&key) && self.enter().is_some() {
            let start = self.at;
            let end = memchr(b']', self.file.get(start..).unwrap_or_default());
            let inside = start..end.map_or(self.file.len(), |end| start + end);
            self.at = inside.end + 1;
            return Section { range: inside, is_closed: end.is_some() };
        }
        let is_closed = self.skip().is_some();
        self.at = self.at.min(self.file.len());
        Section { range: start..self.at, is_closed }
    }

    /// A string between its quotes.
    fn string(&mut self) -> Option<&'a [u8]> {
        if self.peek()? != b'"' {
            return None;
        }
        let start = self.at + 1;
        let mut at = start;
        loop {
            match self.file.get(at)? {
                b'"' => break,
                b'\\' => at += 2,
                _ => at += 1,
            }
        }
        self.at = at + 1;
        self.file.get(start..at)
    }

    /// Skips one value of any kind: brackets are counted, without recursion.
    fn skip(&mut self) -> Option<()> {
        let mut depth = 0_u64;
        loop {
            match self.peek()? {
                b'"' => {
                    self.string()?;
                }
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' => {
                    depth = depth.checked_sub(1)?;
                    self.at += 1;
                }
                _ => {
                    let rest = self.file.get(self.at..)?;
                    let is_plain = |byte: &u8| !matches!(byte, b'"' | b'{' | b'[' | b'}' | b']' | b',');
                    let plain = rest.iter().take_while(|byte| is_plain(byte)).count();
                    // Between two values of one bracket.
                    self.at += plain.max(1);
                }
            }
            if depth == 0 {
                return Some(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_found_in_any_order_and_unknown_ones_skipped() {
        let file = br#" {"unknown": {"a]": ["}", 1, {"b": "\""}]} , "nodes" : [1,
            2], "flag": true, "x":"]", "snapshot":{"meta":{}} } "#;
        let mut outline = Outline::new(file).unwrap();
        let mut sections = Vec::new();
        while let Some(key) = outline.key() {
            let section = outline.value(key);
            assert!(section.is_closed);
            sections.push((key.to_vec(), file[section.range].to_vec()));
        }
        let names: Vec<_> = sections.iter().map(|(key, _)| key.as_slice()).collect();
        assert_eq!(names, [b"unknown".as_slice(), b"nodes", b"flag", b"x", b"snapshot"]);
        assert_eq!(sections[4].1, br#"{"meta":{}}"#);
        assert!(sections[1].1.starts_with(b"1,"));
    }

    #[test]
    fn a_truncated_section_is_reported() {
        let file = br#"{"snapshot":{"meta":{"#;
        let mut outline = Outline::new(file).unwrap();
        let key = outline.key().unwrap();
        assert!(!outline.value(key).is_closed);
    }
}
