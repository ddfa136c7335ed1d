//! Ranks how well a name matches the typed text. Pure: name and pattern in, rank out.
//!
//! The text may be the name, a prefix of it, the humps of its words (`HMN`, `sesCa`, `j.u.HM`), the beginning of any of
//! its words, a part of it, several of these in any order, separated by spaces, or just some of its letters in order;
//! ranked in this sequence.

use std::ops::Range;

/// Kind of match, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// The whole name.
    Exact,
    /// Beginning of the name.
    Prefix,
    /// Beginnings of words, from the first: `sesCa` for `SessionCache`.
    Humps,
    /// Beginnings of later words: `cach` for `SessionCache`.
    Words,
    /// A part of the name.
    Inside,
    /// All words that were typed, in any order.
    AnyOrder,
    /// All letters, in this order.
    Scattered,
}

/// Quality of a match; smaller is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fit {
    /// Kind of match.
    pub tier: Tier,
    /// Number of skipped words, or skipped letters in the last tier.
    pub skipped: u16,
}

/// A typed letter.
#[derive(Debug, Clone, Copy)]
struct TypedLetter {
    raw: char,
    lower: char,
    /// True if it begins a word: a capital letter, or one after a space.
    begins: bool,
}

/// A letter of a name.
#[derive(Debug, Clone, Copy)]
struct Letter {
    raw: char,
    lower: char,
    /// True if it begins a word.
    begins: bool,
    byte: usize,
    /// Number of words that begin up to this letter.
    words: u16,
}

/// Compares names with the typed text.
#[derive(Debug, Clone, Default)]
pub struct Matcher {
    typed: Vec<TypedLetter>,
    dotted: bool,
    mask: u64,
    /// A matcher for each word, if several were typed.
    each_word: Vec<Self>,
    // Buffers, reused so that a comparison does not allocate.
    name: Vec<Letter>,
    /// By typed letter and letter of the name: number of words skipped so far, and position of the previous letter.
    costs: Vec<(u16, u32)>,
    positions: Vec<usize>,
}

/// Maximum number of letters of a name that are compared: names in damaged files may have any length.
const MAX_LETTERS: usize = 400;
/// Maximum number of typed words that are matched one by one.
const MAX_WORDS: usize = 8;
const UNREACHABLE: u16 = u16::MAX;

fn lower(c: char) -> char {
    c.to_lowercase().next().unwrap_or(c)
}

fn is_separator(c: char) -> bool {
    matches!(c, '.' | '$' | '/')
}

/// Bit mask of the letters in a name, modulo 64. A text can match only if its bits are a subset.
pub fn mask(name: &str) -> u64 {
    name.chars().filter(|c| c.is_alphanumeric()).fold(0, |mask, c| mask | 1 << (u32::from(lower(c)) % 64))
}

impl Matcher {
    /// Matcher for a typed text.
    pub fn new(typed: &str) -> Self {
        let mut letters: Vec<TypedLetter> = Vec::new();
        let mut space = false;
        for raw in typed.trim().chars().take(MAX_LETTERS) {
            if raw.is_whitespace() {
                space = true;
                continue;
            }
            letters.push(TypedLetter { raw, lower: lower(raw), begins: space || raw.is_uppercase() });
            space = false;
        }
        let dotted = letters.iter().any(|t| is_separator(t.raw));
        let words = typed.split_whitespace().take(MAX_WORDS).map(Self::new);
        let each_word = if typed.trim().contains(char::is_whitespace) { words.collect() } else { Vec::new() };
        Self { mask: mask(typed), dotted, each_word, typed: letters, ..Self::default() }
    }

    /// True if nothing was typed, which matches nothing.
    pub fn is_empty(&self) -> bool {
        self.typed.is_empty()
    }

    /// True if a name with this mask can match at all.
    pub fn may_fit(&self, mask: u64) -> bool {
        self.mask & !mask == 0
    }

