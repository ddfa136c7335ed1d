//! Android dumps, written by `crates/testkit/src/art.rs` in the formats of ART and of croppers, are read correctly: heaps, sizes,
//! strings, native bytes. Values removed by a cropper read as not recorded, never as zero.

use std::io::{Read as _, Write};
use std::sync::Arc;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use heaplens_base::{Bytes, Task};
use heaplens_dump::mapping::MappingFile;
use heaplens_dump::{Dump, OpenOptions};
use heaplens_heap::parts::Part;
use heaplens_heap::{Address, ObjectId, RegionKind, SizeModel, Strength, Value as Read};
use heaplens_testkit::album;
use heaplens_testkit::archives::crc_32;
use heaplens_testkit::art::{Art, Writer};
use heaplens_testkit::fixtures;
use heaplens_testkit::phone::{at, sample};
use heaplens_testkit::sketch::Id;

use super::open_bytes;

mod ahat;
mod bitmaps;
mod graphs;
mod heaps;
mod obfuscated;
mod parts;
mod perflib;
mod sites;
mod truncated;

fn open(bytes: &[u8]) -> Dump {
    open_bytes(bytes, &OpenOptions::default())
}

/// The same, with the names of a mapping.
fn open_mapped(bytes: &[u8], mapping: &Arc<MappingFile>) -> Dump {
    let dump = open(bytes);
    dump.with_facts(dump.facts.renamed(mapping))
}

/// Reachable objects and bytes by ahat's rules.
fn strong() -> OpenOptions {
    let mut options = OpenOptions::default();
    options.rules.min_strength = Strength::Strong;
    options
}

fn object(dump: &Dump, id: Id) -> ObjectId {
    dump.facts.heap.at(Address(id)).unwrap_or_else(|| panic!("no object at {id:#x}"))
}

fn text(dump: &Dump, id: Id) -> Option<String> {
    dump.facts.contents.text(&dump.facts.heap, object(dump, id), 100)
}

fn field(dump: &Dump, id: Id, name: &str) -> Read {
    let fields = dump.facts.contents.fields(&dump.facts.heap, object(dump, id)).expect("it is readable");
    fields.into_iter().find(|field| field.name == name).unwrap_or_else(|| panic!("no field {name}")).value
}

/// Count of the parse warning that contains `words`.
fn noted(dump: &Dump, words: &str) -> u64 {
    dump.facts.heap.notes.iter().filter(|note| note.message.contains(words)).map(|note| note.count).sum()
}

/// The fixtures used by other tests are exactly these generated heaps.
#[test]
fn the_fixtures_are_the_samples() {
    for (name, heap) in [("phone", sample()), ("tracked", sites::tracked())] {
        let path = fixtures::path(&format!("android/{name}.hprof"));
        let bytes = heap.write(Writer::Art);
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
            std::fs::write(&path, &bytes).expect("the fixture can be written");
        }
        assert!(std::fs::read(&path).expect("the fixture") == bytes, "UPDATE_GOLDEN=1 writes it anew");
    }
}

/// The same for the fixture with leaks and bitmaps, which is compressed.
#[test]
fn the_album_equals_its_generator() {
    is_made_up("album.hprof.gz", &album::sample());
}

/// Compares a compressed fixture with the generated heap.
fn is_made_up(fixture: &str, art: &Art) {
    let path = fixtures::path("android").join(fixture);
    let bytes = art.write(Writer::Art);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let mut out = GzEncoder::new(Vec::new(), Compression::best());
        out.write_all(&bytes).expect("disk space");
        std::fs::write(&path, out.finish().expect("disk space")).expect("the fixture can be written");
    }
    let mut unpacked = Vec::new();
    let packed = std::fs::File::open(&path).expect("the fixture");
    GzDecoder::new(packed).read_to_end(&mut unpacked).expect("the fixture is packed");
    assert!(unpacked == bytes, "{fixture}: UPDATE_GOLDEN=1 writes it anew");
}

#[test]
fn heaps_match_the_file() {
    let dump = open(&sample().write(Writer::Art));
    let heap = &dump.facts.heap;
    assert_eq!(heap.origin.format.key(), "hprof-android");
    let regions = heap.regions().expect("Android has heaps");
    for (id, name) in [(at::OBJECT, "image"), (at::ZYGOTE_NODE, "zygote"), (at::CACHE_CLASS, "app"), (at::WIDE, "app")]
    {
        assert_eq!(regions.name(object(&dump, id)), name, "{id:#x}");
    }
    let mut totals: Vec<_> = dump.analysis.region_totals().iter().map(|t| (&*t.name, t.shown, t.native)).collect();
    totals.sort_by_key(|(name, ..)| *name);
    let names: Vec<&str> = totals.iter().filter(|(_, shown, _)| shown.objects > 0).map(|&(name, ..)| name).collect();
    assert_eq!(names, ["app", "image", "zygote"]);
    assert_eq!(totals.iter().map(|(_, shown, _)| shown.objects).sum::<u64>(), dump.analysis.shown.objects);
    assert_eq!(totals.iter().map(|(_, shown, _)| shown.shallow).sum::<Bytes>(), dump.analysis.shown.shallow);
    // The cache holds a node, a list and four blocks of the zygote.
    let cache = object(&dump, at::CACHE);
    let zygote = 16 + 32 + 4 * 112;
    assert_eq!(dump.analysis.retained_part(cache, Part::Region(RegionKind::Zygote)), Bytes(zygote));
    let app = dump.analysis.retained(cache).0 - zygote;
    assert_eq!(dump.analysis.retained_part(cache, Part::Region(RegionKind::App)), Bytes(app));
    // The cleaner of the bitmap refers to it, too, but not strongly.
    let strong = open_bytes(sample().write(Writer::Art), &strong());
    assert_eq!(strong.analysis.retained_part(object(&strong, at::CACHE), Part::Native), Bytes(12_288));
    assert_eq!(dump.analysis.retained_part(cache, Part::Native), Bytes(0));
}

