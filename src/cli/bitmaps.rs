//! `bitmaps`: all bitmaps of an Android dump with duplicates; saves their pixels as files.

use std::fs;
use std::path::{Path, PathBuf};

use super::args::BitmapsArguments;
use super::failure::Failure;
use super::names::Names;
use super::open::inputs;
use super::print::{Answer, open_filtered};
use super::progress::with_progress;
use super::tables::{print_table, row_query};
use heaplens_analysis::android::bitmaps::Bitmaps as HeapBitmaps;
use heaplens_analysis::android::pixels::Picture;
use heaplens_dump::Dump;
use heaplens_session::output_file::{OutputFile, OutputKind};
use heaplens_tables::export::png::png;
use heaplens_tables::{Bitmaps, TableContext};

pub(super) fn bitmaps(arguments: &BitmapsArguments) -> Answer {
    let print = &arguments.print;
    let (dump, _) = open_filtered(&arguments.file, print)?;
    let names = Names::of(&dump)?;
    let context = TableContext::of(&dump).with_namer(names.namer());
    let table = with_progress(|task| Bitmaps::of(context, task))?;
    if let Some(folder) = &arguments.save {
        save(&dump, &table.bitmaps_of_heap, folder, &inputs([&arguments.file], &print.open, None))?;
    }
    print_table(&dump, &table, &row_query(&arguments.order, print), print.format)
}

/// Saves bitmaps with recorded pixels to `folder`, as PNG or in their encoded format.
fn save(dump: &Dump, bitmaps: &HeapBitmaps, folder: &Path, inputs: &[PathBuf]) -> Answer {
    let unusable = |what: &Path| {
        let what = what.display().to_string();
        move |error: std::io::Error| Failure::Unusable(format!("{what}: {error}"))
    };
    fs::create_dir_all(folder).map_err(unusable(folder))?;
    for bitmap in &bitmaps.bitmaps {
        let (Some((width, height)), Some(pixels)) = (bitmap.size, bitmap.pixels) else { continue };
        let picture = pixels.picture(&dump.facts.heap, &*dump.facts.contents, (width, height));
        let (end, bytes) = match picture {
            Some(Picture::Rgba { pixels, .. }) => ("png", png(width, height, &pixels)),
            Some(Picture::Encoded(format, bytes)) => (format.name(), Some(bytes)),
            None => continue,
        };
        let file = folder.join(format!("{}-{width}x{height}.{end}", dump.facts.heap.id_text(bitmap.object)));
        let Some(bytes) = bytes else { continue };
        OutputFile::new(&file, OutputKind::Picture, inputs)
            .with_values(true)
            .write(|out| {
                out.write_all(&bytes)?;
                // If the dump could no longer be read, the bytes are not the bitmap's.
                dump.facts.doubt().map_or(Ok(()), |why| Err(std::io::Error::other(why)))
            })
            .map_err(unusable(&file))?;
    }
    Ok(())
}
