//! Fingerprints that identify a finding in later dumps of the same program: a hash of the stable keys of its kind, of
//! its name, and of the holding and accumulated classes. Map keys, indices, thread numbers and sizes differ from dump
//! to dump and are left out.

use std::borrow::Cow;

use super::kinds::Kind;
use crate::naming::LAMBDA;

/// Hexadecimal digits of a fingerprint.
const DIGITS: usize = 12;

/// The fingerprint: hexadecimal digits of a hash of stable keys and names. `class` is that of the holder, `accumulated`
/// that of its entries, or empty. No display text enters it.
pub(super) fn fingerprint(kind: Kind, name: &str, class: &str, accumulated: &str) -> String {
    of_text(&[kind.key(), &general(name), &general(class), &general(accumulated)].join("\n"))
}

/// The class of a lambda expression without its number, which Java 21 does not write: `desk.Desk$$Lambda+0x0000000087081458`
/// for `desk.Desk$$Lambda$14+0x00007f51fc006000`, but for the address.
pub(super) fn without_number_of_lambda(class: &str) -> Cow<'_, str> {
    let parts = class.split_once(LAMBDA).and_then(|(host, after)| Some((host, after.strip_prefix('$')?)));
    let Some((host, numbered)) = parts else { return Cow::Borrowed(class) };
    let rest = numbered.trim_start_matches(|c: char| c.is_ascii_digit());
    Cow::Owned(format!("{host}{LAMBDA}{rest}"))
}

/// Fingerprint of an owner of memory, by its name.
pub fn owner_fingerprint(name: &str) -> String {
    of_text(&format!("owner\n{}", general(name)))
}

/// The fingerprint of one of several findings with the same fingerprint, by its path.
pub(super) fn further(fingerprint: &str, path: &str) -> String {
    of_text(&format!("{fingerprint}\n{path}"))
}

fn of_text(text: &str) -> String {
    let mut hex = format!("{:016x}", hash(text.as_bytes()));
    hex.truncate(DIGITS);
    hex
}

