//! Names without the values that some of them carry: attributes and texts of DOM nodes, URLs, paths, quoted texts.

use std::borrow::Cow;

use super::paths::{begins_path, begins_url, url};
use super::{BLANK, all_blank, blank};

/// Prefix of the names of DOM nodes outside of the document.
const DETACHED: &str = "Detached";
/// Prefix of the labels of V8's own objects.
const SYSTEM: &str = "system / ";
/// Divides the class of an object from what the embedder adds to it, such as the URL of a window.
const DIVIDER: &str = " / ";
/// Nodes of the DOM that have a text, besides elements and those that begin with a number sign.
const DOM_NODES: [&str; 6] = ["Text", "Comment", "Attr", "CDATASection", "DocumentType", "ProcessingInstruction"];
/// Descriptions of symbols that engines make.
const SYMBOLS: [&str; 6] = ["symbol", "private symbol", "Symbol", "bigint", "BigInt", "Symbol()"];
/// Prefix of the description of a well-known symbol.
const WELL_KNOWN: &str = "Symbol(Symbol.";

/// Name of a class, a function, a field or a property without the values in it, as long as before.
pub fn name(text: &str) -> Cow<'_, str> {
    // Nearly all names are words.
    if !text.bytes().any(may_divide) {
        return Cow::Borrowed(text);
    }
    let mut rest = text.trim_start();
    while let Some(after) = rest.strip_prefix(DETACHED).filter(|after| after.starts_with(char::is_whitespace)) {
        rest = after.trim_start();
    }
    let (detached, rest) = text.split_at_checked(text.len() - rest.len()).unwrap_or(("", text));
    let mut out = String::with_capacity(text.len());
    out.push_str(detached);
    if rest.starts_with('<') && rest.get(1..).is_some_and(|tag| tag.starts_with(|c: char| c.is_alphabetic())) {
        element(&mut out, rest);
    } else if let Some(kind) = dom_node(rest).or_else(|| system_label(rest)) {
        let (kind, text) = rest.split_at_checked(kind).unwrap_or((rest, ""));
        out.push_str(kind);
        blank(&mut out, text, &[' ']);
    } else {
        words(&mut out, rest);
    }
    if out == text { Cow::Borrowed(text) } else { Cow::Owned(out) }
}

/// True for a byte without which a name has no values: of a mark or a blank, also of one that is not ASCII.
fn may_divide(byte: u8) -> bool {
    let is_mark = matches!(byte, b'<' | b'#' | b'"' | b'\'' | b'`' | b':' | b'/' | b'\\' | b'@');
    is_mark || byte <= b' ' || !byte.is_ascii()
}

/// Length of the label of an object of V8, such as `system / Map`, if it is followed by anything but a kind in
/// brackets, or a name after a slash.
fn system_label(name: &str) -> Option<usize> {
    let rest = name.strip_prefix(SYSTEM)?;
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    let behind = rest.get(end..).unwrap_or_default();
    let is_known =
        behind.is_empty() || behind.starts_with(DIVIDER) || behind.starts_with(" (") && behind.ends_with(')');
    (!is_known).then_some(SYSTEM.len() + end)
}

/// Length of the name of a DOM node before its text, if a text follows.
fn dom_node(name: &str) -> Option<usize> {
    let end = name.find(|c: char| c.is_whitespace())?;
    let kind = name.get(..end)?;
    let is_element = ["HTML", "SVG", "MathML"].iter().any(|of| kind.starts_with(of)) && kind.ends_with("Element");
    // Functions of the engine have private names such as `get #size`, but none begins with the sign and has a text.
    (is_element || kind.starts_with('#') || DOM_NODES.contains(&kind)).then_some(end)
}

/// Opening tag without the values of its attributes: `<div id="___">`. Nothing is known of what follows it.
fn element(out: &mut String, tag: &str) {
    #[derive(Clone, Copy)]
    enum Part {
        Name,
        /// True behind its first character.
        Unquoted(bool),
        Quoted(char),
        Behind,
    }
    let mut part = Part::Name;
    for c in tag.chars() {
        let is_kept = match part {
            Part::Name => {
                part = match c {
                    '=' => Part::Unquoted(false),
                    '"' | '\'' => Part::Quoted(c),
                    '>' => Part::Behind,
                    _ => Part::Name,
                };
                true
            }
            Part::Unquoted(has_begun) => match c {
                '"' | '\'' => {
                    part = Part::Quoted(c);
                    true
                }
                '>' => {
                    part = Part::Behind;
                    true
                }
                // Blanks may precede a value.
                c if c.is_whitespace() => {
                    part = if has_begun { Part::Name } else { part };
                    true
                }
                _ => {
                    part = Part::Unquoted(true);
                    false
                }
            },
            Part::Quoted(quote) if c == quote => {
                part = Part::Name;
                true
            }
            Part::Quoted(_) | Part::Behind => false,
        };
        if is_kept {
            out.push(c);
        } else {
            out.extend(std::iter::repeat_n(BLANK, c.len_utf16()));
        }
    }
}

