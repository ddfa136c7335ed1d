//! Raw heaps of ArkTS (`.rawheap`), as written by HarmonyOS: an image of the memory with the metadata needed to read
//! it. They are first converted to the same `.heapsnapshot` as by the translator of the device, and then read like any
//! snapshot. Details and differences: `docs/arkts.md`.
//!
//! 1.x and 2.x: `tables` and `metadata` are the contents of the file, `roots` and `hashes` common results; `addresses`
//! builds the graph for 1.x, `tokens` for 2.x. 3.x: `records`, with `fixed` for the graph. `pair` joins two files. All
//! of them implement `snapshot::Graph` and are written as a snapshot.

mod bytes;
mod damage;
mod hashes;
mod memory_image;
mod metadata;
mod names;
mod pair;
mod records;
mod roots;
mod snapshot;
mod static_heap;
mod tables;
mod tokens;

use std::path::Path;

use self::bytes::{to_nul, u32_at, u64_at};
use self::damage::{Damage, wrong};
use self::{
    metadata::Metadata, pair::Pair, records::Records, snapshot::Graph, static_heap::StaticHeap, tables::Tables,
};
use super::{error::OpenError, options::ReadOptions, source::Source};
use heaplens_base::{Count, Task, Unit};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Version {
    /// 1.x and 2.x.
    Dynamic,
    /// 3.x.
    Static,
    /// Later ones.
    Newer,
}

impl Version {
    fn of(file: &[u8]) -> Option<Self> {
        let start = file.get(..8)?;
        if u64_at(start, 0) == Some(0) {
            // Early files have no version: they are recognized by a valid end.
            let (body, metadata) = tables::parts(file)?;
            return (metadata.first() == Some(&b'{') && tables::sections(body).is_some()).then_some(Self::Dynamic);
        }
        let text = std::str::from_utf8(to_nul(start)).ok()?;
        let is_padded = text.len() < start.len() && start.iter().skip(text.len()).all(|&byte| byte == 0);
        let numbers: Vec<u32> = text.split('.').map(|part| part.parse().ok()).collect::<Option<_>>()?;
        match *numbers.as_slice() {
            [major, _, _] if is_padded && major > 0 => Some(match major {
                1 | 2 => Self::Dynamic,
                3 => Self::Static,
                _ => Self::Newer,
            }),
            _ => None,
        }
    }
}

/// Reads a heap of 1.x or 2.x.
fn dynamic<'a>(file: &'a [u8], damage: &mut Damage, task: &'a Task) -> Result<Box<dyn Graph<'a> + 'a>, OpenError> {
    let end = file.len() as u64;
    let (body, metadata) = tables::parts(file).ok_or_else(|| {
        let expected = "the offset of the type metadata";
        wrong(end.saturating_sub(8), expected, "an invalid offset", "Copy the file again.")
    })?;
    let at = body.len() as u64;
    let metadata = Metadata::read(metadata).map_err(|why| wrong(at, "type metadata", &why, "Copy the file again."))?;
    let tables = Tables::read(body, damage)?;
    if tables.width == 8 {
        Ok(Box::new(memory_image::MemoryImage::read(&tables, metadata, damage, task)?))
    } else {
        Ok(Box::new(tokens::TokenStream::read(&tables, metadata, damage, task)?))
    }
}

/// Other file of a pair, if there is one with a matching name in the same folder.
fn other(path: &Path, is_static: bool, options: &ReadOptions, task: &Task) -> Result<Option<Source>, OpenError> {
    let wanted = if is_static { Version::Dynamic } else { Version::Static };
    // The cache path is for this file's unpacked form, not for the other's.
    let options = ReadOptions { unpacked: None, ..options.clone() };
    for path in pair::companion_paths(path, is_static) {
        match Source::open(&path, &options, task) {
            Ok(source) if Version::of(source.bytes()) == Some(wanted) => return Ok(Some(source)),
            Err(OpenError::Cancelled) => return Err(OpenError::Cancelled),
            Ok(_) | Err(_) => {}
        }
    }
    Ok(None)
}

/// Reads the heap of a file, and joins it with that of the other if they belong together.
fn read<'a>(
    file: &'a [u8],
    other: Option<&'a [u8]>,
    damage: &mut Damage,
    task: &'a Task,
) -> Result<Box<dyn Graph<'a> + 'a>, OpenError> {
    let is_static = Version::of(file) == Some(Version::Static);
    let pair = other.map(|other| if is_static { (other, file) } else { (file, other) });
    if let Some((of_dynamic, of_static)) = pair {
        // Damage of the other file affects the result too; if it is unreadable, it is left out.
        let mut both = Damage::default();
        let records = Records::read(of_static, &mut both, task);
        let heap = records.and_then(|records| Ok((dynamic(of_dynamic, &mut both, task)?, records)));
        match heap {
            Ok((mut heap, records)) => {
                let fixed = StaticHeap::build(&records, false, task)?;
                if Pair::matches(heap.as_mut(), &fixed, &records) {
                    both.0.into_iter().for_each(|at| damage.at(at));
                    return Ok(Box::new(Pair::join(heap, &fixed, &records)));
                }
            }
            Err(OpenError::Cancelled) => return Err(OpenError::Cancelled),
            Err(_) => {}
        }
    }
    if is_static {
        let records = Records::read(file, damage, task)?;
        return Ok(Box::new(StaticHeap::build(&records, true, task)?));
    }
    dynamic(file, damage, task)
}

/// Converts the heap to a `.heapsnapshot`; returns the file itself if it is not a raw heap. If the file is one of a
/// pair, the other one is searched for next to `path`.
///
/// # Errors
/// If it is a raw heap of which nothing can be read, or if the snapshot cannot be written.
pub(crate) fn convert(source: Source, path: &Path, options: &ReadOptions, task: &Task) -> Result<Source, OpenError> {
    let Some(version) = Version::of(source.bytes()) else { return Ok(source) };
    if version == Version::Newer {
        let actual = String::from_utf8_lossy(to_nul(source.bytes().get(..8).unwrap_or_default())).into_owned();
        return Err(wrong(
            0,
            "version 1, 2 or 3",
            &actual,
            "Update heaplens: the file was written by a newer runtime.",
        ));
    }
    // A static heap of a program without the dynamic runtime has no second file.
    let is_static = version == Version::Static;
    let is_alone = is_static && u32_at(source.bytes(), 20).is_none_or(|word| word as u8 == 1);
    let other = if is_alone { None } else { other(path, is_static, options, task)? };
    task.step("Converting to a snapshot", Unit::Bytes, 0);
    let mut damage = Damage::default();
    let mut converted = source.rewrite(options, |out, blame| {
        let mut graph = read(source.bytes(), other.as_ref().map(Source::bytes), &mut damage, task)?;
        snapshot::write(graph.as_mut(), out, blame, task)
    })?;
    let damage =
        damage.0.map(|at| format!("raw heap is truncated or damaged at offset {}: the rest is missing", Count(at)));
    converted.damage = converted.damage.or(damage);
    Ok(converted)
}
