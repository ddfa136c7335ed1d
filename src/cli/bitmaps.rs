//! `bitmaps`: every bitmap of a dump of Android, which are alike, and their
//! pixels as files.

use std::fs;
use std::path::Path;

use super::args::BitmapsArguments;
use super::commands::{Answer, filter, optional, print_with_totals};
use super::failure::Failure;
use super::names::Names;
use super::open;
use super::progress::ProgressLine;
use crate::analysis::android::bitmaps::{Bitmap, Bitmaps};
use crate::analysis::android::pixels::{Picture, Pixels};
use crate::export::png::png;
use crate::export::table::{Cell, Column, column};
use crate::session::dump::OpenDump;
use crate::task::Task;

const COLUMNS: [Column; 16] = [
    column("id", "Object"),
    column("width", "Width"),
    column("height", "Height"),
    column("config", "Config"),
    column("java_bytes", "In heap"),
    column("native_bytes", "Native"),
    column("retained_bytes", "Retained"),
    column("density", "Density"),
    column("recycled", "Recycled"),
    column("storage", "Storage"),
    column("pixels", "Pixels"),
    column("group", "Group"),
    column("alike", "Alike"),
    column("copies", "Copies"),
    column("owner", "Owner"),
    column("name", "Name"),
];

pub(super) fn bitmaps(arguments: &BitmapsArguments) -> Answer {
    let print = &arguments.print;
    let filter = filter(print)?;
    let (dump, _) = open(&arguments.file, &print.open)?;
    let task = Task::new();
    let line = ProgressLine::show(&task);
    let found = Bitmaps::find(&dump.facts.heap, &*dump.facts.contents, &dump.analyzed, &task)?;
    drop(line);
    if let Some(folder) = &arguments.save {
        save(&dump, &found, folder)?;
    }
    let names = Names::of(&dump)?;
    let rows = found.bitmaps.iter().map(|bitmap| row(&dump, &names, &found, bitmap));
    let passes = |row: &Result<Vec<Cell>, Failure>| {
        row.as_ref().is_ok_and(|row| row.iter().any(|cell| matches!(cell, Cell::Text(text) if filter.matches(text))))
    };
    let rows: Vec<Vec<Cell>> = rows.filter(|row| filter.is_empty() || passes(row)).collect::<Result<_, Failure>>()?;
    let (in_heap, native, wasted) = found.totals();
    let totals = [
        ("bitmaps", Cell::Count(found.bitmaps.len() as u64)),
        ("java_bytes", Cell::Size(in_heap)),
        ("native_bytes", Cell::Size(native)),
        ("wasted_bytes", Cell::Size(wasted)),
    ];
    print_with_totals(&dump, print, &COLUMNS, rows.into_iter(), &totals)
}

fn row(dump: &OpenDump, names: &Names<'_>, found: &Bitmaps, bitmap: &Bitmap) -> Result<Vec<Cell>, Failure> {
    let count = |number: Option<u32>| number.map_or(Cell::Nothing, |number| Cell::Count(number.into()));
    let word = |word: Option<&str>| optional(word.map(str::to_owned));
    let alike = bitmap.group.and_then(|group| found.alike.get(group as usize));
    // From Android 8 on a dump does not say it; how many bytes a pixel takes is known all the same.
    let layout = bitmap.layout.map(|layout| layout.name().to_owned());
    let config = layout.or_else(|| Some(format!("{} bytes per pixel", bitmap.bytes_per_pixel()?)));
    Ok(vec![
        Cell::Text(dump.facts.heap.id_text(bitmap.object)),
        count(bitmap.size.map(|size| size.0)),
        count(bitmap.size.map(|size| size.1)),
        optional(config),
        Cell::Size(bitmap.in_heap),
        Cell::Size(bitmap.native),
        Cell::Size(dump.analyzed.retained(bitmap.object)),
        count(bitmap.density),
        Cell::Text(if bitmap.is_recycled { "yes" } else { "no" }.to_owned()),
        word(bitmap.storage),
        word(bitmap.pixels.map(Pixels::name)),
        count(bitmap.group.map(|group| group + 1)),
        word(alike.map(|alike| if alike.is_certain { "same pixels" } else { "possible" })),
        alike.map_or(Cell::Nothing, |alike| Cell::Count(alike.members.len() as u64)),
        optional(names.owner(bitmap.object)),
        optional(names.name(bitmap.object)?),
    ])
}

/// Writes the bitmaps whose pixels are recorded: as PNG, or as the dump has them encoded.
fn save(dump: &OpenDump, found: &Bitmaps, folder: &Path) -> Answer {
    let unusable = |what: &Path| {
        let what = what.display().to_string();
        move |error: std::io::Error| Failure::Unusable(format!("{what}: {error}"))
    };
    fs::create_dir_all(folder).map_err(unusable(folder))?;
    for bitmap in &found.bitmaps {
        let (Some((width, height)), Some(pixels)) = (bitmap.size, bitmap.pixels) else { continue };
        let picture = pixels.picture(&dump.facts.heap, &*dump.facts.contents, (width, height));
        let (end, bytes) = match picture {
            Some(Picture::Rgba { pixels, .. }) => ("png", png(width, height, &pixels)),
            Some(Picture::Encoded(format, bytes)) => (format.name(), Some(bytes)),
            None => continue,
        };
        let file = folder.join(format!("{}-{width}x{height}.{end}", dump.facts.heap.id_text(bitmap.object)));
        fs::write(&file, bytes.unwrap_or_default()).map_err(unusable(&file))?;
    }
    Ok(())
}
