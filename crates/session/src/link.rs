//! Links to a place in a dump: `heaplens://open?dump=…&file=…&view=leaks&object=…&class=…&cut=…`. Everything in a link
//! is a name that stays the same when the dump is opened again, and mostly in the next dump of the program. Links come
//! from other programs, so parsing bounds their length, refuses control characters and ignores unknown keys.

use std::fmt::{self, Write};
use std::path::{Path, PathBuf};

use heaplens_platform::paths;

/// Scheme that every link begins with.
pub const SCHEME: &str = "heaplens://";
/// What a link asks for; the only action.
const ACTION: &str = "open";
/// Maximum length of a link in bytes: with the longest path, encoded, and dozens of cuts.
pub const LONGEST: usize = 32 << 10;

/// A place in a dump. Absent parts are not written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Link {
    /// Key of the dump, which does not depend on its path: see [`crate::marks::identity`].
    pub identity: Option<String>,
    /// File of the dump: an absolute path, or only its name in a link that is meant for others.
    pub file: Option<PathBuf>,
    /// View, as `--view` names it.
    pub view: Option<String>,
    /// Fingerprint of a leak finding.
    pub finding: Option<String>,
    /// Address-free name of an object, or its id.
    pub object: Option<String>,
    /// Name of a class.
    pub class: Option<String>,
    /// Excluded references, as `--cut` takes them.
    pub cuts: Vec<String>,
    /// Name of the fix that they form.
    pub fix: Option<String>,
}

/// Reason why a text is no link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkError {
    /// It is longer than [`LONGEST`].
    TooLong,
    /// It does not begin with `heaplens://open`.
    UnknownAction,
    /// The value of this key is not percent-encoded UTF-8, or contains control characters.
    BadValue(&'static str),
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => write!(f, "the link is longer than {} kB", LONGEST >> 10),
            Self::UnknownAction => write!(f, "unknown link: it must begin with {SCHEME}{ACTION}?"),
            Self::BadValue(key) => {
                write!(f, "damaged link: {key} contains invalid percent-encoding or control characters; copy it again")
            }
        }
    }
}

impl Link {
    /// True if a text is meant to be a link.
    pub fn is_meant(text: &str) -> bool {
        text.trim_start().get(..SCHEME.len()).is_some_and(|scheme| scheme.eq_ignore_ascii_case(SCHEME))
    }

    /// Parses a link.
    ///
    /// # Errors
    /// [`LinkError`] if it is none.
    pub fn parse(text: &str) -> Result<Self, LinkError> {
        if text.len() > LONGEST {
            return Err(LinkError::TooLong);
        }
        let text = text.trim();
        let rest = text.get(SCHEME.len()..).filter(|_| Self::is_meant(text)).ok_or(LinkError::UnknownAction)?;
        // A fragment is never written, but others may add one.
        let rest = rest.split_once('#').map_or(rest, |(rest, _)| rest);
        let (action, query) = rest.split_once('?').unwrap_or((rest, ""));
        // Some browsers add the slash.
        if !action.strip_suffix('/').unwrap_or(action).eq_ignore_ascii_case(ACTION) {
            return Err(LinkError::UnknownAction);
        }
        let mut link = Self::default();
        let parts = query.split('&').filter_map(|part| part.split_once('='));
        for (key, value) in parts.filter(|(_, value)| !value.is_empty()) {
            let text = |key| text_of(value).ok_or(LinkError::BadValue(key));
            match key {
                "dump" => link.identity = Some(text("dump")?),
                "file" => link.file = Some(path_of(value).ok_or(LinkError::BadValue("file"))?),
                "view" => link.view = Some(text("view")?),
                "finding" => link.finding = Some(text("finding")?),
                "object" => link.object = Some(text("object")?),
                "class" => link.class = Some(text("class")?),
                "cut" => link.cuts.push(text("cut")?),
                "fix" => link.fix = Some(text("fix")?),
                _ => {}
            }
        }
        Ok(link)
    }

    /// The file, if the link has its whole path and this machine has it. Network paths of Windows are left out: asking
    /// for one would tell its server who asks.
    pub fn local_file(&self) -> Option<&Path> {
        let path = self.file.as_deref().filter(|path| path.is_absolute())?;
        (!is_network_path(path) && path.is_file()).then_some(path)
    }