/// Words, with URLs, paths and quoted texts replaced.
fn words(out: &mut String, text: &str) {
    // What an embedder adds to a class is one URL to the end, blanks included.
    if let Some(at) = text.find(DIVIDER).map(|at| at + DIVIDER.len())
        && let Some((class, added)) = text.split_at_checked(at)
        && begins_path(added)
    {
        words(out, class);
        return url(out, added);
    }
    if begins_path(text) {
        return url(out, text);
    }
    each_word(out, text, true);
}

/// Words, with URLs and paths replaced, and quoted texts if asked for.
pub(super) fn each_word(out: &mut String, text: &str, has_values_in_quotes: bool) {
    let mut rest = text;
    let (mut is_start, mut may_be_scheme) = (true, true);
    while let Some(c) = rest.chars().next() {
        if is_start && begins_path(rest) || may_be_scheme && begins_url(rest) {
            let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ')')).unwrap_or(rest.len());
            let (path, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
            url(out, path);
            (rest, is_start, may_be_scheme) = (after, false, false);
            continue;
        }
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        out.push(c);
        // A quote within a word is an apostrophe, and a lone one is part of a name such as `get $'`.
        if has_values_in_quotes
            && is_start
            && matches!(c, '"' | '\'' | '`')
            && let Some(end) = after.rfind(c)
            && let Some((quoted, behind)) = after.split_at_checked(end)
        {
            blank(out, quoted, &[]);
            out.push(c);
            (rest, is_start, may_be_scheme) = (behind.get(c.len_utf8()..).unwrap_or_default(), false, true);
            continue;
        }
        // Neither begins within a word or a path; a URL may follow any character that its scheme cannot have.
        is_start = !c.is_alphanumeric() && !"_$.-+/\\@".contains(c);
        may_be_scheme = !c.is_ascii_alphanumeric() && !"+-.".contains(c);
        rest = after;
    }
}

/// True if a name is that of an edge of a WeakMap entry, as V8 writes it: nothing but numbers is outside of its nodes.
pub fn is_weak_map_entry(name: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    let behind = name.trim_start_matches(is_digit);
    let table = name.rsplit_once(") pair in WeakMap (table @").and_then(|(_, table)| table.strip_suffix(')'));
    behind.len() < name.len()
        && behind.starts_with(" / part of key (")
        && table.is_some_and(|id| !id.is_empty() && id.chars().all(is_digit))
}

