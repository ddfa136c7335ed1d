//! Sections of a snapshot that are read, and its metadata.

use super::meta::Head;
use super::sections::{Outline, Section};
use super::strings::{IndexedStrings, Strings};
use super::words::{KnownWords, PieceWords};
use crate::error::{FormatError, OpenError};
use heaplens_base::Task;

/// Sections of a file that are read.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) head: Option<Section>,
    pub(super) nodes: Section,
    pub(super) edges: Section,
    pub(super) samples: Option<Section>,
    pub(super) locations: Option<Section>,
    pub(super) functions: Option<Section>,
    pub(super) trace_tree: Option<Section>,
    pub(super) strings: Strings,
    /// True if the table of strings was closed.
    pub(super) has_all_strings: bool,
    pub(super) known: KnownWords,
    /// Offset at which the file is truncated, if it is.
    pub(super) broken: Option<u64>,
    /// Offset of something that is no section: what follows is skipped.
    pub(super) damaged: Option<u64>,
    /// Offset of what follows the snapshot, if something does.
    pub(super) rest: Option<u64>,
}

/// Locates the sections of a file.
pub(super) fn parts(file: &[u8], task: &Task) -> Result<Parts, OpenError> {
    let mut parts = Parts::default();
    let Some(mut outline) = Outline::new(file) else { return Ok(parts) };
    let mut has_strings = false;
    while let Some(key) = outline.key() {
        task.checkpoint()?;
        // Of several lists, the first is used: finding the end of one scans the whole rest of the file.
        if key == b"strings" && !std::mem::replace(&mut has_strings, true) && outline.enter().is_some() {
            let IndexedStrings { strings, seen, end, is_closed } =
                Strings::index(file, outline.at(), |seen: &mut PieceWords, string, raw| seen.see(string, raw), task)?;
            parts.known = KnownWords::new(seen, strings.firsts());
            parts.strings = strings;
            parts.has_all_strings = is_closed;
            outline.go_to(end);
            if !is_closed {
                parts.broken = Some(end as u64);
                break;
            }
            continue;
        }
        let section = outline.value(key);
        let is_closed = section.is_closed;
        match key {
            b"snapshot" => parts.head = Some(section),
            b"nodes" => parts.nodes = section,
            b"edges" => parts.edges = section,
            b"samples" => parts.samples = Some(section),
            b"locations" => parts.locations = Some(section),
            b"trace_function_infos" => parts.functions = Some(section),
            b"trace_tree" => parts.trace_tree = Some(section),
            _ => {}
        }
        if !is_closed {
            parts.broken = Some(file.len() as u64);
            break;
        }
    }
    if parts.broken.is_none() {
        let closed = outline.close();
        let is_padding = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0;
        let rest = file.get(outline.at()..).unwrap_or_default();
        let at = rest.iter().position(|byte| !is_padding(byte)).map(|skipped| (outline.at() + skipped) as u64);
        match (closed, at) {
            (Some(()), at) => parts.rest = at,
            (None, Some(at)) => parts.damaged = Some(at),
            (None, None) => parts.broken = Some(outline.at() as u64),
        }
    }
    Ok(parts)
}

/// Metadata of the snapshot, and its JSON text.
pub(super) fn head(file: &[u8], parts: &Parts) -> Result<(Head, String), FormatError> {
    let section = parts.head.clone().unwrap_or_default();
    let text = file.get(section.range.clone()).map(String::from_utf8_lossy).unwrap_or_default();
    let what = "a \"snapshot\" section with node and edge fields";
    if text.is_empty() || !section.is_closed {
        return Err(refuse(parts, what, "none"));
    }
    let head: Head = serde_json::from_str(&text).map_err(|error| refuse(parts, what, &error.to_string()))?;
    Ok((head, text.into_owned()))
}

pub(super) fn refuse(parts: &Parts, expected: &str, actual: &str) -> FormatError {
    let offset = parts.head.as_ref().map_or(0, |head| head.range.start as u64);
    let advice = "Check that the file is complete: snapshots are often truncated when the process exits.";
    FormatError::new("V8 heap snapshot", offset, expected, actual, advice)
}
