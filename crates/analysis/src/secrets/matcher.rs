//! Searches texts for credentials: words of the rules first, in one pass, then the patterns that have one of them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use aho_corasick::AhoCorasick;

use super::assignments::{name_around, value_of};
use super::checks::Verdict;
use super::encodings::{Unwrapped, base64_parts, of_escapes, of_percent};
use super::names::meaning;
use super::rules::{CARD, PRIVATE_KEY, RuleScope, SecretRule, TOKEN, rules};
use super::values::Setting;
use super::{cards, values};

/// Length of the shortest text that may contain a credential, in bytes.
const SHORTEST: usize = 6;
/// Length of a short text in bytes.
const SHORT: usize = 200;
/// How often a text inside of a text is searched.
const DEPTH: usize = 3;
/// Fewest digits of a payment card.
const CARD_DIGITS: usize = 13;
/// Parts of names that [`meaning`] knows.
const NAME_PARTS: [&str; 12] =
    ["pass", "pwd", "pswd", "pw", "secret", "token", "key", "auth", "credential", "sess", "sid", "psk"];
/// Signs of a program's source, of which it has two in its first part, and the length of that part in bytes.
const SIGNS_OF_CODE: [&str; 12] =
    ["function", "=>", "return ", "return;", "var ", "const ", "let ", "){", ") {", "this.", "import ", "();"];
const BEGINNING: usize = 8_192;

/// Why a text is taken for a credential.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SecretEvidence {
    /// Its own structure or a checksum in it.
    Structure,
    /// The form of its kind.
    Form,
    /// The form of its kind, but a wrong checksum.
    WrongChecksum,
    /// The name of the field, key or variable that has the value.
    Name,
    /// Its characters are random.
    Randomness,
}

impl SecretEvidence {
    /// Word in CSV and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Structure => "structure",
            Self::Form => "form",
            Self::WrongChecksum => "wrong checksum",
            Self::Name => "name",
            Self::Randomness => "randomness",
        }
    }

    /// How certain it is: `high`, `medium`, `low`.
    pub fn certainty(self) -> &'static str {
        match self {
            Self::Structure | Self::Form => "high",
            Self::Name => "medium",
            Self::WrongChecksum | Self::Randomness => "low",
        }
    }
}

/// A credential in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SecretMatch {
    pub(super) kind: &'static str,
    pub(super) value: String,
    pub(super) evidence: SecretEvidence,
    /// True if it counts only if its holder says what it is: other numbers have a valid check digit, too.
    pub(super) needs_name: bool,
}

/// Credentials of a text and of the texts in it.
#[derive(Default)]
struct Matches {
    list: Vec<SecretMatch>,
    values: BTreeSet<String>,
}

/// Parts of one text that are credentials: ends by starts.
type Covered = BTreeMap<usize, usize>;

impl Matches {
    /// True if a part of a text was found, or is in one that was.
    fn is_known(&self, covered: &Covered, part: &Range<usize>, value: &str) -> bool {
        let before = covered.range(..=part.start).next_back();
        before.is_some_and(|(_, &end)| end >= part.end) || self.values.contains(value)
    }

    fn add(&mut self, secret: SecretMatch) {
        self.values.insert(secret.value.clone());
        self.list.push(secret);
    }
}

/// What a word in a text announces.
#[derive(Debug, Clone, Copy)]
enum Announced {
    /// The pattern of a rule.
    Rule(usize),
    /// A name with a value.
    Name,
}

/// The rules, ready for a search.
pub(super) struct Matcher {
    rules: Vec<SecretRule>,
    words: Option<AhoCorasick>,
    /// What each word announces.
    announced: Vec<Announced>,
}

impl Matcher {
    pub(super) fn new() -> Self {
        let rules = rules();
        let (mut words, mut announced) = (Vec::new(), Vec::new());
        for (at, rule) in rules.iter().enumerate() {
            let RuleScope::Words(of_rule) = &rule.scope else { continue };
            words.extend(of_rule.iter().copied());
            announced.extend(of_rule.iter().map(|_| Announced::Rule(at)));
        }
        words.extend(NAME_PARTS);
        announced.extend(NAME_PARTS.map(|_| Announced::Name));
        let words = AhoCorasick::builder().ascii_case_insensitive(true).build(words).ok();
        Self { rules, words, announced }
    }

    /// The credentials in a text, by rule and position.
    pub(super) fn find(&self, text: &str) -> Vec<SecretMatch> {
        let mut matches = Matches::default();
        if text.len() >= SHORTEST {
            self.search(text, DEPTH, &mut matches);
        }
        if matches.list.is_empty() && values::is_random(text) {
            let (value, evidence) = (text.to_owned(), SecretEvidence::Randomness);
            matches.add(SecretMatch { kind: TOKEN, value, evidence, needs_name: false });
        }
        matches.list
    }

    /// Credentials by form in a text that is only a part of something, such as a buffer with text between other bytes.
    pub(super) fn find_forms(&self, text: &str) -> Vec<SecretMatch> {
        let mut matches = Matches::default();
        let (of_text, _) = self.announced(text);
        self.match_rules(text, &of_text, &mut Covered::new(), &mut matches);
        matches.list
    }

    fn search(&self, text: &str, depth: usize, matches: &mut Matches) {
        let (of_text, names) = self.announced(text);
        let mut covered = Covered::new();
        self.match_rules(text, &of_text, &mut covered, matches);
        match_names(text, &names, &covered, matches);
        let Some(depth) = depth.checked_sub(1) else { return };
        for (at, part) in base64_parts(text) {
            match part {
                Unwrapped::Text(inner) => self.search(&inner, depth, matches),
                Unwrapped::Key(kind, value) if !matches.is_known(&covered, &(at..at + value.len()), &value) => {
                    let (kind, value) = (PRIVATE_KEY, format!("{kind}\n{value}"));
                    matches.add(SecretMatch { kind, value, evidence: SecretEvidence::Structure, needs_name: false });
                }
                Unwrapped::Key(..) => {}
            }
        }
        // Strings in the sources of programs have escapes, too: their contents are searched as they are.
        if !is_source(text) {
            for inner in [of_percent(text), of_escapes(text)].into_iter().flatten() {
                self.search(&inner, depth, matches);
            }
        }
    }