    /// Rank of a name. `own` is the byte offset of its simple name, after the package.
    pub fn fit(&mut self, name: &str, own: usize) -> Option<Fit> {
        self.positions.clear();
        if self.typed.is_empty() {
            return None;
        }
        self.read(name);
        let own_bytes = own;
        let own = self.name.iter().position(|l| l.byte >= own).unwrap_or(0);
        let inner = self.name.iter().rposition(|l| l.raw == '$').map_or(own, |at| (at + 1).max(own));
        let fit = |tier, skipped| Some(Fit { tier, skipped });
        // The whole name, or a prefix of it or of its innermost part.
        let mut demoted = None;
        for (start, skipped) in [(own, 0), (inner, 1), (0, 0)] {
            let begins = start != 0 || own == 0 || self.dotted;
            let is_complete = self.matches_at(start) && start + self.typed.len() == self.name.len();
            if !self.matches_at(start) || !(begins || is_complete) || (start == inner && inner == own && skipped > 0) {
                continue;
            }
            if self.capitals_agree(start) {
                self.positions.extend(start..start + self.typed.len());
                return fit(if is_complete { Tier::Exact } else { Tier::Prefix }, skipped);
            }
            demoted = demoted.or(Some(start));
        }
        let first = if self.dotted { 0 } else { own };
        if let Some(skipped) = self.humps(first, true) {
            return fit(Tier::Humps, skipped);
        }
        if let Some(skipped) = (inner > own).then(|| self.humps(inner, true)).flatten() {
            return fit(Tier::Humps, skipped + 1);
        }
        for (from, more) in [(own, 0), (0, 100)] {
            if let Some(skipped) = self.humps(from, false) {
                return fit(Tier::Words, skipped.saturating_add(more));
            }
        }
        let inside = (own..self.name.len()).chain(0..own).find(|&at| self.matches_at(at));
        if let Some(at) = demoted.or(inside) {
            self.positions.extend(at..at + self.typed.len());
            return fit(Tier::Inside, u16::from(at < own));
        }
        if let Some(skipped) = self.any_order(name, own_bytes) {
            return fit(Tier::AnyOrder, skipped);
        }
        let skipped = self.scattered(own).or_else(|| self.scattered(0));
        if skipped.is_none() {
            self.positions.clear();
        }
        fit(Tier::Scattered, skipped?)
    }

    /// Parts of the name that matched in the last [`Matcher::fit`].
    pub fn matched_parts(&self) -> Vec<Range<usize>> {
        let mut parts: Vec<Range<usize>> = Vec::new();
        for letter in self.positions.iter().filter_map(|&at| self.name.get(at)) {
            let end = letter.byte + letter.raw.len_utf8();
            match parts.last_mut() {
                Some(last) if last.end == letter.byte => last.end = end,
                _ => parts.push(letter.byte..end),
            }
        }
        parts
    }

    fn read(&mut self, name: &str) {
        self.name.clear();
        let mut letters = name.char_indices().take(MAX_LETTERS).peekable();
        let (mut before, mut words) = (' ', 0);
        while let Some((byte, raw)) = letters.next() {
            let next = letters.peek().map_or(' ', |&(_, c)| c);
            let begins = raw.is_alphanumeric()
                && (!before.is_alphanumeric()
                    || raw.is_uppercase() && (!before.is_uppercase() || next.is_lowercase())
                    || raw.is_numeric() && !before.is_numeric());
            // A step into a nested class counts more than one to the next word.
            words += u16::from(begins) + u16::from(raw == '$');
            self.name.push(Letter { raw, lower: lower(raw), begins, byte, words });
            before = raw;
        }
    }

    fn agree(typed: TypedLetter, letter: Letter) -> bool {
        typed.lower == letter.lower || typed.raw == '.' && is_separator(letter.raw)
    }

    /// True if the name contains the typed text at `start`, ignoring case.
    fn matches_at(&self, start: usize) -> bool {
        let rest = self.name.get(start..).unwrap_or(&[]);
        let spaced = self.typed.iter().skip(1).any(|t| t.begins && !t.raw.is_uppercase());
        !spaced && rest.len() >= self.typed.len() && self.typed.iter().zip(rest).all(|(&t, &l)| Self::agree(t, l))
    }

