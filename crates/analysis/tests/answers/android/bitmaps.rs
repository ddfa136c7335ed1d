//! Bitmaps of Android 7, with pixels in the heap, and of Android 15, whose dump may contain encoded images.

use heaplens_analysis::android::bitmaps::{Bitmap, Bitmaps};
use heaplens_analysis::android::pixels::{Format, Layout, Picture, Pixels};
use heaplens_testkit::art::{APP, Art, Class, root};
use heaplens_testkit::sketch::{Type, Value};

use super::*;

const OBJECT: Id = 0x7000_0000;
const CLASS: Id = 0x7000_0100;
const BYTES: Id = 0x7000_0200;
const LONGS: Id = 0x7000_0300;
const ARRAYS: Id = 0x7000_0400;
const DATA: Id = 0x7000_0500;
const BITMAP: Id = 0x7000_0600;
/// Address of the first bitmap; the others follow.
const FIRST: Id = 0x12c0_0000;

fn bytes(bytes: &[u8]) -> Vec<Value> {
    bytes.iter().map(|&byte| Value::Byte(byte.cast_signed())).collect()
}

/// Width, height, whether recycled, the address outside, and the pixels in the heap.
type Planned<'a> = (i32, i32, bool, i64, Option<&'a [u8]>);

/// These bitmaps, and encoded images in the dump, by address.
fn heap(bitmaps: &[Planned<'_>], pictures: &[(i64, &[u8])], count: i32) -> Art {
    let mut art = Art::default();
    for class in [OBJECT, CLASS, BYTES, LONGS, ARRAYS, DATA, BITMAP] {
        art.root(root::STICKY_CLASS, class, 0);
    }
    for n in 0..bitmaps.len() {
        art.root(root::JNI_GLOBAL, FIRST + n as Id * 0x100, 0);
    }
    art.heap(APP, "app");
    let plain = |id, name, bytes, fields| Class { id, name, superclass: OBJECT, bytes, fields, ..Class::default() };
    art.class(Class { superclass: 0, ..plain(OBJECT, "java.lang.Object", 8, &[]) });
    art.class(plain(CLASS, "java.lang.Class", 0, &[]));
    for (id, name) in [(BYTES, "byte[]"), (LONGS, "long[]"), (ARRAYS, "byte[][]")] {
        art.class(plain(id, name, 0, &[]));
    }
    let data = [("count", Type::Int), ("format", Type::Int), ("natives", Type::Object), ("buffers", Type::Object)];
    art.class(plain(DATA, "android.graphics.Bitmap$DumpData", 24, &data));
    let fields = [
        ("mWidth", Type::Int),
        ("mHeight", Type::Int),
        ("mRecycled", Type::Boolean),
        ("mNativePtr", Type::Long),
        ("mBuffer", Type::Object),
        ("mDensity", Type::Int),
    ];
    let dump_data = [("dumpData", Value::Object(0x1300_0000))];
    let statics: &[_] = if pictures.is_empty() { &[] } else { &dump_data };
    art.class(Class { statics, ..plain(BITMAP, "android.graphics.Bitmap", 40, &fields) });
    for (n, &(width, height, recycled, native, pixels)) in (0..).zip(bitmaps) {
        let (id, array) = (FIRST + n * 0x100, 0x1400_0000 + n * 0x10000);
        let buffer = Value::Object(if pixels.is_some() { array } else { 0 });
        let values = [
            Value::Int(width),
            Value::Int(height),
            Value::Boolean(recycled),
            Value::Long(native),
            buffer,
            Value::Int(420),
        ];
        art.instance(id, BITMAP, &values);
        if let Some(pixels) = pixels {
            art.numbers(array, Type::Byte, bytes(pixels));
        }
    }
    if !pictures.is_empty() {
        let (natives, buffers) = (0x1300_0100, 0x1300_1000);
        let values = [Value::Int(count), Value::Int(1), Value::Object(natives), Value::Object(buffers)];
        art.instance(0x1300_0000, DATA, &values);
        art.numbers(natives, Type::Long, pictures.iter().map(|&(native, _)| Value::Long(native)).collect());
        let indexes: Vec<Id> = (0..pictures.len() as Id).map(|n| 0x1300_2000 + n * 0x1000).collect();
        art.objects(buffers, ARRAYS, &indexes);
        for (&index, (_, picture)) in indexes.iter().zip(pictures) {
            art.numbers(index, Type::Byte, bytes(picture));
        }
    }
    art
}

fn find(dump: &Dump) -> Bitmaps {
    Bitmaps::find(dump.data(), &Task::new()).expect("not cancelled")
}

fn indexes_of(dump: &Dump, actual: &Bitmaps, group: usize) -> Vec<Id> {
    let index = |&at: &usize| (dump.facts.heap.address(actual.bitmaps[at].object).0 - FIRST) / 0x100;
    actual.alike[group].members.iter().map(index).collect()
}

#[test]
fn pixels_in_the_heap_are_decoded_and_compared() {
    let red: Vec<u8> = [255, 0, 0, 255].repeat(6);
    let blue: Vec<u8> = [0, 0, 255, 255].repeat(6);
    let small = [0x1f, 0xf8];
    let bitmaps = [
        (3, 2, false, 0, Some(&red[..])),
        (3, 2, false, 0, Some(&blue[..])),
        (2, 3, false, 0, Some(&red[..])),
        (3, 2, false, 0, Some(&red[..])),
        (1, 1, false, 0, Some(&small[..])),
        (3, 2, true, 0, None),
        (-1, 7, false, 0, Some(&small[..])),
    ];
    let dump = open(&heap(&bitmaps, &[], 0).write(Writer::Art));
    let actual = find(&dump);
    assert_eq!(actual.bitmaps.len(), 7);
    assert_eq!(actual.alike.len(), 1);
    assert_eq!((indexes_of(&dump, &actual, 0), actual.alike[0].is_certain), (vec![0, 3], true));
    assert_eq!(actual.alike[0].wasted, actual.bitmaps[0].in_heap);
    let of = |index: Id| {
        let object = object(&dump, FIRST + index * 0x100);
        actual.bitmaps.iter().find(|bitmap| bitmap.object == object).expect("it exists")
    };
    assert_eq!(of(4).layout.map(Layout::name), Some("RGB_565"));
    assert_eq!((of(1).size, of(1).density, of(5).is_recycled), (Some((3, 2)), Some(420), true));
    assert_eq!((of(5).pixels, of(6).pixels, of(6).size), (None, None, None));
    let picture = |index| {
        let (pixels, size) = (of(index).pixels.expect("pixels"), of(index).size.expect("a size"));
        pixels.picture(&dump.facts.heap, &*dump.facts.contents, size)
    };
    assert_eq!(picture(1), Some(Picture::Rgba { width: 3, height: 2, pixels: blue }));
    assert_eq!(picture(4), Some(Picture::Rgba { width: 1, height: 1, pixels: vec![255, 0, 255, 255] }));
}

/// Pixels removed by a cropper are not recorded: no thumbnail, and only equal sizes can match.
#[test]
fn without_pixels_bitmaps_of_one_size_are_possible_copies() {
    let (red, blue) = ([255, 0, 0, 255].repeat(6), [0, 0, 255, 255].repeat(6));
    let bitmaps = [(3, 2, false, 0, Some(&red[..])), (3, 2, false, 0, Some(&blue[..]))];
    let art = heap(&bitmaps, &[], 0);
    for by in [Writer::Koom, Writer::Tailor] {
        let dump = open(&art.write(by));
        let actual = find(&dump);
        assert_eq!(actual.bitmaps.iter().filter(|bitmap| bitmap.pixels.is_some()).count(), 0, "{by:?}");
        assert_eq!((indexes_of(&dump, &actual, 0), actual.alike[0].is_certain), (vec![0, 1], false), "{by:?}");
    }
}

/// Thumbnails are small for any recorded size: nothing is allocated by it.
#[test]
fn impossible_bitmap_sizes_allocate_nothing() {
    let pixels = [7_u8; 64];
    let bitmaps = [
        (i32::MAX, i32::MAX, false, 0, Some(&pixels[..])),
        (1 << 15, 1 << 15, false, 0, Some(&pixels[..])),
        (0, 7, false, 0, Some(&pixels[..])),
        (4, 4, false, 0, Some(&pixels[..])),
        (16, 1, false, 0, Some(&pixels[..])),
    ];
    let dump = open(&heap(&bitmaps, &[], 0).write(Writer::Art));
    let actual = find(&dump);
    let (heap, contents) = (&*dump.facts.heap, &*dump.facts.contents);
    let small = |bitmap: &Bitmap| Some(bitmap.pixels?.small(heap, contents, bitmap.size?, 8)).flatten();
    let mut sizes: Vec<_> = actual.bitmaps.iter().filter_map(small).map(|small| (small.width, small.height)).collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [(4, 4), (8, 1)]);
    // Even if the bytes are declared as pixels of such a size.
    let complete = actual.bitmaps.iter().find(|bitmap| bitmap.size == Some((4, 4))).and_then(|bitmap| bitmap.pixels);
    for size in [(u32::MAX, u32::MAX), (1 << 14, 1 << 14), (0, 0), (5, 4)] {
        assert_eq!(complete.expect("pixels").small(heap, contents, size, 8), None, "{size:?}");
    }
}