    /// Rules whose words are in a text, in order, and names of which it may have the values.
    fn announced(&self, text: &str) -> (BTreeSet<usize>, BTreeSet<(usize, usize)>) {
        let (mut of_text, mut names) = (BTreeSet::new(), BTreeSet::new());
        let hits = self.words.iter().flat_map(|words| words.find_overlapping_iter(text));
        for hit in hits {
            match self.announced.get(hit.pattern().as_usize()) {
                Some(&Announced::Rule(rule)) => {
                    of_text.insert(rule);
                }
                Some(Announced::Name) => names.extend(name_around(text, hit.start())),
                None => {}
            }
        }
        let has_digits = || text.bytes().filter(u8::is_ascii_digit).take(CARD_DIGITS).count() == CARD_DIGITS;
        for (at, rule) in self.rules.iter().enumerate() {
            let is_tried = match rule.scope {
                RuleScope::Words(_) => false,
                RuleScope::ShortTexts => text.len() < SHORT,
                RuleScope::Digits => has_digits(),
            };
            if is_tried {
                of_text.insert(at);
            }
        }
        (of_text, names)
    }

    fn match_rules(&self, text: &str, rules: &BTreeSet<usize>, covered: &mut Covered, matches: &mut Matches) {
        for rule in rules.iter().filter_map(|&at| self.rules.get(at)) {
            let Some(pattern) = rule.pattern() else { continue };
            for captures in pattern.captures_iter(text) {
                let (group, Some(all)) = (captures.get(1), captures.get(0)) else { continue };
                let value = group.unwrap_or(all);
                let bytes = text.as_bytes();
                let before = value.start().checked_sub(1).and_then(|at| bytes.get(at)).copied();
                let behind = bytes.get(value.end()).copied();
                let is_word = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
                let is_part = group.is_none() && (is_word(before) || is_word(behind));
                if is_part || matches.is_known(covered, &value.range(), value.as_str()) {
                    continue;
                }
                let verdicts = rule.checks.iter().map(|check| check.verdict(value.as_str(), [before, behind]));
                let evidence = match verdicts.clone().min() {
                    None | Some(Verdict::Refused) => continue,
                    Some(Verdict::Doubtful) => SecretEvidence::WrongChecksum,
                    _ if verdicts.max() == Some(Verdict::Proven) || rule.kind == PRIVATE_KEY => {
                        SecretEvidence::Structure
                    }
                    _ => SecretEvidence::Form,
                };
                let needs_name = rule.kind == CARD && !cards::is_grouped(value.as_str());
                covered.insert(value.start(), value.end());
                let value = value.as_str().trim_end().to_owned();
                matches.add(SecretMatch { kind: rule.kind, value, evidence, needs_name });
            }
        }
    }
}

fn match_names(text: &str, names: &BTreeSet<(usize, usize)>, covered: &Covered, matches: &mut Matches) {
    let mut is_code = None;
    for &name in names {
        let meant = text.get(name.0..name.1).and_then(|name| meaning(name.trim_matches(['-', '.', '$'])));
        let (Some(meaning), Some(assignment)) = (meant, value_of(text, name)) else { continue };
        let is_code = *is_code.get_or_insert_with(|| is_source(text));
        let setting =
            if is_code || assignment.is_call || assignment.is_sentence { Setting::Code } else { Setting::Entry };
        if assignment.is_call && !assignment.is_quoted && assignment.value.len() < 16 {
            continue;
        }
        let value = resolved(assignment.value, assignment.is_quoted);
        let Some(kind) = meaning.kind(&value, setting) else { continue };
        let start = assignment.value.as_ptr().addr() - text.as_ptr().addr();
        if !matches.is_known(covered, &(start..start + assignment.value.len()), &value) {
            let value = value.into_owned();
            matches.add(SecretMatch { kind, value, evidence: SecretEvidence::Name, needs_name: false });
        }
    }
}

/// The value of a cookie or of a query, which may be percent-encoded.
fn resolved(value: &str, is_quoted: bool) -> Cow<'_, str> {
    let decoded = (!is_quoted).then(|| of_percent(value)).flatten();
    decoded.map_or(Cow::Borrowed(value), Cow::Owned)
}

/// True for the source of a program.
fn is_source(text: &str) -> bool {
    let mut end = text.len().min(BEGINNING);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let beginning = text.get(..end).unwrap_or(text);
    SIGNS_OF_CODE.iter().filter(|sign| beginning.contains(**sign)).count() >= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connection_strings_have_passwords() {
        let value = |text: &str| Matcher::new().find(text).first().map(|first| (first.kind, first.value.clone()));
        let password = |value: &str| Some(("password", value.to_owned()));
        assert_eq!(value("jdbc:x://h/db?user=a&password=pa55wort&ssl=1"), password("pa55wort"));
        assert_eq!(value("Server=h;Uid=a;Pwd=pa55wort;"), password("pa55wort"));
        assert_eq!(value("amqp://ann:pa55@host/"), Some(("url-password", "pa55".to_owned())));
        assert_eq!(value("amqp://ann@host/"), None);
        assert_eq!(value("https://host:8080/a@b"), None);
        assert_eq!(value("password=${db.password}"), None);
        assert_eq!(value("Password:"), None);
    }
}
