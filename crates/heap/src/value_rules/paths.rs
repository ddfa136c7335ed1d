//! Paths and URLs without the values in them: users, passwords, hosts, folders, queries.

use super::{BLANK, blank};

/// Prefix of the names of script nodes.
const SCRIPT: &str = "system / Script / ";
/// Scripts of the engine, by the beginnings of their names.
const OF_ENGINE: [&str; 3] = ["node:", "internal/", "extensions::"];
/// Folder of the packages of libraries: their names are no values.
const PACKAGES: &str = "/node_modules/";
/// URLs whose whole rest is data.
const OPAQUE: [&str; 2] = ["data:", "blob:"];

/// Number of characters in which the end of a user or of a host is searched, if no scheme precedes them.
const LONGEST_HOST: usize = 512;

/// Parts of a path or URL, in order.
struct PathParts<'a> {
    /// Scheme of a URL with its separator, which remains.
    scheme: &'a str,
    /// User, host and folders.
    folders: &'a str,
    /// The last part, with the folders from `node_modules` on.
    file: &'a str,
    /// Query and fragment with the mark before them.
    query: &'a str,
}

impl<'a> PathParts<'a> {
    fn of(path: &'a str) -> Self {
        let unqueried = |scheme: &'a str, folders: &'a str, file: &'a str| Self { scheme, folders, file, query: "" };
        if OF_ENGINE.iter().any(|of| path.starts_with(of)) {
            return unqueried("", "", path);
        }
        if let Some(data) = OPAQUE.iter().find_map(|scheme| path.strip_prefix(scheme)) {
            let (scheme, data) = path.split_at_checked(path.len() - data.len()).unwrap_or((path, ""));
            return unqueried(scheme, data, "");
        }
        let (scheme, rest) = path.split_at_checked(scheme_length(path)).unwrap_or(("", path));
        let query = Some(rest).filter(|_| !scheme.is_empty()).and_then(|rest| rest.find(['?', '#']));
        let (path, query) = rest.split_at_checked(query.unwrap_or(rest.len())).unwrap_or((rest, ""));
        let last = path.rfind(['/', '\\']).map_or(0, |at| at + 1);
        let (folders, file) = path.split_at_checked(path.find(PACKAGES).unwrap_or(last)).unwrap_or(("", path));
        // A URL without a path is its host.
        if !scheme.is_empty() && folders.is_empty() && !path.is_empty() {
            return Self { scheme, folders: path, file: "", query };
        }
        Self { scheme, folders, file, query }
    }

    fn blanked(&self, out: &mut String) {
        out.push_str(self.scheme);
        blank(out, self.folders, if OPAQUE.contains(&self.scheme) { &[] } else { &['/', '\\', ':'] });
        out.push_str(self.file);
        let mark = self.query.chars().next().filter(|c| matches!(c, '?' | '#'));
        out.extend(mark);
        blank(out, self.query.get(mark.map_or(0, char::len_utf8)..).unwrap_or_default(), &[]);
    }
}

/// Path or URL of a script or source file, as long as before: `https://____/____/shop.js`.
pub fn path(text: &str) -> String {
    let (before, path) = text.strip_prefix(SCRIPT).map_or(("", text), |path| (SCRIPT, path));
    let mut out = before.to_owned();
    PathParts::of(path).blanked(&mut out);
    out
}

/// A URL in a name that is not that of a script, as long as before. Its last part remains if it is the name of a file:
/// a page is often named by a token.
pub(super) fn url(out: &mut String, url: &str) {
    let parts = PathParts::of(url);
    let is_file = parts.file.contains(PACKAGES) || has_extension(parts.file);
    if is_file || OF_ENGINE.iter().any(|of| url.starts_with(of)) {
        return parts.blanked(out);
    }
    let mut hidden = parts.folders.to_owned();
    hidden.push_str(parts.file);
    PathParts { folders: &hidden, file: "", ..parts }.blanked(out);
}

