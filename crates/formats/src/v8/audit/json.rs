//! The bytes of a snapshot as JSON: members of the outermost object, strings of the table, numbers.

use std::ops::Range;

/// Walk over the members of the outermost object.
pub(super) struct Members<'a> {
    file: &'a [u8],
    at: usize,
    is_closed: bool,
}

fn skip_space(file: &[u8], mut at: usize) -> usize {
    while file.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    at
}

/// End of the string that begins at an offset with its quote.
fn string_end(file: &[u8], at: usize) -> Option<usize> {
    (file.get(at) == Some(&b'"')).then_some(())?;
    let mut at = at + 1;
    loop {
        at += memchr::memchr2(b'"', b'\\', file.get(at..)?)?;
        if file.get(at) == Some(&b'"') {
            return Some(at + 1);
        }
        at += 2;
    }
}

/// End of the value that begins at an offset.
fn value_end(file: &[u8], mut at: usize) -> Option<usize> {
    let mut depth = 0_u64;
    loop {
        match file.get(at)? {
            b'"' => at = string_end(file, at)?,
            b'[' | b'{' => {
                depth += 1;
                at += 1;
            }
            b']' | b'}' => {
                depth = depth.checked_sub(1)?;
                at += 1;
            }
            b',' if depth == 0 => return Some(at),
            _ => at += 1,
        }
        if depth == 0 && matches!(file.get(at), Some(b',' | b'}') | None) {
            return Some(at);
        }
        if depth == 0 {
            let next = skip_space(file, at);
            if matches!(file.get(next), Some(b',' | b'}') | None) {
                return Some(at);
            }
        }
    }
}

impl<'a> Members<'a> {
    /// Starts after the opening bracket.
    pub(super) fn new(file: &'a [u8]) -> Option<Self> {
        let at = skip_space(file, if file.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 });
        (file.get(at) == Some(&b'{')).then_some(Self { file, at: at + 1, is_closed: false })
    }

    /// Key and range of the value of the next member.
    pub(super) fn member(&mut self) -> Option<(&'a [u8], Range<usize>)> {
        let mut at = skip_space(self.file, self.at);
        while self.file.get(at) == Some(&b',') {
            at = skip_space(self.file, at + 1);
        }
        self.at = at;
        if self.file.get(at) == Some(&b'}') {
            (self.at, self.is_closed) = (at + 1, true);
            return None;
        }
        let end = string_end(self.file, at)?;
        let key = self.file.get(at + 1..end - 1)?;
        let colon = skip_space(self.file, end);
        (self.file.get(colon) == Some(&b':')).then_some(())?;
        let start = skip_space(self.file, colon + 1);
        self.at = value_end(self.file, start)?;
        Some((key, start..self.at))
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Offset behind the object; `None` if it was not read to its end.
    pub(super) fn end(&self) -> Option<usize> {
        self.is_closed.then_some(self.at)
    }
}

/// Ranges of the strings of the table.
pub(super) struct StringTable {
    ranges: Vec<Range<usize>>,
}

impl StringTable {
    /// Reads a list of strings; `None` if there is anything else in it.
    pub(super) fn read(file: &[u8], range: Range<usize>) -> Option<Self> {
        let list = file.get(..range.end)?;
        (list.get(range.start) == Some(&b'[')).then_some(())?;
        let (mut at, mut ranges) = (range.start + 1, Vec::new());
        loop {
            at = skip_space(list, at);
            match list.get(at)? {
                // Nothing else may be behind the list.
                b']' => return (at + 1 == list.len()).then_some(Self { ranges }),
                b',' => at += 1,
                _ => {
                    let end = string_end(list, at)?;
                    ranges.push(at + 1..end - 1);
                    at = end;
                }
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.ranges.len()
    }

    /// A string as in the file.
    pub(super) fn raw<'a>(&self, file: &'a [u8], string: usize) -> Option<&'a [u8]> {
        file.get(self.ranges.get(string)?.clone())
    }
}

/// Numbers of a section as readers see them: between commas, where whitespace is no end of a number. A sign ends one.
pub(super) struct NumberList<'a>(Option<&'a [u8]>);

impl<'a> NumberList<'a> {
    /// Numbers of a list, with its brackets.
    pub(super) fn new(section: &'a [u8]) -> Self {
        Self(Some(section))
    }
}

impl Iterator for NumberList<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let is_gap = |byte: &u8| byte.is_ascii_whitespace() || matches!(*byte, b'[' | b']');
        let rest = self.0.take()?;
        let (number, more) = match memchr::memchr(b',', rest) {
            Some(comma) => (rest.get(..comma)?, rest.get(comma + 1..)),
            None => (rest, None),
        };
        self.0 = more;
        // A number that is not there is zero, except behind the last comma.
        if more.is_none() && number.iter().all(is_gap) {
            return None;
        }
        let digits = number.iter().filter(|&byte| !is_gap(byte)).take_while(|byte| byte.is_ascii_digit());
        Some(digits.fold(0_u64, |number, digit| number.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_between_commas() {
        let read = |text: &str| NumberList::new(text.as_bytes()).collect::<Vec<u64>>();
        assert_eq!(read("[1,\n2\n3\n,,-4, ,5-6]"), [1, 23, 0, 0, 0, 5]);
        assert_eq!(read("[7,]"), [7]);
        assert!(read("[\n]").is_empty() && read("").is_empty());
    }
}
