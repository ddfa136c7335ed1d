//! Names of a snapshot without the values that some of them carry: attributes of DOM nodes, folders of scripts, queries
//! and passwords of URLs. Everything else in them is structure, as with `--redact`.

/// Replacement of a character. A question mark would begin a query.
const BLANK: char = '_';
/// Prefix of the names of script nodes.
const SCRIPT: &str = "system / Script / ";
/// Scripts of the engine, by the beginnings of their names.
const OF_ENGINE: [&str; 3] = ["node:", "internal/", "extensions::"];
/// Folder of the packages of libraries: their names are no values.
const PACKAGES: &str = "/node_modules/";

/// Characters replaced, except some.
fn blank(out: &mut String, text: &str, except: &[char]) {
    for c in text.chars() {
        if except.contains(&c) {
            out.push(c);
        } else {
            out.extend(std::iter::repeat_n(BLANK, c.len_utf16()));
        }
    }
}

/// Name of a script without its folders, as `--redact` shows it: `https://____/____/shop.js`.
pub(super) fn without_folders(name: &str) -> String {
    let (before, path) = name.strip_prefix(SCRIPT).map_or(("", name), |path| (SCRIPT, path));
    let mut out = before.to_owned();
    if OF_ENGINE.iter().any(|of| path.starts_with(of)) {
        return out + path;
    }
    if let Some(data) = path.strip_prefix("data:") {
        out.push_str("data:");
        blank(&mut out, data, &[]);
        return out;
    }
    let scheme = path.find("://").map_or(0, |at| at + 3);
    let (start, rest) = path.split_at_checked(scheme).unwrap_or(("", path));
    out.push_str(start);
    let query = Some(scheme).filter(|&scheme| scheme > 0).and_then(|_| rest.find(['?', '#'])).unwrap_or(rest.len());
    let (path, query) = rest.split_at_checked(query).unwrap_or((rest, ""));
    let name = path.rfind(['/', '\\']).map_or(0, |at| at + 1);
    let kept = path.find(PACKAGES).unwrap_or(name);
    let (folders, file) = path.split_at_checked(kept).unwrap_or(("", path));
    blank(&mut out, folders, &['/', '\\', ':']);
    out.push_str(file);
    blank_query(&mut out, query);
    out
}

fn blank_query(out: &mut String, query: &str) {
    let mark = query.chars().next().filter(|c| matches!(c, '?' | '#'));
    out.extend(mark);
    blank(out, query.get(mark.map_or(0, char::len_utf8)..).unwrap_or_default(), &[]);
}

