//! Metadata of a dump, as Shark lists it below its report.

use super::{device::Device, sizes::Sizes, trace::Metadata};
use crate::android::android_heap::AndroidHeap;
use heaplens_base::{Bytes, Cancelled, Task, Unit};
use heaplens_heap::{ClassKind, ObjectId, RootKind, Value};

const DATABASE: &str = "android.database.sqlite.SQLiteDatabase";

/// Reads the metadata.
pub(super) fn metadata(
    phone: &AndroidHeap<'_>,
    sizes: &Sizes<'_>,
    device: Device,
    task: &Task,
) -> Result<Metadata, Cancelled> {
    let heap = phone.heap;
    task.step("Reading dump metadata", Unit::Objects, heap.len() as u64);
    let mut metadata =
        Metadata { device, leakcanary: leakcanary(phone), process: process(phone), ..Metadata::default() };
    for block in task.blocks(heap.len()) {
        let block = block?;
        task.advance(block.len() as u64);
        // Records synthesized by the reader are not in the file.
        let there = block.filter_map(ObjectId::new).filter(|&object| heap.file_offset(object).is_some());
        for object in there {
            let is_class = heap.classes.of_object(object).is_some();
            match heap.class(object).kind {
                _ if is_class => metadata.classes += 1,
                ClassKind::Plain => metadata.instances += 1,
                ClassKind::ObjectArray => metadata.object_arrays += 1,
                ClassKind::PrimitiveArray => metadata.primitive_arrays += 1,
            }
            metadata.bytes += sizes.alone(object);
        }
    }
    metadata.threads = heap.roots.all().iter().filter(|root| root.kind == RootKind::Thread).count() as u64;
    bitmaps(phone, &mut metadata, task)?;
    for database in phone.instances(&[DATABASE], task)? {
        let configuration = phone.object(database, DATABASE, "mConfigurationLocked");
        let label = configuration.and_then(|configuration| {
            phone.text(configuration, "android.database.sqlite.SQLiteDatabaseConfiguration", "label")
        });
        if let Some(is_closed) = phone.is_null(database, DATABASE, "mConnectionPoolLocked") {
            metadata.databases.push((!is_closed, label));
        }
    }
    Ok(metadata)
}

fn leakcanary(phone: &AndroidHeap<'_>) -> Option<String> {
    let class = "leakcanary.internal.InternalLeakCanary";
    phone.static_field(class, "version").and_then(|version| phone.text_of(version.object()?))
}

fn process(phone: &AndroidHeap<'_>) -> Option<String> {
    const THREAD: &str = "android.app.ActivityThread";
    let thread = phone.static_field(THREAD, "sCurrentActivityThread")?.object()?;
    let bound = phone.object(thread, THREAD, "mBoundApplication")?;
    let info = phone.object(bound, "android.app.ActivityThread$AppBindData", "appInfo")?;
    // The declaring class changed between versions.
    phone.text_of(phone.any_field(info, "processName")?.object()?)
}

/// Counts bitmaps, and those at least a tenth larger than the largest screen.
fn bitmaps(phone: &AndroidHeap<'_>, metadata: &mut Metadata, task: &Task) -> Result<(), Cancelled> {
    const BITMAP: &str = "android.graphics.Bitmap";
    let area = |object: ObjectId, width: &str, height: &str| {
        let side = |name: &str| phone.any_field(object, name).and_then(crate::android::android_heap::number);
        side(width)?.checked_mul(side(height)?)
    };
    let screens = phone.instances(&["android.util.DisplayMetrics"], task)?;
    let screen = screens.into_iter().filter_map(|screen| area(screen, "widthPixels", "heightPixels")).max();
    let screen = screen.filter(|&screen| screen > 0);
    metadata.large_bitmaps = screen.map(|_| 0);
    for bitmap in phone.instances(&[BITMAP], task)? {
        if phone.any_field(bitmap, "mRecycled") == Some(Value::Bool(true)) {
            continue;
        }
        let bytes: Bytes = phone.heap.native(bitmap);
        metadata.bitmaps += 1;
        metadata.bitmap_bytes += bytes;
        let is_large = screen.zip(area(bitmap, "mWidth", "mHeight"));
        if is_large.is_some_and(|(screen, area)| area.saturating_mul(10) > screen.saturating_mul(11)) {
            metadata.large_bitmaps = metadata.large_bitmaps.map(|count| count + 1);
            metadata.large_bitmap_bytes += bytes;
        }
    }
    Ok(())
}
