//! `kubectl describe pod`: the limit of a container, and why it ended. Nothing else of it is recorded.

use super::amounts::quantity;
use crate::machine::Limits;
use crate::record::ProcessRecord;

/// What the text says of a container.
#[derive(Default)]
struct Container {
    memory: Option<u64>,
    end: Option<String>,
    exit_code: Option<i64>,
}

/// True if a text is such a description.
pub(super) fn is_description(text: &str) -> bool {
    let has = |begin: &str| text.lines().any(|line| line.trim_end().starts_with(begin));
    has("Containers:") && (has("Name:") || has("Namespace:"))
}

/// Reads the description: of several containers the one that ran out of memory, else the first with a limit.
pub(super) fn read(name: &str, text: &str) -> ProcessRecord {
    let mut containers = containers(text);
    let is_out_of_memory = |container: &Container| container.end.as_deref() == Some("OOMKilled");
    let chosen = containers.iter().position(is_out_of_memory);
    let chosen = chosen.or_else(|| containers.iter().position(|container| container.memory.is_some())).unwrap_or(0);
    let mut record = ProcessRecord::new(name);
    if chosen < containers.len() {
        let Container { memory, end: last_end, exit_code: last_exit_code } = containers.swap_remove(chosen);
        record.limits = Some(Limits { memory, last_end, last_exit_code, ..Limits::default() });
    }
    record
}

/// Containers below `Containers:`; each begins with its name, two columns from the left.
fn containers(text: &str) -> Vec<Container> {
    let mut containers: Vec<Container> = Vec::new();
    let (mut is_inside, mut part, mut is_ended) = (false, "", false);
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        let (key, value) = line.trim().split_once(':').unwrap_or((line.trim(), ""));
        let value = value.trim();
        if indent == 0 {
            is_inside = key == "Containers";
            continue;
        }
        if !is_inside {
            continue;
        }
        if indent == 2 && value.is_empty() {
            containers.push(Container::default());
        }
        let Some(container) = containers.last_mut() else { continue };
        if indent <= 4 {
            part = key;
            is_ended = matches!(key, "State" | "Last State") && value == "Terminated";
        }
        match (part, key) {
            ("Limits", "memory") => container.memory = quantity(value),
            (_, "Reason") if is_ended => container.end = Some(value.to_owned()),
            (_, "Exit Code") if is_ended => container.exit_code = value.parse().ok(),
            _ => {}
        }
    }
    containers
}