#[test]
fn sizes_match_the_device_or_the_file() {
    let bytes = sample().write(Writer::Art);
    let mut options = OpenOptions::default();
    options.read.sizes = SizeModel::File;
    let (device, file) = (open(&bytes), open_bytes(&bytes, &options));
    let size = |dump: &Dump, id| dump.facts.heap.shallow(object(dump, id)).0;
    let (statics, table) = (5 * 4_u64, 21);
    for (id, on_device, in_file) in [
        (at::CACHE, 40, 36),
        (at::CACHE_CLASS, (statics + table).next_multiple_of(8), statics),
        // It is stored in the class object.
        (at::TABLE, 0, table),
        // 16 bytes and twelve characters of one byte.
        (at::TITLE, 16, 16),
        (at::TITLE + 16, 16, 12),
        // 22 characters of two bytes.
        (at::WIDE + 16, 48, 44),
        (at::EMPTY + 8, 0, 0),
        (at::PIXELS, 64, 50),
        (at::LONGS, 96, 80),
        (at::ELEMENTS, 32, 16),
    ] {
        assert_eq!((size(&device, id), size(&file, id)), (on_device, in_file), "{id:#x}");
    }
}

#[test]
fn native_bytes_are_those_still_registered() {
    let dump = open(&sample().write(Writer::Art));
    let heap = &dump.facts.heap;
    // Without the bit for the kind of allocation.
    assert_eq!(heap.native(object(&dump, at::BITMAP)), Bytes(12_288));
    // Its cleaner has run.
    assert_eq!(heap.native(object(&dump, at::RECYCLED)), Bytes(0));
    let class = heap.classes.named("android.graphics.Bitmap").expect("it exists");
    assert_eq!(dump.analysis.class_native(class), Bytes(12_288));
}

#[test]
fn dangling_references_are_counted_without_inventing_objects() {
    let dump = open(&sample().write(Writer::Art));
    assert_eq!(noted(&dump, "GC roots at addresses"), 1);
    assert_eq!(noted(&dump, "static fields refer to addresses"), 1);
    assert_eq!(noted(&dump, "references to addresses"), 1);
    assert_eq!(field(&dump, at::CACHE_CLASS, "lost"), Read::Dangling(Address(at::NOWHERE)));
    assert_eq!(dump.facts.heap.at(Address(0)), None);
    // Two classes with the same name are both present.
    let heap = &dump.facts.heap;
    assert_eq!(heap.classes.all().iter().filter(|class| &*class.name == "com.example.Twice").count(), 2);
}

#[test]
fn contents_are_read_as_in_jvm_dumps() {
    let dump = open(&sample().write(Writer::Art));
    let (heap, contents) = (&dump.facts.heap, &dump.facts.contents);
    assert_eq!(text(&dump, at::TITLE).as_deref(), Some("hello, world"));
    assert_eq!(text(&dump, at::WIDE).as_deref(), Some("Sigma (Ʃ) is not ASCII"));
    assert_eq!(text(&dump, at::EMPTY).as_deref(), Some(""));
    let list = object(&dump, 0x12c0_1b00);
    let logical = contents.logical(heap, list, 0..10).expect("a collection");
    assert_eq!((logical.size, logical.capacity, logical.entries.len()), (2, Some(4), 2));
    // The thread dominates the local variable, although the latter comes first in the file.
    let (thread, local) = (object(&dump, at::THREAD), object(&dump, at::LOCAL));
    assert_eq!(contents.label(heap, thread).as_deref(), Some("worker"));
    assert!(heap.references(thread).contains(&local.raw()));
    let names = contents.reference_names(heap, object(&dump, at::LOADER), object(&dump, at::LOADER + 4), 3);
    assert_eq!(names[0].text, "runtimeInternalObjects");
    assert!(!dump.analysis.is_reachable(object(&dump, at::GARBAGE)));
    let strong = open_bytes(sample().write(Writer::Art), &strong());
    assert!(!strong.analysis.is_reachable(object(&strong, at::HELD_WEAKLY)));
}

