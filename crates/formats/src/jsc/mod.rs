//! Heap snapshots of JavaScriptCore (Safari's Web Inspector, Bun, `jsc`) in their own JSON, in both forms: `Inspector`
//! and `GCDebugging`. They are first converted to a `.heapsnapshot`, and then read like any snapshot; the rules are in
//! `docs/javascript-engines.md`.
//!
//! [`text`] walks over the JSON, [`parts`] reads its sections, [`nodes`] decides what each node is in a snapshot, and
//! [`snapshot`] writes it.

mod nodes;
mod parts;
mod snapshot;
mod text;

use self::parts::Parts;
use self::text::Json;
use super::error::{FormatError, OpenError};
use super::{options::ReadOptions, source::Source};
use heaplens_base::{Count, Task, Unit};

/// Number of bytes in which the first two keys must be.
const BEGINNING: usize = 512;
/// Maximum number of nodes: rows are numbered in 32 bits.
const MOST_NODES: usize = u32::MAX as usize - (1 << 16);

/// True if the object begins with a version, then says its type or lists nodes.
pub(super) fn recognises(file: &[u8]) -> bool {
    let mut json = Json::new(file.get(..BEGINNING).unwrap_or(file));
    if !json.enter(b'{') || json.key() != Some(&b"version"[..]) || json.number().is_none() {
        return false;
    }
    match json.key() {
        Some(b"type") => matches!(json.string(), Some(b"Inspector" | b"GCDebugging")),
        Some(b"nodes") => json.enter(b'['),
        _ => false,
    }
}

/// Converts a snapshot of JavaScriptCore to a `.heapsnapshot`; returns the file itself if it is none.
///
/// # Errors
/// If nothing can be read of it, or if the snapshot cannot be written.
pub(super) fn convert(source: Source, options: &ReadOptions, task: &Task) -> Result<Source, OpenError> {
    if !recognises(source.bytes()) {
        return Ok(source);
    }
    task.step("Converting to a snapshot", Unit::Bytes, 0);
    let parts = Parts::read(source.bytes(), task)?;
    let refuse = |expected: &str, actual: String| {
        let advice = "Check that the file is complete: take or copy the snapshot again.";
        FormatError::new("JavaScriptCore heap snapshot", parts.broken.unwrap_or_default(), expected, actual, advice)
    };
    match parts.nodes.len() {
        0 => return Err(refuse("an array of nodes", "none".to_owned()).into()),
        1..MOST_NODES => {}
        more => return Err(refuse("fewer nodes", format!("{} nodes", Count(more as u64))).into()),
    }
    let mut nowhere = 0;
    let mut converted = source.rewrite(options, |out, blame| {
        nowhere = snapshot::write(&parts, out, blame, task)?;
        Ok(())
    })?;
    converted.damage = converted.damage.or(damage(&parts, nowhere));
    Ok(converted)
}

/// Message about what is missing; `None` if nothing is.
fn damage(parts: &Parts<'_>, nowhere: u64) -> Option<String> {
    if let Some(at) = parts.broken {
        let at = Count(at);
        return Some(format!(
            "snapshot is truncated or damaged at offset {at}: references and names after it are missing"
        ));
    }
    let missing = &parts.missing;
    let sections = (!missing.is_empty()).then(|| format!("sections that are missing: {}", missing.join(", ")));
    let unnamed = parts.unnamed();
    let names = (unnamed > 0).then(|| format!("{} names are not in the file", Count(unnamed)));
    let edges = (nowhere > 0).then(|| format!("{} edges of nodes that are not in the file: ignored", Count(nowhere)));
    let all: Vec<String> = [sections, names, edges].into_iter().flatten().collect();
    (!all.is_empty()).then(|| all.join("; "))
}