/// FNV-1a in 64 bits, its bits mixed: the same on every machine and in every version.
fn hash(bytes: &[u8]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325, step);
    let mixed = (hash ^ (hash >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}

/// A name with `*` and `…` for the parts that differ from dump to dump: `thread "pool-*-thread-*"`, `Cache.ALL[…]`.
pub fn general(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut letters = name.chars().peekable();
    let mut in_thread = name.starts_with("thread \"");
    let mut quoted = false;
    while let Some(c) = letters.next() {
        match c {
            '"' => {
                quoted = !quoted;
                in_thread &= quoted || !out.contains('"');
                out.push(c);
            }
            '\\' if quoted => {
                out.push(c);
                out.extend(letters.next());
            }
            '[' | '{' if !quoted => {
                let close = if c == '[' { ']' } else { '}' };
                let mut text = false;
                let mut empty = true;
                while let Some(inside) = letters.next() {
                    match inside {
                        '\\' if text => drop(letters.next()),
                        '"' => text = !text,
                        inside if inside == close && !text => break,
                        _ => {}
                    }
                    empty = false;
                }
                // `byte[]` is a class.
                out.push(c);
                out.push_str(if empty { "" } else { "…" });
                out.push(close);
            }
            // The address of a hidden class.
            '+' | '/' if !quoted && address(letters.clone()) > 0 => {
                let digits = address(letters.clone());
                letters.by_ref().take(digits).for_each(drop);
            }
            // A slot of a stack.
            '<' if !quoted && letters.peek().is_some_and(char::is_ascii_digit) => {
                while letters.next_if(char::is_ascii_digit).is_some() {}
                out.push_str("<*");
            }
            '#' | '×' if !quoted => while letters.next_if(|c| c.is_ascii_digit() || *c == ',').is_some() {},
            c if c.is_ascii_digit() && (in_thread || is_counted(&out)) => {
                while letters.next_if(char::is_ascii_digit).is_some() {}
                out.push('*');
            }
            c => out.push(c),
        }
    }
    out
}

/// Length of an address in hexadecimal digits, `0x00007f51fc006000`, that some text begins with; 0 if it does not.
fn address(text: impl Iterator<Item = char> + Clone) -> usize {
    let is_address = text.clone().take(2).eq("0x".chars());
    if is_address { 2 + text.skip(2).take_while(char::is_ascii_hexdigit).count() } else { 0 }
}

/// The name of a thread with `*` for each number: `pool-*-thread-*`.
pub(super) fn general_thread(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut letters = name.chars().peekable();
    while let Some(c) = letters.next() {
        if c.is_ascii_digit() {
            while letters.next_if(char::is_ascii_digit).is_some() {}
            out.push('*');
        } else {
            out.push(c);
        }
    }
    out
}

/// True if the number that follows is a counter of the runtime.
fn is_counted(before: &str) -> bool {
    ["$$Lambda$", "$Proxy", "GeneratedMethodAccessor", "GeneratedConstructorAccessor"]
        .iter()
        .any(|made| before.ends_with(made))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{leaks::LeakFinding, waste::WasteKind};
    use heaplens_base::Bytes;

    #[test]
    fn fingerprints_leave_out_dump_specific_parts() {
        for (name, known_by) in [
            ("desk.SessionCache.ENTRIES", "desk.SessionCache.ENTRIES"),
            ("desk.Cache.ALL[\"user-17\"].cart[3]", "desk.Cache.ALL[…].cart[…]"),
            ("a.B.all{desk.Key \"x]y\"}#2.next×1,234", "a.B.all{…}.next"),
            (
                "thread \"pool-3-thread-12\".<local of a.B$1.run: byte[]>",
                "thread \"pool-*-thread-*\".<local of a.B$1.run: byte[]>",
            ),
            ("a.B$$Lambda$14.f2", "a.B$$Lambda$*.f2"),
            ("a.B$$Lambda$14+0x00007efe7d080240", "a.B$$Lambda$*"),
            ("a.B$$Lambda/0x00007efe7d080240.f2", "a.B$$Lambda.f2"),
            ("a.B/C+0.f2", "a.B/C+0.f2"),
            ("root <(Stack roots)>.<34>.<context>.seen", "root <(Stack roots)>.<*>.<context>.seen"),
        ] {
            assert_eq!(general(name), known_by);
        }
    }

    #[test]
    fn lambda_expressions_of_all_versions_of_java_are_the_same() {
        for name in
            ["a.B$$Lambda$14+0x00007efe7d080240", "a.B$$Lambda/0x00007efe7d080240", "a.B$$Lambda+0x0000000087081458"]
        {
            assert_eq!(general(&without_number_of_lambda(name)), "a.B$$Lambda");
        }
        assert_eq!(without_number_of_lambda("a.B$$Lambda$14[]"), "a.B$$Lambda[]");
        assert_eq!(without_number_of_lambda("a.B$Lambda$14"), "a.B$Lambda$14");
    }

    #[test]
    fn fingerprints_are_the_same_everywhere() {
        let of = |name| fingerprint(Kind::Cache, name, "java.util.HashMap", "");
        assert_eq!(of("a.B.ALL[\"x\"]"), of("a.B.ALL[\"y\"]"));
        assert_ne!(of("a.B.ALL"), of("a.B.MORE"));
        assert_eq!(of("a.B.ALL").len(), DIGITS);
    }

    #[test]
    fn fingerprints_are_those_of_earlier_versions() {
        let cache = fingerprint(Kind::Cache, "desk.SessionCache.ENTRIES", "java.util.HashMap", "desk.Session");
        assert_eq!(cache, "3e65132be5e3");
        let waste = |kind| LeakFinding::of_waste(kind, 1, Bytes(1), Bytes(1)).fingerprint;
        let known = [
            "72c1fffc0b10",
            "29c5ae8dcbca",
            "5c953451a9fa",
            "9b7fc905a5c4",
            "08367bd323ba",
            "cfdd6b110227",
            "ffd4a2c5dc14",
            "e831fba0fdae",
            "4178ab40c189",
        ];
        assert_eq!(WasteKind::ALL.map(waste), known);
    }
}