/// Files of all writers open with correct class names; strings are correct or not recorded.
#[test]
fn dumps_converted_by_tools_open() {
    let complete = open(&sample().write(Writer::Art));
    for by in Writer::ALL {
        let dump = open(&sample().write(by));
        let (heap, contents) = (&dump.facts.heap, &dump.facts.contents);
        assert_eq!(heap.origin.format.key(), "hprof-android", "{by:?}");
        let names = |dump: &Dump| -> Vec<String> {
            dump.facts.heap.classes.all().iter().filter(|c| c.object.is_some()).map(|c| c.name.to_string()).collect()
        };
        assert_eq!(names(&dump), names(&complete), "{by:?}");
        assert_eq!(heap.shallow(object(&dump, at::CACHE)), Bytes(40), "{by:?}");
        let has_text = matches!(by, Writer::Art | Writer::Conv | Writer::Matrix);
        assert_eq!(text(&dump, at::TITLE).as_deref(), has_text.then_some("hello, world"), "{by:?}");
        let characters = contents.elements(heap, object(&dump, at::TITLE + 16), 0..2).expect("it is readable");
        let expected = match by {
            Writer::Emptied => vec![],
            _ if has_text => vec![Read::Byte(b'h' as i8), Read::Byte(b'e' as i8)],
            _ => vec![Read::Unavailable; 2],
        };
        assert_eq!(characters, expected, "{by:?}");
        assert_eq!(contents.fingerprint(heap, object(&dump, at::TITLE)).is_some(), has_text, "{by:?}");
        // Croppers change neither structure nor sizes.
        if matches!(by, Writer::Tailor | Writer::Blanked | Writer::Conv) {
            assert_eq!(dump.analysis.shown, complete.analysis.shown, "{by:?}");
        }
        assert_eq!(heap.regions().is_some(), by != Writer::Conv, "{by:?}");
        let is_there = heap.at(Address(at::ZYGOTE_NODE)).is_some();
        assert_eq!(is_there, by != Writer::Koom, "{by:?}");
        if by == Writer::Koom {
            // Lengths are kept, so sizes are exact.
            assert_eq!(heap.shallow(object(&dump, at::LONGS)), Bytes(96));
            assert_eq!(noted(&dump, "their length only"), 9);
            assert!(matches!(field(&dump, at::CACHE, "node"), Read::Dangling(_)));
        }
        if by == Writer::Matrix {
            assert!(matches!(field(&dump, at::CACHE, "longs"), Read::Dangling(_)));
        }
        assert_eq!(noted(&dump, "blanked"), u64::from(matches!(by, Writer::Blanked | Writer::Emptied)), "{by:?}");
    }
}

/// A zip file with one entry, compressed or stored, and its directory.
fn zip(name: &str, bytes: &[u8], is_packed: bool) -> Vec<u8> {
    let mut packer = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all(bytes).expect("writing to memory");
    let packed = packer.finish().expect("writing to memory");
    let body = if is_packed { &packed[..] } else { bytes };
    let method = if is_packed { 8_u16 } else { 0 };
    let mut file = b"PK\x03\x04".to_vec();
    let common = |file: &mut Vec<u8>| {
        file.extend([20, 0, 0, 0]);
        file.extend(method.to_le_bytes());
        file.extend([0; 4]); // time, date
        file.extend(crc_32(bytes).to_le_bytes());
        file.extend((body.len() as u32).to_le_bytes());
        file.extend((bytes.len() as u32).to_le_bytes());
        file.extend((name.len() as u16).to_le_bytes());
        file.extend([0; 2]);
    };
    common(&mut file);
    file.extend(name.as_bytes());
    file.extend(body);
    let directory = file.len() as u32;
    file.extend(b"PK\x01\x02\x14\x00");
    common(&mut file);
    file.extend([0; 14]); // comment, disk, attributes, offset of the entry
    file.extend(name.as_bytes());
    let length = file.len() as u32 - directory;
    file.extend(b"PK\x05\x06\0\0\0\0\x01\0\x01\0");
    file.extend(length.to_le_bytes());
    file.extend(directory.to_le_bytes());
    file.extend([0; 2]);
    file
}

#[test]
fn packed_dumps_open_directly() {
    let bytes = sample().write(Writer::Art);
    let complete = open(&bytes).analysis.shown;
    for is_packed in [true, false] {
        let packed = zip("a/some.hprof", &bytes, is_packed);
        assert_eq!(open(&packed).analysis.shown, complete);
        // Without a directory it is read from the start.
        assert_eq!(open(&packed[..packed.len() - 10]).analysis.shown, complete);
    }
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    zlib.write_all(&sample().write(Writer::Tailor)).expect("writing to memory");
    let zlib = zlib.finish().expect("writing to memory");
    assert_eq!(open(&zlib).analysis.shown, complete);
    // A truncated entry yields the data before the truncation.
    let cut = open(&zlib[..zlib.len() * 9 / 10]);
    assert!(noted(&cut, "truncated or damaged") > 0 && !cut.facts.heap.is_empty());
}
