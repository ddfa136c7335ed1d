//! How well a name fits what was typed. Pure: a name and a pattern in, a rank out.
//!
//! What is typed may be the name, its beginning, the humps of its words (`HMN`, `sesCa`, `j.u.HM`), the beginning
//! of any of its words, a part of it, or just letters of it in their order; ranked in this sequence.

use std::ops::Range;

/// In which way a name fits, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// It is the name.
    Exact,
    /// The name begins so.
    Prefix,
    /// Beginnings of its words, from the first: `sesCa` for `SessionCache`.
    Humps,
    /// Beginnings of words further on: `cach` for `SessionCache`.
    Words,
    /// Somewhere inside.
    Inside,
    /// All letters are there in this order.
    Scattered,
}

/// How well a name fits; smaller is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fit {
    /// In which way.
    pub tier: Tier,
    /// Words, or in the last tier letters, that were passed over.
    pub skipped: u16,
}

/// A letter that was typed.
#[derive(Debug, Clone, Copy)]
struct Typed {
    raw: char,
    lower: char,
    /// It begins a word: a capital letter, or one behind a space.
    begins: bool,
}

/// A letter of a name.
#[derive(Debug, Clone, Copy)]
struct Letter {
    raw: char,
    lower: char,
    /// It begins a word.
    begins: bool,
    byte: usize,
    /// Words that begin before or with it.
    words: u16,
}

/// Compares names with what was typed.
#[derive(Debug, Clone, Default)]
pub struct Matcher {
    typed: Vec<Typed>,
    dotted: bool,
    mask: u64,
    // What one comparison leaves for the next, so that none allocates.
    name: Vec<Letter>,
    /// By letter typed and letter of the name: words passed over until there, and where the letter before stands.
    costs: Vec<(u16, u32)>,
    places: Vec<usize>,
}

/// Letters of a name that are looked at: names in damaged files may be of any length.
const LONGEST: usize = 400;
const NEVER: u16 = u16::MAX;

fn lower(c: char) -> char {
    c.to_lowercase().next().unwrap_or(c)
}

fn is_separator(c: char) -> bool {
    matches!(c, '.' | '$' | '/')
}

/// Which letters are in a name, as far as 64 bits can say: what is typed may be in it only if its own are.
pub fn mask(name: &str) -> u64 {
    name.chars().filter(|c| c.is_alphanumeric()).fold(0, |mask, c| mask | 1 << (u32::from(lower(c)) % 64))
}

impl Matcher {
    /// For what was typed.
    pub fn new(typed: &str) -> Self {
        let mut letters: Vec<Typed> = Vec::new();
        let mut space = false;
        for raw in typed.trim().chars().take(LONGEST) {
            if raw.is_whitespace() {
                space = true;
                continue;
            }
            letters.push(Typed { raw, lower: lower(raw), begins: space || raw.is_uppercase() });
            space = false;
        }
        let dotted = letters.iter().any(|t| is_separator(t.raw));
        Self { mask: mask(typed), dotted, typed: letters, ..Self::default() }
    }

    /// Whether nothing was typed, which fits nothing.
    pub fn is_empty(&self) -> bool {
        self.typed.is_empty()
    }

    /// Whether a name with these letters may fit at all.
    pub fn may_fit(&self, mask: u64) -> bool {
        self.mask & !mask == 0
    }

