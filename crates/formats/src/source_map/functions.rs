//! Functions of a script, and where it names variables. The script is split into words, literals and brackets, without a
//! grammar: parameters and body of a function are a pair of parentheses before a brace or an arrow. Of a script that
//! cannot be followed this way nothing is known.

use std::hash::Hasher;

use rustc_hash::FxHasher;

/// No function around.
pub(super) const SCRIPT: u32 = u32::MAX;
/// Words before parentheses and a brace that are no function.
const CONTROL: [&[u8]; 6] = [b"if", b"for", b"while", b"switch", b"with", b"await"];
/// Words before which a slash begins a regular expression.
const OPERATORS: [&[u8]; 15] = [
    b"return",
    b"typeof",
    b"case",
    b"in",
    b"of",
    b"delete",
    b"void",
    b"throw",
    b"new",
    b"instanceof",
    b"else",
    b"do",
    b"yield",
    b"await",
    b"default",
];

/// A function, from its parameters to the end of its body. `catch` with its block counts as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Function {
    pub(super) start: u32,
    pub(super) end: u32,
    /// Index of the function around; [`SCRIPT`] if there is none.
    pub(super) parent: u32,
}

/// A word that may name a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Word {
    hash: u32,
    at: u32,
}

/// A class, from the word `class` to the end of its body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Class {
    start: u32,
    end: u32,
}

/// Functions, classes and words of a script.
#[derive(Debug, Default)]
pub(super) struct Syntax {
    /// Ascending by start; functions around others first.
    functions: Vec<Function>,
    /// Ascending.
    classes: Vec<Class>,
    /// Ascending.
    words: Vec<Word>,
}

impl Syntax {
    /// Finds functions and words; `None` if brackets or literals do not match.
    pub(super) fn of(text: &str) -> Option<Self> {
        let mut scan = Scan {
            text: text.as_bytes(),
            at: 0,
            last: Last::Start,
            open: Vec::new(),
            class: None,
            syntax: Self::default(),
        };
        scan.run()?;
        let mut syntax = scan.syntax;
        syntax.words.sort_unstable();
        syntax.classes.sort_unstable();
        syntax.functions.sort_unstable_by_key(|function| (function.start, std::cmp::Reverse(function.end)));
        let mut around: Vec<(u32, u32)> = Vec::new();
        for (index, function) in syntax.functions.iter_mut().enumerate() {
            while around.last().is_some_and(|&(_, end)| end <= function.start) {
                around.pop();
            }
            function.parent = around.last().map_or(SCRIPT, |&(index, _)| index);
            around.push((u32::try_from(index).ok()?, function.end));
        }
        Some(syntax)
    }

    /// Bytes at which a word is, outside of literals and of names of properties.
    pub(super) fn uses<'a>(&'a self, text: &'a str, word: &'a str) -> impl Iterator<Item = u32> + 'a {
        let hash = hash(word.as_bytes());
        let begin = self.words.partition_point(|other| other.hash < hash);
        let same = self.words.get(begin..).unwrap_or_default().iter().take_while(move |other| other.hash == hash);
        same.map(|word| word.at).filter(move |&at| {
            let rest = text.as_bytes().get(at as usize..).and_then(|rest| rest.strip_prefix(word.as_bytes()));
            rest.is_some_and(|rest| !rest.first().is_some_and(|&byte| is_word(byte)))
        })
    }

    /// The innermost function around a byte; [`SCRIPT`] if there is none.
    pub(super) fn around(&self, at: u32) -> u32 {
        let before = self.functions.partition_point(|function| function.start <= at);
        let mut index = before.checked_sub(1).and_then(|index| u32::try_from(index).ok()).unwrap_or(SCRIPT);
        while let Some(function) = self.function(index).filter(|function| function.end <= at) {
            index = function.parent;
        }
        index
    }

    /// The word `class` of the innermost class around a byte.
    pub(super) fn class_around(&self, at: u32) -> Option<u32> {
        let before = self.classes.partition_point(|class| class.start <= at);
        let mut around = self.classes.get(..before)?.iter().rev();
        around.find(|class| class.end > at).map(|class| class.start)
    }

    /// A function by its index.
    pub(super) fn function(&self, index: u32) -> Option<Function> {
        self.functions.get(index as usize).copied()
    }
}

fn hash(word: &[u8]) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write(word);
    (hasher.finish() >> 32) as u32
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'#' | b'\\' | 0x80..)
}

