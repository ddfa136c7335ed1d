//! Bitmaps: size, location of the pixels and duplicates. Up to Android 7 the pixels are in the heap, from 8 on in
//! native memory; a dump of Android 15 or later may contain them as encoded images on request.

use std::collections::{BTreeMap, HashMap};

use super::pixels::{Encoding, Layout, Pixels};
use crate::answers::{DumpData, Question};
use heaplens_base::{Bytes, CHECKPOINT_EVERY, Cancelled, Task, Unit};
use heaplens_heap::contents::Fingerprints;
use heaplens_heap::{ClassId, Field, Heap, ObjectId, Value};

/// The class of all bitmaps.
const CLASS: &str = "android.graphics.Bitmap";
/// Storage kinds, indexed by a digit of the bitmap's number.
const STORAGE: [&str; 4] = ["wrapped", "heap", "ashmem", "hardware"];
/// Size of the number range of one storage kind.
const PER_STORAGE: i64 = 1_000_000;
/// Maximum number of encoded images read from a dump.
const PICTURES: u64 = 1 << 20;

/// A bitmap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bitmap {
    /// The object.
    pub object: ObjectId,
    /// Width and height, where they are recorded.
    pub size: Option<(u32, u32)>,
    /// Pixel layout, if the pixels are in the heap.
    pub layout: Option<Layout>,
    /// Bytes of its pixels in the heap.
    pub in_heap: Bytes,
    /// Registered native bytes.
    pub native: Bytes,
    /// Target screen density in dots per inch.
    pub density: Option<u32>,
    /// True if its pixels were freed by `recycle()`.
    pub is_recycled: bool,
    /// Kind of native storage: `hardware`, …
    pub storage: Option<&'static str>,
    /// Pixel data, if the dump contains it.
    pub pixels: Option<Pixels>,
    /// Index of its group of duplicates.
    pub group: Option<u32>,
}

impl Bitmap {
    /// Bytes of its pixels, in the heap or native.
    pub fn bytes(&self) -> Bytes {
        Bytes(self.in_heap.0.saturating_add(self.native.0))
    }

    /// Bytes per pixel, if the data contains nothing but pixels.
    pub fn bytes_per_pixel(&self) -> Option<u64> {
        let (width, height) = self.size?;
        let pixels = u64::from(width).checked_mul(height.into()).filter(|&pixels| pixels > 0)?;
        let bytes = self.bytes().0;
        bytes.is_multiple_of(pixels).then_some(bytes / pixels).filter(|bytes| [1, 2, 4, 8].contains(bytes))
    }

    /// Name of the pixel format. From Android 8 on a dump does not record it, but the number of bytes per pixel is
    /// known.
    pub fn config(&self) -> Option<String> {
        let layout = self.layout.map(|layout| layout.name().to_owned());
        layout.or_else(|| {
            let bytes = self.bytes_per_pixel()?;
            Some(format!("{bytes} {} per pixel", if bytes == 1 { "byte" } else { "bytes" }))
        })
    }

    /// Number of pixels, if its size is recorded.
    pub fn count(&self) -> Option<u64> {
        self.size.map(|(width, height)| u64::from(width) * u64::from(height))
    }
}

/// A group of duplicate bitmaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DuplicateBitmaps {
    /// Their indices, largest first.
    pub members: Vec<usize>,
    /// True if their pixels are equal; otherwise only their sizes are.
    pub is_certain: bool,
    /// Bytes of all but the largest of them.
    pub wasted: Bytes,
}

/// All shown bitmaps.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bitmaps {
    /// Largest first.
    pub bitmaps: Vec<Bitmap>,
    /// Groups of duplicates, most wasted bytes first.
    pub alike: Vec<DuplicateBitmaps>,
}

/// Key by which duplicate bitmaps are grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Content((u32, u32), [u64; 2]),
    Size((u32, u32), u64),
}

/// Number of bitmaps, from the class counts.
pub fn count(dump: DumpData<'_>) -> u64 {
    let heap = dump.heap;
    let is_bitmap = heap.classes.all_below(&bitmap_classes(heap));
    let classes = heap.classes.iter().filter(|(id, _)| is_bitmap.get(id.index()).is_some_and(|&is_bitmap| is_bitmap));
    classes.map(|(id, _)| dump.analysis.class_totals(id).objects).sum()
}