    /// Name of the file, for messages and to find it elsewhere.
    pub fn file_name(&self) -> Option<String> {
        self.file.as_deref().map(crate::files::file_name)
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{SCHEME}{ACTION}")?;
        let file = self.file.as_ref().map(|file| file.as_os_str().as_encoded_bytes());
        let text = |text: &'_ Option<String>| text.clone().map(String::into_bytes);
        let parts = [
            ("dump", text(&self.identity)),
            ("file", file.map(<[u8]>::to_vec)),
            ("view", text(&self.view)),
            ("finding", text(&self.finding)),
            ("object", text(&self.object)),
            ("class", text(&self.class)),
            ("fix", text(&self.fix)),
        ];
        let parts = parts.into_iter().filter_map(|(key, value)| Some((key, value?)));
        let cuts = self.cuts.iter().map(|cut| ("cut", cut.clone().into_bytes()));
        for (at, (key, value)) in parts.chain(cuts).enumerate() {
            write!(f, "{}{key}=", if at == 0 { '?' } else { '&' })?;
            encode(f, &value)?;
        }
        Ok(())
    }
}

/// True if the name of an object contains texts of the program, such as the key of a map, which links of redacted dumps
/// must not contain.
pub fn has_text(name: &str) -> bool {
    name.contains('"')
}

/// True if a path names a server on Windows, or a device: it begins with two slashes, of which each may be `/` or `\`.
fn is_network_path(path: &Path) -> bool {
    let is_slash = |byte: &u8| matches!(byte, b'/' | b'\\');
    path.as_os_str().as_encoded_bytes().get(..2).is_some_and(|start| start.iter().all(is_slash))
}

/// Path of a `file://` URL, as file managers pass them; `None` for other texts and for files of other machines.
pub fn path_of_url(text: &str) -> Option<PathBuf> {
    let rest = text.get("file://".len()..).filter(|_| text[.."file://".len()].eq_ignore_ascii_case("file://"))?;
    let slash = rest.find('/')?;
    let (host, path) = rest.split_at(slash);
    if !host.is_empty() && !host.eq_ignore_ascii_case("localhost") {
        return None;
    }
    let path = path.split(['?', '#']).next().unwrap_or_default();
    path_of(paths::of_address(path))
}

/// Writes a value so that no program takes any of it for an end or a mark: only letters, digits, `-`, `.`, `_`, `~` and
/// `/` remain.
fn encode(f: &mut fmt::Formatter<'_>, value: &[u8]) -> fmt::Result {
    for &byte in value {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => f.write_char(byte.into())?,
            _ => write!(f, "%{byte:02X}")?,
        }
    }
    Ok(())
}

/// Bytes of a percent-encoded value.
fn decode(value: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let (mut bytes, mut rest) = (Vec::with_capacity(value.len()), value.bytes());
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => digit(rest.next()?)? << 4 | digit(rest.next()?)?,
            byte => byte,
        });
    }
    Some(bytes)
}

fn text_of(value: &str) -> Option<String> {
    String::from_utf8(decode(value)?).ok().filter(|text| !text.chars().any(char::is_control))
}

