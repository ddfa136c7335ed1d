//! Message of one start to another: one line of JSON, validated because the sender is not trusted.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::link::Link;

/// Maximum length of a line in bytes.
const LONGEST: usize = 64 << 10;
/// Maximum number of files and links per message.
const FILES: usize = 32;

/// The line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Message {
    /// Token known only to programs of the same user.
    token: String,
    /// Files to open.
    open: Vec<String>,
    /// Links to open. Without any the field is left out, so that windows of earlier versions accept the message.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    links: Vec<String>,
}

/// Line that requests `paths` and `links`; `None` if they cannot be encoded.
pub(super) fn write(token: &str, paths: &[PathBuf], links: &[String]) -> Option<Vec<u8>> {
    let open = paths.iter().map(|path| path.to_str().filter(|_| path.is_absolute()).map(str::to_owned));
    let open = open.collect::<Option<Vec<String>>>()?;
    let message = Message { token: token.to_owned(), open, links: links.to_vec() };
    let mut line = serde_json::to_vec(&message).ok().filter(|line| line.len() < LONGEST)?;
    line.push(b'\n');
    (message.open.len() + message.links.len() <= FILES).then_some(line)
}

/// Files and links requested by a line; `None` if it is invalid.
pub(super) fn read(line: &[u8], token: &str) -> Option<(Vec<PathBuf>, Vec<String>)> {
    let Message { token: theirs, open, links } = serde_json::from_slice(line).ok()?;
    let is_plain = |text: &String| !text.chars().any(char::is_control);
    let is_path = |path: &String| Path::new(path).is_absolute() && is_plain(path);
    let is_link = |link: &String| Link::is_meant(link) && is_plain(link);
    let is_known = theirs == token && (1..=FILES).contains(&(open.len() + links.len()));
    let is_good = is_known && open.iter().all(is_path) && links.iter().all(is_link);
    is_good.then(|| (open.into_iter().map(PathBuf::from).collect(), links))
}

/// Reads a line of limited length, for at most `patience`.
pub(super) fn read_line(from: &mut impl Read, patience: Duration) -> io::Result<Vec<u8>> {
    let (mut line, began, mut part) = (Vec::new(), Instant::now(), [0; 4096]);
    while began.elapsed() < patience {
        let read = from.read(&mut part)?;
        line.extend_from_slice(part.get(..read).unwrap_or(&[]));
        if let Some(end) = line.iter().position(|&byte| byte == b'\n') {
            line.truncate(end);
            return Ok(line);
        }
        if read == 0 || line.len() > LONGEST {
            break;
        }
    }
    Err(io::Error::other("no line received"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_absolute_paths_and_links_with_the_token_are_accepted() {
        let root = std::env::temp_dir();
        let paths = vec![root.join("dumps/a b.hprof"), root.join("Ж.hprof")];
        let link = vec!["heaplens://open?view=leaks".to_owned()];
        let line = write("secret", &paths, &[]).expect("a line");
        assert!(!line.windows(5).any(|part| part == b"links"), "earlier versions do not know links");
        assert_eq!(line.iter().position(|&b| b == b'\n'), Some(line.len() - 1));
        assert_eq!(read(&line, "secret"), Some((paths.clone(), Vec::new())));
        assert_eq!(read(&line, "other"), None);
        let line = write("", &paths, &link).expect("a line");
        assert_eq!(read(&line, ""), Some((paths, link.clone())));
        let line = write("", &[], &link).expect("a line");
        assert_eq!(read(&line, ""), Some((Vec::new(), link.clone())));
        assert!(write("", &["relative.hprof".into()], &[]).is_none());
        let many = vec![root.join("a"); FILES];
        assert!(write("", &many, &[]).is_some() && write("", &many, &link).is_none());
        for wrong in ["", "null", "[]", "{}", r#"{"token":"","open":[]}"#, r#"{"token":"","open":["a.hprof"]}"#] {
            assert_eq!(read(wrong.as_bytes(), ""), None, "{wrong}");
        }
        for wrong in [
            r#"{"token":"","open":["/a\u0000b"]}"#,
            r#"{"token":"","open":["/a"],"run":"x"}"#,
            r#"{"token":"","open":[],"links":["https://a"]}"#,
            r#"{"token":"","open":[],"links":["heaplens://open?\n"]}"#,
        ] {
            assert_eq!(read(wrong.as_bytes(), ""), None, "{wrong}");
        }
        assert!(read_line(&mut &vec![b'x'; LONGEST * 2][..], Duration::from_secs(9)).is_err());
        assert!(read_line(&mut &b"half a line"[..], Duration::from_secs(9)).is_err());
    }
}