#[test]
fn images_in_the_dump_are_matched_to_their_bitmaps() {
    let png = |size: u8| [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".as_slice(), &[0, 0, 0, size, 0, 0, 0, size]].concat();
    let (eight, nine) = (png(8), png(9));
    let bitmaps = [
        (8, 8, false, 0x7c00, None),
        (8, 8, false, 0x7c10, None),
        (8, 8, false, 0x7c20, None),
        (8, 8, false, 0x7c30, None),
    ];
    // The third is of another size, the fourth is behind those that count.
    let pictures = [(0x7c00, &eight[..]), (0x7c10, &eight[..]), (0x7c20, &nine[..]), (0x7c30, &eight[..])];
    let dump = open(&heap(&bitmaps, &pictures, 3).write(Writer::Art));
    let actual = find(&dump);
    let mut forms: Vec<_> = actual.bitmaps.iter().map(|bitmap| (bitmap.object, bitmap.pixels)).collect();
    forms.sort_by_key(|&(object, _)| object);
    let is_png = |pixels: Option<Pixels>| matches!(pixels, Some(Pixels::Encoded { format: Format::Png, .. }));
    assert_eq!(forms.iter().map(|&(_, pixels)| is_png(pixels)).collect::<Vec<_>>(), [true, true, false, false]);
    let picture = forms[0].1.and_then(|of| of.picture(&dump.facts.heap, &*dump.facts.contents, (8, 8)));
    assert_eq!(picture, Some(Picture::Encoded(Format::Png, eight.clone())));
    // More than there are, or fewer than none, do no harm.
    for count in [i32::MAX, -1] {
        let dump = open(&heap(&bitmaps, &pictures, count).write(Writer::Art));
        let seen = find(&dump).bitmaps.iter().filter(|bitmap| bitmap.pixels.is_some()).count();
        assert_eq!(seen, if count < 0 { 0 } else { 3 });
    }
}
