//! Whether a snapshot still has values, no matter who removed the rest. The walk is its own, over every byte of the file,
//! and shares nothing with the stripper or the readers but the definition of a value and of a placeholder: everything is
//! a number, a name, or a placeholder. What is none of these is reported with its offset.

mod json;
mod roles;

use rustc_hash::FxHashSet;
use serde_json::Value;

use self::json::{Members, StringTable};
use self::roles::{AuditRoles, role};
use super::strip::is_placeholder;
use super::text::{decode, units};
use crate::error::{FormatError, OpenError};
use crate::stripping::StripMarker;
use crate::value_check::{KindCheck, ValueCheck, ValueExample, ValueKind};
use heaplens_base::Task;
use heaplens_heap::value_rules::{DataKind, disclosed, is_weak_map_entry, name, weak_map_entry};

/// Kinds of values in this format.
const KINDS: [ValueKind; 7] = [
    ValueKind::Texts,
    ValueKind::Boxed,
    ValueKind::Patterns,
    ValueKind::Names,
    ValueKind::Unused,
    ValueKind::Keys,
    ValueKind::Unassigned,
];
/// Sections of numbers.
const SECTIONS: [&[u8]; 6] = [b"nodes", b"edges", b"trace_function_infos", b"trace_tree", b"samples", b"locations"];
/// Members of the section `snapshot` with a number.
const NUMBERS: [&str; 6] =
    ["node_count", "edge_count", "trace_function_count", "root_index", "extra_native_bytes", "unrecorded"];

/// Searches a snapshot for values.
pub(crate) fn check(file: &[u8], task: &Task) -> Result<ValueCheck, OpenError> {
    let mut findings = Findings { kinds: KINDS.map(KindCheck::new) };
    let mut members = Members::new(file).ok_or_else(|| malformed(0))?;
    let (mut head, mut strings) = (None, None);
    let mut sections = [const { 0..0 }; SECTIONS.len()];
    while let Some((key, range)) = members.member() {
        task.checkpoint()?;
        let value = file.get(range.clone()).unwrap_or_default();
        if key == b"snapshot" && head.is_none() {
            audit_repeated(value, range.start, &mut findings);
            head = Some((
                serde_json::from_slice::<Value>(value).map_err(|_not_json| malformed(range.start))?,
                range.start,
            ));
        } else if key == b"strings" && strings.is_none() {
            strings = Some(StringTable::read(file, range.clone()).ok_or_else(|| malformed(range.start))?);
        } else if let Some(section) = SECTIONS.iter().position(|name| *name == key).and_then(|at| sections.get_mut(at))
        {
            let is_number = |byte: &u8| byte.is_ascii_digit() || byte.is_ascii_whitespace() || b",-[]".contains(byte);
            let odd = value.iter().position(|byte| !is_number(byte));
            findings.unassigned(
                odd.is_some(),
                range.start + odd.unwrap_or_default(),
                "section of numbers",
                value.len(),
            );
            if *section != (0..0) {
                findings.unassigned(true, range.start, "repeated section", value.len().max(1));
            }
            *section = range;
        } else {
            // Its key may be a value, whatever is behind it.
            findings.unassigned(true, range.start, "unknown section", key.len() + value.len().max(1));
        }
    }
    let behind = members.end().ok_or_else(|| malformed(members.at()))?;
    let rest = file.get(behind..).unwrap_or_default();
    let is_padding = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0;
    findings.unassigned(!rest.iter().all(is_padding), behind, "bytes after the snapshot", rest.len());
    let (Some((head, at)), Some(strings)) = (head, strings) else { return Err(malformed(behind)) };
    audit_head(&head, at, &mut findings);
    let [nodes, edges, functions, ..] = sections;
    let meta = head.get("meta").unwrap_or(&Value::Null);
    let part = |range: std::ops::Range<usize>| file.get(range).unwrap_or_default();
    let roles = AuditRoles::find(meta, (part(nodes), part(edges), part(functions)), (file, &strings), task)
        .ok_or_else(|| malformed(at))?;
    task.checkpoint()?;
    audit_nodes(file, &strings, &roles, &mut findings);
    audit_strings(file, &strings, &roles, &mut findings, task)?;
    Ok(ValueCheck { kinds: findings.kinds.to_vec(), broken: None })
}

fn malformed(at: usize) -> OpenError {
    let advice = "Take or copy the snapshot again.";
    FormatError::new("V8 heap snapshot", at as u64, "a whole snapshot", "something else", advice).into()
}

/// What was found so far.
struct Findings {
    kinds: [KindCheck; KINDS.len()],
}