/// True if a name ends with a dot and one to eight letters or digits, the first of which is a letter.
fn has_extension(file: &str) -> bool {
    file.rsplit_once('.').is_some_and(|(name, extension)| {
        !name.is_empty()
            && extension.len() <= 8
            && extension.starts_with(|c: char| c.is_ascii_alphabetic())
            && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// Path or URL without what is hidden of it: `shop.js`, or `node_modules/left/pad.js`.
pub fn file_name(path: &str) -> String {
    let parts = PathParts::of(path);
    if let Some(scheme) = OPAQUE.iter().find(|scheme| **scheme == parts.scheme) {
        return scheme.trim_end_matches(':').to_owned();
    }
    parts.file.strip_prefix('/').unwrap_or(parts.file).to_owned()
}

/// True if a text begins with a path or URL: what follows is part of it.
pub(super) fn begins_path(text: &str) -> bool {
    if OPAQUE.iter().any(|scheme| text.starts_with(scheme)) {
        return true;
    }
    if scheme_length(text) > 0 {
        return true;
    }
    let is_drive =
        |text: &str| matches!(text.as_bytes(), [drive, b':', b'\\' | b'/', ..] if drive.is_ascii_alphabetic());
    // One slash alone may be an operator, or divide words.
    let is_absolute = text.strip_prefix('/').is_some_and(|rest| {
        rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '~' | '@') || c == BLANK)
            && rest.contains('/')
    });
    is_absolute || is_drive(text) || text.starts_with("\\\\")
}

/// True if a text begins with a URL that has a scheme of two letters or more.
pub(super) fn begins_url(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphanumeric()) && scheme_length(text) > 0
}

/// Length of the scheme that a URL begins with, and of the separator. In names of Java classes, slashes became dots.
fn scheme_length(text: &str) -> usize {
    let is_of_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    let end = text.find(|c| !is_of_scheme(c)).unwrap_or(text.len());
    let behind = text.get(end..).unwrap_or_default();
    // A single letter is a drive.
    if end > 1 && (behind.starts_with("://") || behind.starts_with(":..")) { end + 3 } else { host_mark(text) }
}

/// Length of the slashes before a host if a URL has no scheme, as `//user@host/folder`; 0 if none is a host. Two dots
/// before a word may be an operator, so that a user must follow.
fn host_mark(text: &str) -> usize {
    let (rest, is_dotted) = match (text.strip_prefix("//"), text.strip_prefix("..")) {
        (Some(rest), _) => (rest, false),
        (_, Some(rest)) => (rest, true),
        _ => return 0,
    };
    if !rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, BLANK | '[')) {
        return 0;
    }
    let mut host = rest.chars().take(LONGEST_HOST).take_while(|c| !c.is_whitespace());
    let is_host = host.any(|c| c == '@' || c == '/' && !is_dotted);
    if is_host { text.len() - rest.len() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_path_has_no_folders() {
        for (original, shown) in [
            ("/srv/ann/shop.js", "/___/___/shop.js"),
            ("system / Script / file:///srv/shop.js", "system / Script / file:///___/shop.js"),
            ("https://a.test/x/a.js?key=1", "https://______/_/a.js?_____"),
            ("/home/ann/node_modules/left/pad.js", "/____/___/node_modules/left/pad.js"),
            ("node:internal/fs", "node:internal/fs"),
            ("data:text/javascript,pin=1", "data:_____________________"),
            ("blob:https://shop.test/1234-5678", "blob:___________________________"),
            ("https://ann:pw@shop.test", "https://___:____________"),
            ("C:\\Users\\ann\\a.js", "_:\\_____\\___\\a.js"),
            ("/home/ann/x://y.js", "/____/___/_://y.js"),
            ("Cart.java", "Cart.java"),
            ("//ann:pw@cdn.test/x/a.js?key=1", "//___:___________/_/a.js?_____"),
        ] {
            assert_eq!(path(original), shown);
            assert_eq!(path(shown), shown, "again");
        }
        assert_eq!(file_name("/home/ann/node_modules/left/pad.js"), "node_modules/left/pad.js");
        assert_eq!(file_name("https://shop.test/a.js?token=1"), "a.js");
        assert_eq!(file_name("https://shop.test"), "");
    }
}