/// What is open.
#[derive(Clone, Copy)]
enum Open {
    Parenthesis {
        start: u32,
        is_control: bool,
    },
    Bracket,
    /// A block or an object; with the start of the function whose body it is.
    Brace(Option<u32>),
    /// Body of a class, with the start of its word `class`.
    Class(u32),
    /// Expression in a template.
    Hole,
    /// Body of an arrow function without braces, with the start of the function.
    Arrow(u32),
}

/// What was read last.
#[derive(Clone, Copy)]
enum Last {
    Start,
    Word { start: u32, end: u32, is_property: bool },
    Literal,
    Parenthesis { start: u32, is_control: bool },
    Arrow(u32),
    Sign(u8),
}

struct Scan<'a> {
    text: &'a [u8],
    at: usize,
    last: Last,
    open: Vec<Open>,
    /// The last word `class`, and how much was open there.
    class: Option<(u32, usize)>,
    syntax: Syntax,
}

impl Scan<'_> {
    fn peek(&self, ahead: usize) -> Option<u8> {
        self.text.get(self.at + ahead).copied()
    }

    /// The position. A text has less than 4 GB.
    fn offset(&self) -> u32 {
        u32::try_from(self.at).unwrap_or(u32::MAX)
    }

    fn run(&mut self) -> Option<()> {
        if self.text.starts_with(b"#!") {
            self.skip_line();
        }
        while let Some(byte) = self.peek(0) {
            match (byte, self.peek(1)) {
                (b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c, _) => self.at += 1,
                (b'/', Some(b'/')) => self.skip_line(),
                (b'/', Some(b'*')) => {
                    let rest = self.text.get(self.at + 2..)?;
                    self.at += memchr::memmem::find(rest, b"*/")? + 4;
                }
                _ => self.token(byte)?,
            }
        }
        self.close_arrows();
        self.open.is_empty().then_some(())
    }

    fn skip_line(&mut self) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        self.at += memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
    }

    fn token(&mut self, byte: u8) -> Option<()> {
        if let Last::Arrow(start) = self.last
            && byte != b'{'
        {
            self.open.push(Open::Arrow(start));
            self.last = Last::Sign(b'>');
        }
        match byte {
            b'"' | b'\'' => self.string(byte),
            b'`' => {
                self.at += 1;
                self.template()
            }
            b'0'..=b'9' => {
                while self.peek(0).is_some_and(|byte| is_word(byte) || byte == b'.') {
                    self.at += 1;
                }
                self.last = Last::Literal;
                Some(())
            }
            _ if is_word(byte) => self.word(),
            b'/' if self.begins_pattern() && self.pattern().is_some() => Some(()),
            b'(' | b'[' | b'{' => self.opened(byte),
            b')' | b']' | b'}' => self.closed(byte),
            _ => {
                self.sign(byte);
                Some(())
            }
        }
    }

    fn word(&mut self) -> Option<()> {
        let start = self.at;
        while self.peek(0).is_some_and(is_word) {
            self.at += 1;
        }
        let is_property = matches!(self.last, Last::Sign(b'.'));
        let text = self.text.get(start..self.at)?;
        let (start, end) = (u32::try_from(start).ok()?, self.offset());
        let next = self.text.get(self.at..)?.iter().find(|byte| !byte.is_ascii_whitespace());
        // The key of an object. A variable before the colon of a condition is lost with them.
        if !is_property && next != Some(&b':') {
            self.syntax.words.push(Word { hash: hash(text), at: start });
        }
        if text == b"class" && !is_property && next != Some(&b':') {
            self.class = Some((start, self.open.len()));
        }
        self.last = Last::Word { start, end, is_property };
        Some(())
    }

    fn string(&mut self, quote: u8) -> Option<()> {
        loop {
            self.at += 1;
            match self.peek(0)? {
                b'\\' => self.at += 1,
                b'\n' => return None,
                byte if byte == quote => break,
                _ => {}
            }
        }
        self.at += 1;
        self.last = Last::Literal;
        Some(())
    }

    /// The text of a template, up to its end or to an expression in it.
    fn template(&mut self) -> Option<()> {
        loop {
            match (self.peek(0)?, self.peek(1)) {
                (b'`', _) => {
                    self.at += 1;
                    self.last = Last::Literal;
                    return Some(());
                }
                (b'$', Some(b'{')) => {
                    self.at += 2;
                    self.open.push(Open::Hole);
                    self.last = Last::Sign(b'{');
                    return Some(());
                }
                (b'\\', _) => self.at += 2,
                _ => self.at += 1,
            }
        }
    }

    /// True if a slash is not a division.
    fn begins_pattern(&self) -> bool {
        match self.last {
            Last::Start | Last::Arrow(_) => true,
            Last::Word { start, end, is_property } => {
                let word = self.text.get(start as usize..end as usize).unwrap_or_default();
                !is_property && OPERATORS.contains(&word)
            }
            Last::Literal => false,
            Last::Parenthesis { is_control, .. } => is_control,
            Last::Sign(sign) => sign != b']',
        }
    }

    /// A regular expression; `None` if it does not end in its line, so that it is none.
    fn pattern(&mut self) -> Option<()> {
        let (mut at, mut is_class) = (self.at, false);
        loop {
            at += 1;
            match self.text.get(at)? {
                b'\\' => at += 1,
                b'\n' => return None,
                b'[' => is_class = true,
                b']' => is_class = false,
                b'/' if !is_class => break,
                _ => {}
            }
        }
        self.at = at + 1;
        while self.peek(0).is_some_and(is_word) {
            self.at += 1;
        }
        self.last = Last::Literal;
        Some(())
    }

    fn sign(&mut self, byte: u8) {
        let start = self.offset();
        match (byte, self.peek(1), self.peek(2)) {
            (b'=', Some(b'>'), _) => {
                let start = match self.last {
                    Last::Parenthesis { start, .. } | Last::Word { start, .. } => start,
                    _ => start,
                };
                self.last = Last::Arrow(start);
                self.at += 2;
                return;
            }
            (b'.', Some(b'.'), Some(b'.')) => {
                self.last = Last::Sign(b',');
                self.at += 3;
                return;
            }
            (b'+' | b'-', Some(second), _) if second == byte => {
                // After a value it is part of it, and a slash divides.
                if !matches!(self.last, Last::Word { .. } | Last::Literal | Last::Parenthesis { .. } | Last::Sign(b']'))
                {
                    self.last = Last::Sign(byte);
                }
                self.at += 2;
                return;
            }
            (b',' | b';', ..) => self.close_arrows(),
            _ => {}
        }
        self.last = Last::Sign(byte);
        self.at += 1;
    }

    fn opened(&mut self, byte: u8) -> Option<()> {
        let start = self.offset();
        let class = self.class.filter(|&(_, depth)| byte == b'{' && depth == self.open.len());
        if let Some((start, _)) = class {
            self.class = None;
            self.open.push(Open::Class(start));
            self.last = Last::Sign(byte);
            self.at += 1;
            return Some(());
        }
        self.open.push(match (byte, self.last) {
            (b'(', Last::Word { start: word, end, is_property }) => {
                let word = self.text.get(word as usize..end as usize)?;
                Open::Parenthesis { start, is_control: !is_property && CONTROL.contains(&word) }
            }
            (b'(', _) => Open::Parenthesis { start, is_control: false },
            (b'[', _) => Open::Bracket,
            (_, Last::Parenthesis { start, is_control: false } | Last::Arrow(start)) => Open::Brace(Some(start)),
            _ => Open::Brace(None),
        });
        self.last = Last::Sign(byte);
        self.at += 1;
        Some(())
    }

    fn closed(&mut self, byte: u8) -> Option<()> {
        self.close_arrows();
        self.at += 1;
        self.last = Last::Sign(byte);
        match (byte, self.open.pop()?) {
            (b')', Open::Parenthesis { start, is_control }) => self.last = Last::Parenthesis { start, is_control },
            (b']', Open::Bracket) | (b'}', Open::Brace(None)) => {}
            (b'}', Open::Brace(Some(start))) => self.function(start),
            (b'}', Open::Class(start)) => self.syntax.classes.push(Class { start, end: self.offset() }),
            (b'}', Open::Hole) => return self.template(),
            _ => return None,
        }
        Some(())
    }

    /// Ends the arrow functions whose body ends here.
    fn close_arrows(&mut self) {
        while let Some(&Open::Arrow(start)) = self.open.last() {
            self.open.pop();
            self.function(start);
        }
    }

    fn function(&mut self, start: u32) {
        self.syntax.functions.push(Function { start, end: self.offset(), parent: SCRIPT });
    }
}