/// Properties of `object` if it is a bitmap, without looking for duplicates.
pub fn one(dump: DumpData<'_>, object: ObjectId) -> Option<Bitmap> {
    let heap = dump.heap;
    let classes = bitmap_classes(heap);
    let is_bitmap = heap.classes.all_below(&classes).get(heap.class_id(object).index()).is_some_and(|&is| is);
    is_bitmap.then(|| bitmap(dump, object, &recorded_pictures(dump, &classes)))
}

fn bitmap_classes(heap: &Heap) -> Vec<ClassId> {
    heap.classes.iter().filter(|(_, class)| &*class.name == CLASS).map(|(id, _)| id).collect()
}

/// Which bitmaps are there, and which are duplicates?
#[derive(Clone, PartialEq, Eq)]
pub struct BitmapsQuestion;

impl Question for BitmapsQuestion {
    type Answer = Bitmaps;

    fn compute(&self, dump: DumpData<'_>, task: &Task) -> Result<Bitmaps, Cancelled> {
        Bitmaps::find(dump, task)
    }

    fn bytes(answer: &Bitmaps) -> usize {
        size_of_val(&*answer.bitmaps)
    }
}

impl Bitmaps {
    /// Finds all shown bitmaps and their duplicates.
    pub fn find(dump: DumpData<'_>, task: &Task) -> Result<Self, Cancelled> {
        let heap = dump.heap;
        task.step("Finding bitmaps", Unit::Objects, heap.len() as u64);
        let named = bitmap_classes(heap);
        let is_bitmap = heap.classes.all_below(&named);
        let recorded = recorded_pictures(dump, &named);
        let rows = heap.class_rows();
        let mut bitmaps = Vec::new();
        for (nth, object) in heap.objects().enumerate() {
            if nth.is_multiple_of(CHECKPOINT_EVERY) {
                task.advance_checked(CHECKPOINT_EVERY as u64)?;
            }
            let is_bitmap = |class: ClassId| is_bitmap.get(class.index()).is_some_and(|&is_bitmap| is_bitmap);
            if rows.get(object.raw()).is_some_and(is_bitmap) && dump.analysis.is_reachable(object) {
                bitmaps.push(bitmap(dump, object, &recorded));
            }
        }
        bitmaps.sort_by_key(|bitmap| (std::cmp::Reverse(bitmap.bytes()), bitmap.object));
        let alike = alike(heap, dump.contents, &mut bitmaps, task)?;
        Ok(Self { bitmaps, alike })
    }

    /// Duplicates of a bitmap.
    pub fn alike(&self, bitmap: &Bitmap) -> Option<&DuplicateBitmaps> {
        self.alike.get(bitmap.group? as usize)
    }

    /// Totals: bytes in the heap, native bytes, and bytes wasted by duplicates with equal pixels.
    pub fn totals(&self) -> (Bytes, Bytes, Bytes) {
        let sum = |bytes: fn(&Bitmap) -> Bytes| self.bitmaps.iter().map(bytes).sum();
        let wasted = self.alike.iter().filter(|alike| alike.is_certain).map(|alike| alike.wasted).sum();
        (sum(|bitmap| bitmap.in_heap), sum(|bitmap| bitmap.native), wasted)
    }
}

fn bitmap(dump: DumpData<'_>, object: ObjectId, recorded: &HashMap<i64, ObjectId>) -> Bitmap {
    let DumpData { heap, contents, .. } = dump;
    // An object that cannot be read counts as a bitmap with unknown properties.
    let fields = contents.fields(heap, object).unwrap_or_default();
    let value = |name: &str| fields.iter().find(|field| field.name == name).map(|field| field.value);
    let int = |name| integer(value(name)).and_then(|number| u32::try_from(number).ok());
    let flag = |name| value(name) == Some(Value::Bool(true));
    let size = int("mWidth").zip(int("mHeight"));
    let buffer = value("mBuffer").and_then(Value::object);
    let length = buffer.and_then(|buffer| contents.array_length(heap, buffer));
    let layout = size.zip(length).and_then(|(size, length)| Layout::of(size, length));
    // The second field is newer: older releases lack it.
    let is_premultiplied = ["mIsPremultiplied", "mRequestPremultiplied"].into_iter().find_map(value);
    let is_premultiplied = is_premultiplied != Some(Value::Bool(false));
    let is_recycled = flag("mRecycled");
    let in_heap = buffer.zip(layout).filter(|_| !is_recycled);
    let in_heap = in_heap.filter(|&(array, _)| contents.fingerprint(heap, array).is_some());
    let in_heap = in_heap.map(|(array, layout)| Pixels::InHeap { array, layout, is_premultiplied });
    let encoded = || {
        let array = *recorded.get(&integer(value("mNativePtr")).filter(|_| !is_recycled)?)?;
        let encoding = Encoding::of(contents.body(heap, array)?)?;
        // An image of another size belongs to a bitmap whose memory was reused.
        let fits = encoding.size.is_none_or(|of| Some(of) == size);
        fits.then_some(Pixels::Encoded { array, format: encoding.format })
    };
    let storage = integer(value("mId")).and_then(|id| STORAGE.get(usize::try_from(id / PER_STORAGE % 10).ok()?));
    Bitmap {
        object,
        size,
        layout,
        in_heap: buffer.map_or(Bytes(0), |buffer| heap.shallow(buffer)),
        native: heap.native(object),
        density: int("mDensity").filter(|&density| density > 0),
        is_recycled,
        storage: storage.copied(),
        pixels: in_heap.or_else(encoded),
        group: None,
    }
}