impl Findings {
    fn see(&mut self, kind: ValueKind, has_value: bool, example: impl FnOnce() -> ValueExample) {
        if let Some(of) = self.kinds.iter_mut().find(|of| of.kind == kind) {
            of.see(has_value, example);
        }
    }

    fn unassigned(&mut self, has_value: bool, offset: usize, what: &str, length: usize) {
        if length > 0 {
            self.see(ValueKind::Unassigned, has_value, || ValueExample {
                id: format!("offset {offset}"),
                class: what.to_owned(),
                length: length as u64,
            });
        }
    }
}

/// Members that are repeated in the section `snapshot`, or in the description of the fields in it: only the last of
/// each is judged.
fn audit_repeated(section: &[u8], at: usize, findings: &mut Findings) {
    let mut objects = vec![(0..section.len(), true)];
    while let Some((object, is_outer)) = objects.pop() {
        let Some(mut members) = section.get(object.clone()).and_then(Members::new) else { continue };
        let mut keys = FxHashSet::default();
        while let Some((key, range)) = members.member() {
            let (key, start) = (decode(key), object.start + range.start);
            if is_outer && key == "meta" {
                objects.push((start..start + range.len(), false));
            }
            if !keys.insert(key) {
                findings.unassigned(true, at + start, "repeated member", range.len().max(1));
            }
        }
    }
}

/// The section `snapshot`: numbers, names of fields and types, and the marker.
fn audit_head(head: &Value, at: usize, findings: &mut Findings) {
    let is_name = |name: &str| {
        name.len() <= 40
            && name.bytes().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, b'_' | b' ' | b'-'))
    };
    for (key, value) in head.as_object().into_iter().flatten() {
        let is_known = match value {
            Value::Number(_) => NUMBERS.contains(&key.as_str()),
            Value::String(text) if key == "heaplens_strip" => StripMarker::parse(text).is_some(),
            Value::String(text) => key == "engine" && text == "JavaScriptCore",
            Value::Object(meta) if key == "meta" => meta.iter().all(|(name, list)| {
                let names = list.as_array().map(Vec::as_slice).unwrap_or_default();
                let names = names.iter().flat_map(|of| of.as_array().map_or(std::slice::from_ref(of), Vec::as_slice));
                is_name(name) && list.is_array() && names.into_iter().all(|of| of.as_str().is_some_and(is_name))
            }),
            _ => false,
        };
        findings.unassigned(!is_known, at, "member of the section snapshot", 1);
    }
}

/// Nodes whose names are values.
fn audit_nodes(file: &[u8], strings: &StringTable, roles: &AuditRoles, findings: &mut Findings) {
    for node in &roles.values {
        let text = strings.raw(file, node.name).map(decode).unwrap_or_default();
        let kind = match &*node.kind {
            "number" => ValueKind::Boxed,
            "regexp" => ValueKind::Patterns,
            _ => ValueKind::Texts,
        };
        let has_value = !node.is_allowed && !is_placeholder(&text);
        findings.see(kind, has_value, || ValueExample {
            id: format!("@{}", node.id),
            class: format!("({})", node.kind),
            length: units(&text) as u64,
        });
    }
}

/// Strings of the table by their roles.
fn audit_strings(
    file: &[u8],
    strings: &StringTable,
    roles: &AuditRoles,
    findings: &mut Findings,
    task: &Task,
) -> Result<(), OpenError> {
    for string in 0..strings.len() {
        task.checkpoint_at(string)?;
        let of_string = roles.of(string);
        let text = decode(strings.raw(file, string).unwrap_or_default());
        let example = |class: &str| ValueExample {
            id: format!("string {string}"),
            class: class.to_owned(),
            length: units(&text) as u64,
        };
        if of_string & role::NAME != 0 {
            let shown = if is_weak_map_entry(&text) {
                weak_map_entry(&text, |id| {
                    let known = roles.weak.get(&id).copied().flatten()?;
                    Some(name(&decode(strings.raw(file, known)?)).into_owned().into())
                })
            } else {
                disclosed(DataKind::ClassName, &text).into_owned()
            };
            findings.see(ValueKind::Names, shown != text, || example("(name)"));
        } else if of_string & role::PATH != 0 {
            findings.see(ValueKind::Names, *disclosed(DataKind::SourcePath, &text) != *text, || example("(script)"));
        } else if of_string & role::KEY != 0 {
            findings.see(ValueKind::Keys, !is_placeholder(&text), || example("(key)"));
        } else if of_string & role::VALUE == 0 {
            // V8 writes it first.
            let has_value = !is_placeholder(&text) && text != "<dummy>";
            findings.see(ValueKind::Unused, has_value, || example("(unused)"));
        }
    }
    Ok(())
}
