//! What an inspector offers: pages, workers, programs.

use std::time::Duration;

use serde_json::Value;
use ureq::Agent;

use crate::TakeError;

/// Time to answer: the inspector is on this machine.
const PATIENCE: Duration = Duration::from_millis(1500);
/// Longest answer in bytes.
const LIMIT: u64 = 4 << 20;

/// A program or page with a heap of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct InspectorTarget {
    /// Identifier in addresses.
    pub id: String,
    /// Title of the page or path of the script.
    pub title: String,
    /// Address of its protocol.
    pub address: String,
}

/// Targets of the inspector at `host:port`; `None` if there is no inspector.
pub(crate) fn list_targets(place: &str) -> Option<Vec<InspectorTarget>> {
    let agent: Agent = Agent::config_builder().timeout_global(Some(PATIENCE)).build().into();
    let mut answer = agent.get(format!("http://{place}/json/list")).call().ok()?;
    let text = answer.body_mut().with_config().limit(LIMIT).read_to_string().ok()?;
    let list: Value = serde_json::from_str(&text).ok()?;
    let word = |target: &Value, key: &str| target.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let targets = list.as_array()?.iter().map(|target| InspectorTarget {
        id: word(target, "id"),
        title: word(target, "title"),
        address: word(target, "webSocketDebuggerUrl"),
    });
    Some(targets.filter(|target| target.address.starts_with("ws://")).collect())
}

/// The target with the identifier `id`, or the only one.
///
/// # Errors
/// If there is none or the choice is open.
pub(crate) fn choose(place: &str, id: Option<&str>) -> Result<InspectorTarget, TakeError> {
    let none = || TakeError::Refused(format!("no JavaScript inspector answers at {place}"));
    let targets = list_targets(place).ok_or_else(none)?;
    let mut wanted = targets.iter().filter(|target| id.is_none_or(|id| target.id == id));
    match (wanted.next(), wanted.next()) {
        (Some(target), None) => Ok(target.clone()),
        (None, _) => Err(TakeError::Refused(match id {
            Some(id) => format!("the inspector at {place} has no target {id}; it has {}", names(&targets)),
            None => format!("the inspector at {place} has no page or program with a heap"),
        })),
        _ => {
            let names = names(&targets);
            Err(TakeError::Refused(format!("several targets at {place}; add one as in http://{place}/ID: {names}")))
        }
    }
}

fn names(targets: &[InspectorTarget]) -> String {
    let names: Vec<String> = targets.iter().map(|target| format!("{} ({})", target.id, target.title)).collect();
    names.join(", ")
}
