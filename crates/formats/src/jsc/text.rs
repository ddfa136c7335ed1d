//! Walk over JSON text: enters objects and arrays, reads numbers and strings, skips other values. It ends where the
//! text is truncated or malformed.

use memchr::memchr2;

/// Maximum depth of a value that is skipped.
const DEPTH: u32 = 256;

pub(super) struct Json<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Json<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        Self { text, at: if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 } }
    }

    /// Offset of the next byte.
    pub(super) fn offset(&self) -> u64 {
        self.at as u64
    }

    /// Next byte that is not whitespace.
    pub(super) fn peek(&mut self) -> Option<u8> {
        let rest = self.text.get(self.at..)?;
        self.at += rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        self.text.get(self.at).copied()
    }

    /// Enters an object or array that begins here.
    pub(super) fn enter(&mut self, bracket: u8) -> bool {
        let is_here = self.peek() == Some(bracket);
        self.at += usize::from(is_here);
        is_here
    }

    /// True if another value follows before the closing bracket; moves past a comma. `None` if the text ends.
    pub(super) fn more(&mut self, bracket: u8) -> Option<bool> {
        match self.peek()? {
            b',' => {
                self.at += 1;
                self.peek().map(|next| next != bracket)
            }
            next if next == bracket => {
                self.at += 1;
                Some(false)
            }
            _ => Some(true),
        }
    }

    /// Next key of an object; moves to its value. `None` at the end.
    pub(super) fn key(&mut self) -> Option<&'a [u8]> {
        if !self.more(b'}')? {
            return None;
        }
        let key = self.string()?;
        self.enter(b':').then_some(key)
    }

    /// A string as in the text, without quotes and with its escapes.
    pub(super) fn string(&mut self) -> Option<&'a [u8]> {
        if !self.enter(b'"') {
            return None;
        }
        let begin = self.at;
        loop {
            let rest = self.text.get(self.at..)?;
            self.at += memchr2(b'"', b'\\', rest)?;
            if self.text.get(self.at) == Some(&b'"') {
                let string = self.text.get(begin..self.at);
                self.at += 1;
                return string;
            }
            self.at += 2;
        }
    }

    /// A whole number; a negative one is 0. `None` for other values, and if the text ends after a digit.
    pub(super) fn number(&mut self) -> Option<u64> {
        self.peek()?;
        let rest = self.text.get(self.at..)?;
        let sign = usize::from(rest.first() == Some(&b'-'));
        let digits = rest.get(sign..)?.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let after = rest.get(sign + digits)?;
        if digits == 0 || matches!(after, b'.' | b'e' | b'E') {
            return None;
        }
        let value = rest.get(sign..sign + digits)?;
        self.at += sign + digits;
        let add = |value: u64, digit: &u8| value.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
        Some(if sign == 1 { 0 } else { value.iter().fold(0, add) })
    }

    /// Moves past any value.
    pub(super) fn skip(&mut self) -> Option<()> {
        let mut depth = 0;
        loop {
            match self.peek()? {
                b'"' => {
                    self.string()?;
                }
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                    if depth > DEPTH {
                        return None;
                    }
                    continue;
                }
                b'}' | b']' if depth > 0 => {
                    depth -= 1;
                    self.at += 1;
                }
                b',' | b':' if depth > 0 => {
                    self.at += 1;
                    continue;
                }
                b',' | b':' | b'}' | b']' => return None,
                _ => {
                    let rest = self.text.get(self.at..)?;
                    self.at += rest.iter().position(|byte| b",:]}\"{[ \t\r\n".contains(byte))?;
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
    use super::Json;

    #[test]
    fn values_are_read_and_skipped() {
        let mut json =
            Json::new(b"\xef\xbb\xbf{ \"a\" : [1, -2 ,3], \"b\":{\"x\":[[]],\"y\":\"}\\\"\"}, \"c\":true,\"d\":7}");
        assert!(json.enter(b'{'));
        assert_eq!(json.key(), Some(&b"a"[..]));
        let mut numbers = Vec::new();
        assert!(json.enter(b'['));
        while json.more(b']') == Some(true) {
            numbers.push(json.number());
        }
        assert_eq!(numbers, [Some(1), Some(0), Some(3)]);
        for key in [&b"b"[..], b"c"] {
            assert_eq!((json.key(), json.skip()), (Some(key), Some(())));
        }
        assert_eq!((json.key(), json.number(), json.key(), json.offset()), (Some(&b"d"[..]), Some(7), None, 64));
    }

    #[test]
    fn malformed_text_ends_the_walk() {
        assert_eq!(Json::new(b"12").number(), None);
        assert_eq!(Json::new(b"1.5,").number(), None);
        assert_eq!(Json::new(b"\"abc\\").string(), None);
        for text in [&b"["[..], b"[1", b"]", b"{\"a\":", b"tru", b""] {
            assert_eq!(Json::new(text).skip(), None, "{}", text.escape_ascii());
        }
        assert_eq!(Json::new(&[b'['; 1000]).skip(), None);
    }
}
