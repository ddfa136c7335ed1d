//! A heap snapshot through the inspector, written as it arrives.

use heaplens_base::{Bytes, Task, Unit};
use serde_json::{Value, json};

use super::session::Session;
use super::targets::InspectorTarget;
use crate::TakeError;
use crate::destination::Destination;
use crate::stream::Writer;

/// A snapshot describes each byte of the heap with about one of its own.
const ROOM: u64 = 16 << 20;

/// Closes the inspector of Node a moment after the connection to it has ended. The module is looked up at once: in the
/// callback `require` is not known, and an error there would end the process.
const CLOSE: &str =
    "(inspector => { setTimeout(() => { try { inspector.close() } catch {} }, 100) })(require('inspector'))";

/// Writes a heap snapshot of `target` to the destination. With `is_closed_after`, Node's inspector, which was started for
/// it, is closed afterwards.
pub(crate) fn take_snapshot(
    target: &InspectorTarget,
    destination: &Destination,
    is_closed_after: bool,
    task: &Task,
) -> Result<(), TakeError> {
    task.step("Connecting", Unit::Objects, 0);
    let mut session = Session::open(&target.address, task)?;
    let written = write(&mut session, destination, task);
    if is_closed_after {
        let close = json!({ "expression": CLOSE, "includeCommandLineAPI": true });
        // Ignored: the process may have ended, and the snapshot is there or not.
        let _closed = session.call("Runtime.evaluate", &close, |_, _| Ok(()));
    }
    written
}

fn write(session: &mut Session<'_>, destination: &Destination, task: &Task) -> Result<(), TakeError> {
    let nothing = |_: &str, _: &Value| Ok(());
    let used = session.call("Runtime.getHeapUsage", &json!({}), nothing);
    let used = used.ok().and_then(|usage| usage.get("usedSize")?.as_f64()).unwrap_or(0.0) as u64;
    destination.check_space(Bytes(used.saturating_add(used / 2).saturating_add(ROOM)))?;
    session.call("HeapProfiler.enable", &json!({}), nothing)?;
    task.step("Taking snapshot", Unit::Objects, 0);
    let mut unfinished = destination.unfinished()?;
    let mut total = 0;
    let progress = Task::new();
    let mut writer = Writer::new(unfinished.file_mut(), destination.folder(), &progress);
    let take = json!({ "reportProgress": true, "captureNumericValue": true, "treatGlobalObjectsAsRoots": true });
    let ended = session.call("HeapProfiler.takeHeapSnapshot", &take, |event, content| {
        match event {
            "HeapProfiler.addHeapSnapshotChunk" => {
                let chunk = content.get("chunk").and_then(Value::as_str).unwrap_or_default();
                writer.write(chunk.as_bytes())?;
            }
            "HeapProfiler.reportHeapSnapshotProgress" => {
                let number = |key: &str| content.get(key).and_then(Value::as_u64).unwrap_or(0);
                if number("total") != total {
                    total = number("total");
                    task.step("Taking snapshot", Unit::Objects, total);
                }
                task.advance(number("done").saturating_sub(task.progress().done));
            }
            _ => {}
        }
        Ok(())
    });
    ended?;
    let refused = |why: String| TakeError::Refused(format!("the inspector: {why}"));
    writer.finish()?.end(None).map_err(refused)?;
    destination.finish(unfinished.into_path())
}

/// Bytes used in the heap of `target`, with `is_live` after a collection.
pub(crate) fn heap_usage(target: &InspectorTarget, is_live: bool, task: &Task) -> Result<Bytes, TakeError> {
    let mut session = Session::open(&target.address, task)?;
    let nothing = |_: &str, _: &Value| Ok(());
    if is_live {
        session.call("HeapProfiler.collectGarbage", &json!({}), nothing)?;
    }
    let usage = session.call("Runtime.getHeapUsage", &json!({}), nothing)?;
    let used = usage.get("usedSize").and_then(Value::as_f64);
    let used =
        used.ok_or_else(|| TakeError::Refused("the inspector does not say how much memory is used".to_owned()))?;
    Ok(Bytes(used as u64))
}
