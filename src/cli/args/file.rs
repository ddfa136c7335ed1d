//! Files to open in the window: paths, `file://` URLs as file managers pass them, and links.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{OsStringValueParser, TypedValueParser};

use heaplens_session::Link;
use heaplens_session::link::path_of_url;

/// A dump or a link to a place in one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileArgument {
    /// Path of a dump.
    Dump(PathBuf),
    /// A link, which the window or the report parses: a desktop shows no message of the command line.
    Link(String),
}

/// Parser of an argument, which accepts everything.
pub(super) fn parser() -> impl TypedValueParser<Value = FileArgument> {
    OsStringValueParser::new().map(of)
}

fn of(text: OsString) -> FileArgument {
    match text.to_str() {
        Some(link) if Link::is_meant(link) => FileArgument::Link(link.to_owned()),
        Some(url) => FileArgument::Dump(path_of_url(url).unwrap_or_else(|| text.into())),
        None => FileArgument::Dump(text.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_of_a_desktop_are_accepted() {
        let dump = |path: &str| FileArgument::Dump(path.into());
        assert_eq!(of("a b.hprof".into()), dump("a b.hprof"));
        assert_eq!(of("file:///dumps/a%20b.hprof".into()), dump("/dumps/a b.hprof"));
        assert_eq!(of("file://server/a".into()), dump("file://server/a"));
        let link = "heaplens://open?view=leaks";
        assert_eq!(of(link.into()), FileArgument::Link(link.to_owned()));
    }
}