    /// True if typed capital letters are capital there: `SC` does not match `Scanner`.
    fn capitals_agree(&self, start: usize) -> bool {
        let pairs = self.typed.iter().zip(self.name.iter().skip(start)).skip(1);
        pairs.into_iter().all(|(t, l)| !t.raw.is_uppercase() || l.raw == t.raw)
    }

    /// Number of words skipped if the typed text consists of beginnings of words in order, from the letter `from` of
    /// the name on; else `None`. With `first`, the first word must be among them.
    fn humps(&mut self, from: usize, first: bool) -> Option<u16> {
        let (n, m) = (self.typed.len(), self.name.len());
        let before = from.checked_sub(1).map_or(0, |at| self.name[at].words);
        self.costs.clear();
        self.costs.resize(n * m, (UNREACHABLE, 0));
        for (i, &typed) in self.typed.iter().enumerate() {
            // Position of the previous letter that skips the fewest words up to here.
            let mut best: Option<(i32, u32)> = None;
            for p in from..m {
                let letter = self.name[p];
                let (row, above) = (i * m + p, (i.max(1) - 1) * m + p);
                let words = i32::from(letter.words);
                let mut cost = (UNREACHABLE, 0);
                if Self::agree(typed, letter) {
                    let separator = !typed.raw.is_alphanumeric();
                    let step = i32::from(letter.begins);
                    if i == 0 {
                        let skipped = letter.words - before - u16::from(letter.begins);
                        if letter.begins && !(first && skipped > 0) {
                            cost = (skipped, 0);
                        }
                    } else {
                        if let Some((base, at)) = best.filter(|_| letter.begins || separator) {
                            cost = ((base + words - step).clamp(0, i32::from(UNREACHABLE)) as u16, at);
                        }
                        let follows = p > from && (!typed.begins || letter.begins || typed.raw == letter.raw);
                        if follows && self.costs[above - 1].0 <= cost.0 && self.costs[above - 1].0 != UNREACHABLE {
                            cost = (self.costs[above - 1].0, p as u32 - 1);
                        }
                    }
                }
                self.costs[row] = cost;
                if i > 0 && self.costs[above].0 != UNREACHABLE {
                    let base = i32::from(self.costs[above].0) - words;
                    best = Some(best.filter(|&(known, _)| known <= base).unwrap_or((base, p as u32)));
                }
            }
        }
        let last = self.costs.get((n - 1) * m..).unwrap_or(&[]);
        let (end, &(cost, _)) =
            last.iter().enumerate().min_by_key(|(_, cost)| cost.0).filter(|(_, c)| c.0 != UNREACHABLE)?;
        self.positions.resize(n, 0);
        let mut at = end;
        for i in (0..n).rev() {
            self.positions[i] = at;
            at = self.costs[i * m + at].1 as usize;
        }
        Some(cost)
    }

    /// Number of words that only match inside of a word of the name, if each typed word matches by itself; else `None`.
    fn any_order(&mut self, name: &str, own: usize) -> Option<u16> {
        let (mut inside, mut positions) = (0, Vec::new());
        for word in &mut self.each_word {
            let fit = word.fit(name, own).filter(|fit| fit.tier < Tier::Scattered)?;
            inside += u16::from(fit.tier == Tier::Inside);
            positions.append(&mut word.positions);
        }
        positions.sort_unstable();
        positions.dedup();
        self.positions = positions;
        (!self.each_word.is_empty()).then_some(inside)
    }

    /// Number of letters in between if the name contains all typed letters in order; else `None`.
    fn scattered(&mut self, from: usize) -> Option<u16> {
        self.positions.clear();
        let mut at = from;
        for &typed in &self.typed {
            let rest = self.name.get(at..)?;
            at += rest.iter().position(|&l| Self::agree(typed, l))?;
            self.positions.push(at);
            at += 1;
        }
        let span = at - self.positions.first()? - self.typed.len();
        Some(span.min(usize::from(UNREACHABLE)) as u16)
    }
}

#[cfg(test)]
mod tests;
