//! Figures of a JavaScript engine about its memory.

use heaplens_base::Task;
use serde_json::{Value, json};

use super::session::Session;
use super::targets::InspectorTarget;
use crate::TakeError;

/// Milliseconds that the engine has for the figures.
const PATIENCE: u64 = 2000;
/// The figures of Node; `null` elsewhere. Nothing is read of arguments or environment.
const FIGURES: &str = "(() => {
    const process = globalThis.process;
    if (typeof process?.memoryUsage !== 'function') return null;
    const v8 = process.getBuiltinModule?.('v8') ?? require('v8');
    return { memory: process.memoryUsage(), heap: v8.getHeapStatistics(), spaces: v8.getHeapSpaceStatistics(),
        version: process.version, pid: process.pid };
})()";

/// What an engine says of itself.
#[derive(Debug, Default)]
pub(crate) struct EngineFigures {
    /// Use of the heap, as every engine tells it.
    pub usage: Value,
    /// `process.memoryUsage()`, statistics of the heap, version; `null` if there is no `process`.
    pub process: Value,
    /// Number of worker threads; `None` if the engine has none of Node's.
    pub workers: Option<u64>,
}

/// Asks an engine for its figures.
pub(crate) fn engine_figures(target: &InspectorTarget, task: &Task) -> Result<EngineFigures, TakeError> {
    let mut session = Session::open(&target.address, task)?;
    let nothing = |_: &str, _: &Value| Ok(());
    let usage = session.call("Runtime.getHeapUsage", &json!({}), nothing)?;
    let question = json!({
        "expression": FIGURES, "includeCommandLineAPI": true, "returnByValue": true, "silent": true, "timeout": PATIENCE,
    });
    let mut answer = session.call("Runtime.evaluate", &question, nothing)?;
    let process = answer.pointer_mut("/result/value").map(Value::take).unwrap_or_default();
    let workers = process.is_object().then(|| count_workers(&mut session)).flatten();
    Ok(EngineFigures { usage, process, workers })
}

/// Number of workers: Node announces each that runs.
fn count_workers(session: &mut Session<'_>) -> Option<u64> {
    let mut workers = 0;
    let enabled = session.call("NodeWorker.enable", &json!({ "waitForDebuggerOnStart": false }), |event, _| {
        workers += u64::from(event == "NodeWorker.attachedToWorker");
        Ok(())
    });
    enabled.ok()?;
    // Ignored: the session ends anyway.
    let _disabled = session.call("NodeWorker.disable", &json!({}), |_, _| Ok(()));
    Some(workers)
}