/// Name of a node or edge without the query and password of a URL in it.
pub(super) fn without_queries(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(at) = rest.find("://") {
        let (before, url) = rest.split_at_checked(at + 3).unwrap_or((rest, ""));
        out.push_str(before);
        let end = url.find(|c: char| c.is_whitespace() || c == '"').unwrap_or(url.len());
        let (url, after) = url.split_at_checked(end).unwrap_or((url, ""));
        let host = url.find(['/', '?', '#']).unwrap_or(url.len());
        let user = url.get(..host).and_then(|host| host.rfind('@')).unwrap_or(0);
        blank(&mut out, url.get(..user).unwrap_or_default(), &[':']);
        let url = url.get(user..).unwrap_or_default();
        let query = url.find(['?', '#']).unwrap_or(url.len());
        out.push_str(url.get(..query).unwrap_or_default());
        blank_query(&mut out, url.get(query..).unwrap_or_default());
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Name of a DOM node without the values of its attributes: `<div id="___">`.
pub(super) fn without_attributes(name: &str) -> String {
    let start = if name.starts_with("Detached <") { "Detached ".len() } else { 0 };
    let tag = name.get(start..).filter(|tag| tag.starts_with('<'));
    let Some(attributes) = tag.and_then(|tag| tag.find(' ')).map(|blank| start + blank) else {
        return without_queries(name);
    };
    let (tag, attributes) = name.split_at_checked(attributes).unwrap_or((name, ""));
    let mut out = tag.to_owned();
    let mut quoted = None;
    for c in attributes.chars() {
        match quoted {
            Some(quote) if c == quote => quoted = None,
            Some(_) => {
                out.extend(std::iter::repeat_n(BLANK, c.len_utf16()));
                continue;
            }
            None if matches!(c, '"' | '\'') => quoted = Some(c),
            None => {}
        }
        out.push(c);
    }
    out
}

/// Name of an edge of a WeakMap entry: `3 / part of key (Key @17) -> value (Value @19) pair in WeakMap (table @23)`. Names
/// of nodes that are values are replaced; `is_value` tells of the id of a node whether its name is one.
pub(super) fn of_weak_map(name: &str, is_value: impl Fn(u64) -> bool) -> String {
    let mut out = String::with_capacity(name.len());
    let mut rest = name;
    for opening in ["part of key (", ") -> value ("] {
        let Some(at) = rest.find(opening).map(|at| at + opening.len()) else { break };
        let (before, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(before);
        // The name may contain anything: the end is the last part that fits.
        let closing = if opening.starts_with(')') { ") pair in WeakMap (" } else { ") -> value (" };
        let end = after.find(closing).unwrap_or(after.len());
        let (node, behind) = after.split_at_checked(end).unwrap_or((after, ""));
        let id = node.rfind(" @").unwrap_or(node.len());
        let (node, id_text) = node.split_at_checked(id).unwrap_or((node, ""));
        let id = id_text.get(2..).and_then(|id| id.parse().ok());
        if id.is_none_or(&is_value) {
            blank(&mut out, node, &[]);
        } else {
            out.push_str(&without_attributes(node));
        }
        out.push_str(id_text);
        rest = behind;
    }
    out.push_str(rest);
    out
}

/// Ids of the key and of the value in the name of an edge of a WeakMap entry.
pub(super) fn ids_in(name: &str) -> impl Iterator<Item = u64> {
    let ids = name.match_indices(" @").filter_map(|(at, mark)| {
        let digits = name.get(at + mark.len()..)?;
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        digits.get(..end)?.parse().ok()
    });
    ids.take(8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_values_and_keep_structure() {
        let check = |of: &dyn Fn(&str) -> String, name: &str, stripped: &str| {
            assert_eq!(of(name), stripped);
            assert_eq!(of(stripped), stripped, "again");
        };
        let folders = |name: &str| without_folders(name);
        check(&folders, "/srv/ann/shop.js", "/___/___/shop.js");
        check(&folders, "system / Script / file:///srv/shop.js", "system / Script / file:///___/shop.js");
        check(&folders, "https://a.test/x/a.js?key=1", "https://______/_/a.js?_____");
        check(&folders, "/home/ann/node_modules/left/pad.js", "/____/___/node_modules/left/pad.js");
        check(&folders, "node:internal/fs", "node:internal/fs");
        check(&folders, "data:text/javascript,pin=1", "data:_____________________");
        check(&folders, "C:\\Users\\ann\\a.js", "_:\\_____\\___\\a.js");
        let queries = |name: &str| without_queries(name);
        check(&queries, "Window / https://ann:pw@shop.test/a?b=c#d", "Window / https://___:__@shop.test/a?_____");
        check(&queries, "system / Context", "system / Context");
        let attributes = |name: &str| without_attributes(name);
        check(&attributes, "<div id=\"ann\" class='x'>", "<div id=\"___\" class='_'>");
        check(&attributes, "Detached <a href=\"https://x?y\">", "Detached <a href=\"___________\">");
        let pair = |name: &str| of_weak_map(name, |id| id == 19);
        check(
            &pair,
            "3 / part of key (Key @17) -> value (secret @19) pair in WeakMap (table @23)",
            "3 / part of key (Key @17) -> value (______ @19) pair in WeakMap (table @23)",
        );
        assert_eq!(ids_in("part of key (Key @17) -> value (V @19) pair").collect::<Vec<_>>(), [17, 19]);
    }
}