    /// How well a name fits whose own part begins at the byte `own`: behind its package, or 0.
    pub fn fit(&mut self, name: &str, own: usize) -> Option<Fit> {
        self.places.clear();
        if self.typed.is_empty() {
            return None;
        }
        self.read(name);
        let own = self.name.iter().position(|l| l.byte >= own).unwrap_or(0);
        let inner = self.name.iter().rposition(|l| l.raw == '$').map_or(own, |at| (at + 1).max(own));
        let fit = |tier, skipped| Some(Fit { tier, skipped });
        // The name, or how it or its innermost part begins.
        let mut demoted = None;
        for (start, skipped) in [(own, 0), (inner, 1), (0, 0)] {
            let begins = start != 0 || own == 0 || self.dotted;
            let whole = self.stands_at(start) && start + self.typed.len() == self.name.len();
            if !self.stands_at(start) || !(begins || whole) || (start == inner && inner == own && skipped > 0) {
                continue;
            }
            if self.capitals_agree(start) {
                self.places.extend(start..start + self.typed.len());
                return fit(if whole { Tier::Exact } else { Tier::Prefix }, skipped);
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
        let inside = (own..self.name.len()).chain(0..own).find(|&at| self.stands_at(at));
        if let Some(at) = demoted.or(inside) {
            self.places.extend(at..at + self.typed.len());
            return fit(Tier::Inside, u16::from(at < own));
        }
        let skipped = self.scattered(own).or_else(|| self.scattered(0));
        if skipped.is_none() {
            self.places.clear();
        }
        fit(Tier::Scattered, skipped?)
    }

    /// The parts of the name that the last [`Matcher::fit`] found what was typed in.
    pub fn found(&self) -> Vec<Range<usize>> {
        let mut parts: Vec<Range<usize>> = Vec::new();
        for letter in self.places.iter().filter_map(|&at| self.name.get(at)) {
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
        let mut letters = name.char_indices().take(LONGEST).peekable();
        let (mut before, mut words) = (' ', 0);
        while let Some((byte, raw)) = letters.next() {
            let next = letters.peek().map_or(' ', |&(_, c)| c);
            let begins = raw.is_alphanumeric()
                && (!before.is_alphanumeric()
                    || raw.is_uppercase() && (!before.is_uppercase() || next.is_lowercase())
                    || raw.is_numeric() && !before.is_numeric());
            // The way into a nested class is longer than to the next word.
            words += u16::from(begins) + u16::from(raw == '$');
            self.name.push(Letter { raw, lower: lower(raw), begins, byte, words });
            before = raw;
        }
    }

    fn agree(typed: Typed, letter: Letter) -> bool {
        typed.lower == letter.lower || typed.raw == '.' && is_separator(letter.raw)
    }

    /// Whether what was typed stands in the name from `start` on, in any case of letters.
    fn stands_at(&self, start: usize) -> bool {
        let rest = self.name.get(start..).unwrap_or(&[]);
        let spaced = self.typed.iter().skip(1).any(|t| t.begins && !t.raw.is_uppercase());
        !spaced && rest.len() >= self.typed.len() && self.typed.iter().zip(rest).all(|(&t, &l)| Self::agree(t, l))
    }

    /// Whether capital letters that were typed are capital there: `SC` does not mean `Scanner`.
    fn capitals_agree(&self, start: usize) -> bool {
        let pairs = self.typed.iter().zip(self.name.iter().skip(start)).skip(1);
        pairs.into_iter().all(|(t, l)| !t.raw.is_uppercase() || l.raw == t.raw)
    }

    /// Whether what was typed is beginnings of words in their order, from the letter `from` of the name on; then how
    /// many words lie between them. With `first` the first word must be among them.
    fn humps(&mut self, from: usize, first: bool) -> Option<u16> {
        let (n, m) = (self.typed.len(), self.name.len());
        let before = from.checked_sub(1).map_or(0, |at| self.name[at].words);
        self.costs.clear();
        self.costs.resize(n * m, (NEVER, 0));
        for (i, &typed) in self.typed.iter().enumerate() {
            // Of all places the letter before may have, the one that passes over the fewest words from here.
            let mut best: Option<(i32, u32)> = None;
            for p in from..m {
                let letter = self.name[p];
                let (row, above) = (i * m + p, (i.max(1) - 1) * m + p);
                let words = i32::from(letter.words);
                let mut cost = (NEVER, 0);
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
                            cost = ((base + words - step).clamp(0, i32::from(NEVER)) as u16, at);
                        }
                        let follows = p > from && (!typed.begins || letter.begins || typed.raw == letter.raw);
                        if follows && self.costs[above - 1].0 <= cost.0 && self.costs[above - 1].0 != NEVER {
                            cost = (self.costs[above - 1].0, p as u32 - 1);
                        }
                    }
                }
                self.costs[row] = cost;
                if i > 0 && self.costs[above].0 != NEVER {
                    let base = i32::from(self.costs[above].0) - words;
                    best = Some(best.filter(|&(known, _)| known <= base).unwrap_or((base, p as u32)));
                }
            }
        }
        let last = self.costs.get((n - 1) * m..).unwrap_or(&[]);
        let (end, &(cost, _)) = last.iter().enumerate().min_by_key(|(_, cost)| cost.0).filter(|(_, c)| c.0 != NEVER)?;
        self.places.resize(n, 0);
        let mut at = end;
        for i in (0..n).rev() {
            self.places[i] = at;
            at = self.costs[i * m + at].1 as usize;
        }
        Some(cost)
    }

    /// Whether all letters stand in the name in their order; then how many lie between them.
    fn scattered(&mut self, from: usize) -> Option<u16> {
        self.places.clear();
        let mut at = from;
        for &typed in &self.typed {
            let rest = self.name.get(at..)?;
            at += rest.iter().position(|&l| Self::agree(typed, l))?;
            self.places.push(at);
            at += 1;
        }
        let span = at - self.places.first()? - self.typed.len();
        Some(span.min(usize::from(NEVER)) as u16)
    }
}

#[cfg(test)]
mod tests;
