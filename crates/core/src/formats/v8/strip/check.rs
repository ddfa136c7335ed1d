//! Whether a snapshot still has values: texts that are no placeholders.

use super::placeholders::is_placeholder;
use super::roles::{Roles, role};
use super::snapshot::{Snapshot, WalkNode};
use crate::formats::error::OpenError;
use crate::formats::v8::meta::NodeKind;
use crate::formats::v8::text::{decode, units};
use crate::formats::value_check::{KindCheck, ValueCheck, ValueExample, ValueKind};
use heaplens_base::storage::out_of_memory::room_for;
use heaplens_base::{Task, Unit};

/// State of a string, determined when it is first needed.
const UNKNOWN: u8 = 0;
const BLANK: u8 = 1;
const TEXT: u8 = 2;

/// Searches a snapshot for values.
pub(in crate::formats) fn check(file: &[u8], task: &Task) -> Result<ValueCheck, OpenError> {
    let of = Snapshot::read(file, task)?;
    let roles = Roles::find(&of, task)?;
    let count = of.parts.strings.count() as usize;
    let mut states = room_for::<u8>(count);
    states.resize(count, UNKNOWN);
    let mut kinds = [ValueKind::Texts, ValueKind::Boxed, ValueKind::Patterns].map(KindCheck::new);
    task.step("Searching values", Unit::Objects, of.nodes);
    of.walk(task, |node, _| {
        if !of.has_value_type(&node) {
            return;
        }
        let has_value = of.is_value(&node) && roles.is_secret(node.row) && {
            let mut unlisted = UNKNOWN;
            let state = states.get_mut(node.name as usize).unwrap_or(&mut unlisted);
            if *state == UNKNOWN {
                *state = if is_placeholder(&decode(of.raw(node.name))) { BLANK } else { TEXT };
            }
            *state == TEXT
        };
        let kind = kind(&node);
        if let Some(found) = kinds.iter_mut().find(|found| found.kind == kind) {
            found.see(has_value, || ValueExample {
                id: format!("@{}", node.id),
                class: of.meta.class_of_type(node.of),
                length: units(&decode(of.raw(node.name))) as u64,
            });
        }
    })?;
    let mut names = KindCheck::new(ValueKind::Names);
    let mut keys = KindCheck::new(ValueKind::Keys);
    for string in 0..of.parts.strings.count() {
        task.checkpoint_at(string as usize)?;
        let of_string = roles.of(string);
        let example = |text: &str, class: &str| ValueExample {
            id: format!("string {string}"),
            class: class.to_owned(),
            length: units(text) as u64,
        };
        if of_string & role::STRUCTURE != 0 {
            let text = decode(of.raw(string));
            names.see(roles.cleaned(&of, string) != text, || example(&text, "(name)"));
        } else if of_string & role::KEY != 0 {
            let text = decode(of.raw(string));
            keys.see(!is_placeholder(&text), || example(&text, "(key)"));
        }
    }
    Ok(ValueCheck { kinds: kinds.into_iter().chain([names, keys]).collect(), broken: None })
}

fn kind(node: &WalkNode) -> ValueKind {
    match node.kind {
        NodeKind::Number => ValueKind::Boxed,
        NodeKind::RegExp => ValueKind::Patterns,
        _ => ValueKind::Texts,
    }
}