/// Name of an edge of a WeakMap entry: `3 / part of key (Key @17) -> value (Value @19) pair in WeakMap (table @23)`.
/// The name of a node remains if `shown` has it: the name of the node of an id as others may see it, `None` if it is a
/// value.
pub fn weak_map_entry<'t>(name: &str, shown: impl Fn(u64) -> Option<Cow<'t, str>>) -> String {
    let mut out = String::with_capacity(name.len());
    let mut rest = name;
    for opening in ["part of key (", ") -> value ("] {
        let Some(at) = rest.find(opening).map(|at| at + opening.len()) else { break };
        let (before, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(before);
        // The name may contain anything: the end is the last part that fits.
        let closing = if opening.starts_with(')') { ") pair in WeakMap (" } else { ") -> value (" };
        let end = after.rfind(closing).unwrap_or(after.len());
        let (node, behind) = after.split_at_checked(end).unwrap_or((after, ""));
        let id = node.rfind(" @").unwrap_or(node.len());
        let (node, id_text) = node.split_at_checked(id).unwrap_or((node, ""));
        let id = id_text.get(2..).and_then(|id| id.parse().ok());
        let is_shown = id.and_then(&shown).is_some_and(|known| known == super::name(node));
        out.push_str(&if is_shown { super::name(node).into_owned() } else { all_blank(node) });
        if id.is_some() {
            out.push_str(id_text);
        } else {
            blank(&mut out, id_text, &[' ', '@']);
        }
        rest = behind;
    }
    out.push_str(rest);
    out
}

/// True if the name of a symbol or of a large integer is given by the engine.
pub fn is_runtime_symbol(name: &str) -> bool {
    let is_well_known = || {
        let name = name.strip_prefix(WELL_KNOWN).and_then(|name| name.strip_suffix(')'));
        name.is_some_and(|name| {
            [
                "asyncDispose",
                "asyncIterator",
                "dispose",
                "hasInstance",
                "isConcatSpreadable",
                "iterator",
                "match",
                "matchAll",
                "replace",
                "search",
                "species",
                "split",
                "toPrimitive",
                "toStringTag",
                "unscopables",
            ]
            .contains(&name)
        })
    };
    name.is_empty() || SYMBOLS.contains(&name) || is_well_known()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_values_and_keep_structure() {
        for (original, shown) in [
            ("Window / https://ann:pw@shop.test/a?b=c#d", "Window / https://___:____________/_?_____"),
            ("Window / file:///home/ann/x y.html", "Window / file:///____/___/x y.html"),
            ("InternalNode / https://h/?k=1", "InternalNode / https://_/?___"),
            ("global / ", "global / "),
            ("system / Context", "system / Context"),
            ("system / Map (OneByteString)", "system / Map (OneByteString)"),
            ("system / Context / load", "system / Context / load"),
            ("system / ExternalStringData of ann", "system / ExternalStringData __ ___"),
            ("Script https:..ann:pw@shop.test.a?b=1", "Script https:..___:______________?___"),
            ("blob:https://x/1234", "blob:______________"),
            ("<div id=\"ann\" class='x'>", "<div id=\"___\" class='_'>"),
            ("Detached <a href=\"https://x?y\">", "Detached <a href=\"___________\">"),
            ("Detached <input value=ann disabled>", "Detached <input value=___ disabled>"),
            ("Detached Detached <input value=ann>", "Detached Detached <input value=___>"),
            ("<br>secret", "<br>______"),
            ("<input value=\"never ends", "<input value=\"__________"),
            ("HTMLDivElement", "HTMLDivElement"),
            ("HTMLDivElement of ann", "HTMLDivElement __ ___"),
            ("Detached Text \"ann\"", "Detached Text _____"),
            ("#comment for ann", "#comment ___ ___"),
            ("/home/ann/app.js", "/____/___/app.js"),
            ("(shared function info for load)", "(shared function info for load)"),
            ("Array Iterator", "Array Iterator"),
            ("Module (CommonJS)", "Module (CommonJS)"),
            ("get $'", "get $'"),
            ("get [Symbol.species]", "get [Symbol.species]"),
            ("say \"hunter2\" to 'ann'", "say \"_______\" to '___'"),
            ("don't", "don't"),
            ("shop/Cart$1", "shop/Cart$1"),
            ("[Ljava/lang/String;", "[Ljava/lang/String;"),
            ("shop.Cart$$Lambda/0x00007f0001", "shop.Cart$$Lambda/0x00007f0001"),
            ("/", "/"),
            ("std::vector<int>", "std::vector<int>"),
            ("Foo:https://ann:pw@shop.test/x?t=hunter2", "Foo:https://___:____________/_?_________"),
            ("Foo:https:..ann:pw@shop.test.x?t=hunter2", "Foo:https:..___:______________?_________"),
            ("a|https://ann:hunter2@h/", "a|https://___:_________/"),
            ("a_https://ann:hunter2@h/", "a_https://___:_________/"),
            ("//ann:hunter2@cdn.test/x/y", "//___:________________/_/_"),
            ("..ann:hunter2@cdn.test.x.y", "..___:____________________"),
            ("see \"https://ann:hunter2@h/x", "see \"https://___:_________/_"),
            ("<input value= hunter2>", "<input value= _______>"),
            ("<input value= ann disabled>", "<input value= ___ disabled>"),
            ("Text\nhunter2", "Text\n_______"),
            ("Text\u{a0}hunter2", "Text________"),
            ("Detached\tText\nhunter2", "Detached\tText\n_______"),
            ("com/foo/Bar", "com/foo/Bar"),
            ("a::b", "a::b"),
            ("x->y", "x->y"),
            ("system / Map", "system / Map"),
        ] {
            assert_eq!(name(original), shown);
            assert_eq!(name(shown), shown, "again");
        }
        let pair = "3 / part of key (Key @17) -> value (secret @19) pair in WeakMap (table @23)";
        let shown = |id| (id == 17).then_some(Cow::Borrowed("Key"));
        let hidden = "3 / part of key (Key @17) -> value (______ @19) pair in WeakMap (table @23)";
        assert_eq!(weak_map_entry(pair, shown), hidden);
        assert_eq!(weak_map_entry(hidden, shown), hidden, "again");
        let other = weak_map_entry(pair, |_| Some(Cow::Borrowed("Other")));
        assert_eq!(other, "3 / part of key (___ @17) -> value (______ @19) pair in WeakMap (table @23)");
        let twice = "3 / part of key (a) -> value (b @17) -> value (s3cret (new) @19) pair in WeakMap (table @23)";
        let hidden = "3 / part of key (______________ @17) -> value (____________ @19) pair in WeakMap (table @23)";
        assert_eq!(weak_map_entry(twice, |_| None), hidden);
    }

    #[test]
    fn only_whole_names_are_of_weak_maps() {
        let pair = "part of key (Key @17) -> value (secret @19) pair in WeakMap (table @23)";
        for (name, is_entry) in [
            (format!("3 / {pair}"), true),
            (pair.to_owned(), false),
            (format!("hunter2 / {pair}"), false),
            (format!("3 hunter2 / {pair}"), false),
            (format!("3 / {pair} hunter2"), false),
            ("3 / part of key (Key @17) -> value (V @19) pair in WeakMap (hunter2)".to_owned(), false),
            ("3 / part of key (Key @17)".to_owned(), false),
        ] {
            assert_eq!(is_weak_map_entry(&name), is_entry, "{name}");
        }
    }

    #[test]
    fn symbols_of_the_engine_are_known() {
        assert!(is_runtime_symbol("symbol") && is_runtime_symbol("Symbol(Symbol.iterator)"));
        assert!(!is_runtime_symbol("Symbol(ann@shop.test)") && !is_runtime_symbol("12345678901234567890"));
    }
}
