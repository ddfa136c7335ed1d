//! KOOM's rules for leaks and oversized objects. Classes are identified by their place below
//! `java.lang.Object`, as in KOOM: activities are the fifth from the top,
//! fragments and bitmaps the second.

use rustc_hash::FxHashMap;

use crate::android::android_heap::AndroidHeap;
use heaplens_base::{Bytes, CHECKPOINT_EVERY, Cancelled, Task, Unit};
use heaplens_graph::Bits;
use heaplens_heap::{ClassId, ClassKind, ObjectId, Value};

const ACTIVITY: &str = "android.app.Activity";
const BITMAP: &str = "android.graphics.Bitmap";
/// Candidates for the fragment class: the first one in the dump is used.
const FRAGMENTS: [&str; 3] =
    ["androidx.fragment.app.Fragment", "android.app.Fragment", "android.support.v4.app.Fragment"];
/// Classes that are counted but not checked for leaks.
const COUNTED: [&str; 3] = [
    "libcore.util.NativeAllocationRegistry",
    "libcore.util.NativeAllocationRegistry$CleanerThunk",
    "android.view.Window",
];
/// Bytes of an array record besides its elements, with 4-byte addresses.
const PRIMITIVE_HEAD: u64 = 13;
const OBJECT_HEAD: u64 = 16;

/// Thresholds above which an object is oversized.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thresholds {
    /// Pixels of a bitmap.
    pub bitmap_pixels: u64,
    /// Bytes of a primitive array record.
    pub primitive_array: Bytes,
    /// Bytes of an object array record.
    pub object_array: Bytes,
    /// Maximum number of objects per class for which paths are searched.
    pub same_class: u64,
}

impl Default for Thresholds {
    /// KOOM's thresholds.
    fn default() -> Self {
        Self {
            bitmap_pixels: 768 * 1366 + 1,
            primitive_array: Bytes(256 * 1024),
            object_array: Bytes(256 * 1024),
            same_class: 45,
        }
    }
}

/// Counts of a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassCount {
    /// Its name.
    pub class: String,
    /// Counted instances: leaking activities, fragments without a manager, large bitmaps, all instances of some other
    /// classes.
    pub instances: u64,
    /// Leaking instances among them.
    pub leaking: u64,
}

/// An oversized object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KoomBigObject {
    /// The object.
    pub object: ObjectId,
    /// Its class.
    pub class: String,
    /// Pixels of a bitmap, or bytes of an array record.
    pub size: u64,
    /// Width and height of a bitmap.
    pub sides: Option<(u64, u64)>,
}

/// Result of applying the rules.
#[derive(Default)]
pub(super) struct KoomFindings {
    /// Objects to which paths are searched.
    pub(super) leaking: Bits,
    /// Reason for each of them.
    pub(super) reasons: Vec<(ObjectId, String)>,
    pub(super) classes: Vec<ClassCount>,
    pub(super) big: Vec<KoomBigObject>,
}

/// Check applied to the instances of a class.
#[derive(Clone, Copy)]
enum Rule {
    Nothing,
    Activity,
    Fragment,
    Bitmap,
    Counted,
}

/// Applies the rules to all objects, in address order.
pub(super) fn find(phone: &AndroidHeap<'_>, thresholds: &Thresholds, task: &Task) -> Result<KoomFindings, Cancelled> {
    let heap = phone.heap;
    task.step("Finding leaked and oversized objects", Unit::Objects, heap.len() as u64);
    let (rules, rows) = (rules(phone), heap.class_rows());
    let mut finder = Finder {
        phone,
        thresholds,
        counts: FxHashMap::default(),
        bitmaps: Vec::new(),
        primitive: Vec::new(),
        references: Vec::new(),
        findings: KoomFindings { leaking: Bits::new(heap.len()), ..KoomFindings::default() },
    };
    for (nth, object) in heap.objects().enumerate() {
        if nth.is_multiple_of(CHECKPOINT_EVERY) {
            task.advance_checked(CHECKPOINT_EVERY as u64)?;
        }
        let Some(class) = rows.get(object.raw()) else { continue };
        match heap.classes.get(class).kind {
            ClassKind::Plain if heap.classes.of_object(object).is_none() => {
                let rule = rules.get(class.index()).copied().unwrap_or(Rule::Nothing);
                finder.instance(object, class, rule);
            }
            ClassKind::Plain => {}
            ClassKind::PrimitiveArray => finder.array(object, class, true),
            ClassKind::ObjectArray => finder.array(object, class, false),
        }
    }
    let Finder { bitmaps, primitive, references, mut findings, .. } = finder;
    findings.big = bitmaps.into_iter().chain(primitive).chain(references).collect();
    Ok(findings)
}