/// A path; on Unix it may be any bytes but control characters.
fn path_of(value: &str) -> Option<PathBuf> {
    let bytes = decode(value).filter(|bytes| !bytes.iter().any(u8::is_ascii_control))?;
    paths::of_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complete_link() -> Link {
        let text = |text: &str| Some(text.to_owned());
        Link {
            identity: text("hprof 1 2 3 4"),
            file: Some(PathBuf::from("/dumps/a b&c=d?é#1%.hprof")),
            view: text("leaks"),
            finding: text("3e65132be5e3"),
            object: text(r#"desk.Cache.ENTRIES["user-17 & \"Ж\" = %41#"].next×1,000"#),
            class: text("shop.Cart$Item[]"),
            cuts: vec!["desk.Cache.ENTRIES".to_owned(), "object thread \"a+b\".x".to_owned()],
            fix: text("bounded & small"),
        }
    }

    #[test]
    fn a_link_reads_back_as_it_was() {
        let link = complete_link();
        let text = link.to_string();
        assert!(text.starts_with("heaplens://open?dump=hprof%201%202%203%204&file=/dumps/a%20b%26c%3Dd"), "{text}");
        assert!(text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~/:?&=%".contains(&b)), "{text}");
        assert_eq!(Link::parse(&text), Ok(link.clone()));
        assert_eq!(Link::parse(&format!("  {}#top\n", text.replace("heaplens://open", "HeapLens://OPEN/"))), Ok(link));
        let empty = Link::default();
        assert_eq!((empty.to_string().as_str(), Link::parse("heaplens://open")), ("heaplens://open", Ok(empty)));
        let some = Link { view: Some("histogram".to_owned()), ..Link::default() };
        assert_eq!(some.to_string(), "heaplens://open?view=histogram");
    }

    #[test]
    fn a_path_may_be_any_bytes() {
        // Some systems have text for paths.
        let Some(file) = paths::of_bytes(b"/dumps/\xff\xfe.hprof".to_vec()) else { return };
        let link = Link { file: Some(file), ..Link::default() };
        assert_eq!(link.to_string(), "heaplens://open?file=/dumps/%FF%FE.hprof");
        assert_eq!(Link::parse(&link.to_string()), Ok(link));
    }

    #[test]
    fn hostile_links_are_refused_or_ignored() {
        for (text, error) in [
            ("", LinkError::UnknownAction),
            ("heaplens:/", LinkError::UnknownAction),
            ("heaplens://delete?file=/a", LinkError::UnknownAction),
            ("https://open?file=/a", LinkError::UnknownAction),
            ("heaplensé//open", LinkError::UnknownAction),
            ("heaplens://open?object=%", LinkError::BadValue("object")),
            ("heaplens://open?object=%4", LinkError::BadValue("object")),
            ("heaplens://open?object=%+1", LinkError::BadValue("object")),
            ("heaplens://open?object=%é", LinkError::BadValue("object")),
            ("heaplens://open?object=%ff", LinkError::BadValue("object")),
            ("heaplens://open?cut=a%0Ab", LinkError::BadValue("cut")),
            ("heaplens://open?file=/a%00b", LinkError::BadValue("file")),
            ("heaplens://open?class=a%C2%9B", LinkError::BadValue("class")),
        ] {
            assert_eq!(Link::parse(text), Err(error), "{text}");
        }
        let long = format!("heaplens://open?object={}", "a".repeat(LONGEST));
        assert_eq!(Link::parse(&long), Err(LinkError::TooLong));
        let link = Link::parse("heaplens://open?run=%00&view&=&&view=leaks&Object=x&view=waste&object=&file=");
        assert_eq!(link, Ok(Link { view: Some("waste".to_owned()), ..Link::default() }));
        // Any piece of a link is refused or read, never a panic.
        let text = complete_link().to_string();
        for end in 0..text.len() {
            let _any = Link::parse(&text[..end]);
        }
    }

    #[test]
    fn only_files_of_this_machine_are_local() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.hprof");
        let link = |file: PathBuf| Link { file: Some(file), ..Link::default() };
        assert_eq!(link(path.clone()).local_file(), None, "it is missing");
        std::fs::write(&path, "").expect("written");
        assert_eq!(link(path.clone()).local_file(), Some(&*path));
        assert_eq!(link(folder.path().to_owned()).local_file(), None, "a folder");
        assert_eq!(link("Cargo.toml".into()).local_file(), None, "only a name");
        assert_eq!(link(format!("/{}", path.display()).into()).local_file(), None, "a network path, or none");
        for start in [r"\\", "//", r"/\", r"\/"] {
            let network = PathBuf::from(format!(r"{start}server\share\a.hprof"));
            assert!(is_network_path(&network) && link(network).local_file().is_none(), "{start}");
        }
        for local in ["/a.hprof", r"C:\\a.hprof", r"\a.hprof", "/", ""] {
            assert!(!is_network_path(Path::new(local)), "{local}");
        }
        assert_eq!(link(path).file_name().as_deref(), Some("a.hprof"));
    }

    #[test]
    fn urls_of_files_are_paths() {
        let path = |text: &str| path_of_url(text).map(|path| path.display().to_string());
        assert_eq!(path("file:///a%20b/%C3%A9.hprof").as_deref(), Some("/a b/é.hprof"));
        assert_eq!(path("FILE://localhost/a.hprof").as_deref(), Some("/a.hprof"));
        for other in ["file://server/a.hprof", "file://", "file:///a%0", "file:///%00", "/a.hprof", "a", "fileé///a"] {
            assert_eq!(path(other), None, "{other}");
        }
    }
}