fn integer(value: Option<Value>) -> Option<i64> {
    match value? {
        Value::Int(number) => Some(number.into()),
        Value::Long(number) => Some(number),
        _ => None,
    }
}

/// Images that `am dumpheap -b` makes a program put into its dump, by native address of the pixels.
fn recorded_pictures(dump: DumpData<'_>, classes: &[ClassId]) -> HashMap<i64, ObjectId> {
    let heap = dump.heap;
    let mut recorded = HashMap::new();
    let fields = |object| dump.contents.fields(heap, object).unwrap_or_default();
    let find = |fields: &[Field], name: &str| fields.iter().find(|field| field.name == name).map(|field| field.value);
    for class in classes.iter().filter_map(|&class| heap.classes.get(class).object) {
        let Some(data) = find(&fields(class), "dumpData").and_then(Value::object) else { continue };
        let data = fields(data);
        let array = |name| find(&data, name).and_then(Value::object);
        let (Some(natives), Some(buffers)) = (array("natives"), array("buffers")) else { continue };
        // The capacity exceeds the count.
        let count =
            integer(find(&data, "count")).and_then(|count| u64::try_from(count).ok()).unwrap_or(0).min(PICTURES);
        let elements = |array| dump.contents.elements(heap, array, 0..count).unwrap_or_default();
        for (native, buffer) in elements(natives).into_iter().zip(elements(buffers)) {
            if let (Some(native), Some(buffer)) = (integer(Some(native)), buffer.object()) {
                recorded.insert(native, buffer);
            }
        }
    }
    recorded
}

/// Groups duplicates.
fn alike(
    heap: &Heap,
    contents: &dyn Fingerprints,
    bitmaps: &mut [Bitmap],
    task: &Task,
) -> Result<Vec<DuplicateBitmaps>, Cancelled> {
    let mut groups: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
    for (index, bitmap) in bitmaps.iter().enumerate() {
        task.checkpoint()?;
        let Some(size) = bitmap.size.filter(|_| !bitmap.is_recycled && bitmap.bytes() > Bytes(0)) else { continue };
        let array = bitmap.pixels.map(Pixels::array);
        let key = match array.and_then(|array| contents.fingerprint(heap, array)) {
            Some(content) => Key::Content(size, content.hash),
            None => Key::Size(size, bitmap.bytes().0),
        };
        groups.entry(key).or_default().push(index);
    }
    let groups = groups.into_iter().filter(|(_, members)| members.len() > 1);
    let mut alike: Vec<DuplicateBitmaps> = groups
        .map(|(key, members)| {
            let sizes = members.iter().filter_map(|&index| bitmaps.get(index)).map(Bitmap::bytes);
            let wasted = sizes.skip(1).sum();
            DuplicateBitmaps { members, is_certain: matches!(key, Key::Content(..)), wasted }
        })
        .collect();
    alike.sort_by_key(|alike| (std::cmp::Reverse(alike.wasted), alike.members.first().copied()));
    for (group, alike) in (0..).zip(&alike) {
        for &index in &alike.members {
            bitmaps.get_mut(index).into_iter().for_each(|bitmap| bitmap.group = Some(group));
        }
    }
    Ok(alike)
}