/// Checks by class.
fn rules(phone: &AndroidHeap<'_>) -> Vec<Rule> {
    let first = |name: &str| phone.classes(name).first().copied();
    let (activity, bitmap) = (first(ACTIVITY), first(BITMAP));
    let fragment = FRAGMENTS.iter().find_map(|name| first(name));
    let counted: Vec<ClassId> = COUNTED.iter().filter_map(|name| first(name)).collect();
    let rule = |class: ClassId| {
        let lineage: Vec<ClassId> = phone.lineage(class).collect();
        let from_top = |depth: usize| lineage.len().checked_sub(depth).and_then(|at| lineage.get(at)).copied();
        let (fifth, second) = (from_top(5), from_top(2));
        match (fifth, second) {
            (Some(fifth), _) if Some(fifth) == activity => Rule::Activity,
            (_, Some(second)) if Some(second) == fragment => Rule::Fragment,
            (_, Some(second)) if Some(second) == bitmap => Rule::Bitmap,
            (_, Some(second)) if counted.contains(&second) => Rule::Counted,
            _ => Rule::Nothing,
        }
    };
    phone.heap.classes.iter().map(|(class, _)| rule(class)).collect()
}

struct Finder<'a> {
    phone: &'a AndroidHeap<'a>,
    thresholds: &'a Thresholds,
    /// Indices in the list of classes.
    counts: FxHashMap<ClassId, usize>,
    bitmaps: Vec<KoomBigObject>,
    primitive: Vec<KoomBigObject>,
    references: Vec<KoomBigObject>,
    findings: KoomFindings,
}

impl Finder<'_> {
    fn instance(&mut self, object: ObjectId, class: ClassId, rule: Rule) {
        let phone = self.phone;
        match rule {
            Rule::Nothing => {}
            Rule::Counted => {
                self.count(class, false);
            }
            Rule::Activity => {
                let is = |name: &str| phone.flag(object, ACTIVITY, name) == Some(true);
                if (is("mDestroyed") || is("mFinished")) && self.count(class, true) {
                    self.leaks(object, "Activity Leak".to_owned());
                }
            }
            Rule::Fragment => {
                if phone.any_field(object, "mFragmentManager") == Some(Value::Null) {
                    let was_called = phone.any_field(object, "mCalled") == Some(Value::Bool(true));
                    if self.count(class, was_called) && was_called {
                        self.leaks(object, "Fragment Leak".to_owned());
                    }
                }
            }
            Rule::Bitmap => self.bitmap(object, class),
        }
    }

    fn bitmap(&mut self, object: ObjectId, class: ClassId) {
        let side = |name: &str| self.phone.number(object, BITMAP, name).and_then(|side| u64::try_from(side).ok());
        let Some((width, height)) = side("mWidth").zip(side("mHeight")) else { return };
        let size = width.saturating_mul(height);
        if size >= self.thresholds.bitmap_pixels && self.count(class, true) {
            self.leaks(object, format!("Bitmap Size Over Threshold, {width}x{height}"));
            let class = self.phone.name_of(class).to_owned();
            self.bitmaps.push(KoomBigObject { object, class, size, sides: Some((width, height)) });
        }
    }

    fn array(&mut self, object: ObjectId, class: ClassId, is_primitive: bool) {
        let (heap, thresholds) = (self.phone.heap, self.thresholds);
        let (head, min_bytes) = if is_primitive {
            (PRIMITIVE_HEAD, thresholds.primitive_array)
        } else {
            (OBJECT_HEAD, thresholds.object_array)
        };
        // An array is at least as large as its elements, so small ones are skipped without reading the file.
        if heap.shallow(object).0.saturating_add(head) < min_bytes.0 {
            return;
        }
        let elements = self.phone.contents.recorded_bytes(heap, object).unwrap_or_default();
        let size = elements.0.saturating_add(head);
        if size < min_bytes.0 {
            return;
        }
        let kind = if is_primitive { "Primitive" } else { "Object" };
        self.leaks(object, format!("{kind} Array Size Over Threshold, {size}"));
        let class = self.phone.name_of(class).to_owned();
        let all = if is_primitive { &mut self.primitive } else { &mut self.references };
        all.push(KoomBigObject { object, class, size, sides: None });
    }

    /// Counts an object; true if a path to it is to be searched.
    fn count(&mut self, class: ClassId, is_leaking: bool) -> bool {
        let classes = &mut self.findings.classes;
        let at = *self.counts.entry(class).or_insert_with(|| {
            classes.push(ClassCount { class: self.phone.name_of(class).to_owned(), instances: 0, leaking: 0 });
            classes.len() - 1
        });
        let Some(count) = classes.get_mut(at) else { return false };
        count.instances += 1;
        count.leaking += u64::from(is_leaking);
        count.leaking <= self.thresholds.same_class
    }

    fn leaks(&mut self, object: ObjectId, why: String) {
        self.findings.leaking.insert(object.raw());
        self.findings.reasons.push((object, why));
    }
}
