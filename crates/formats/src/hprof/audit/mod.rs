//! Whether a dump still has values, no matter who removed the rest. The walk is its own, from the first byte of the file
//! to the last, and shares nothing with the stripper or the readers but the definition of a value: every byte is
//! structure, a name, or must be blank. What is none of these is reported with its offset.

mod bytes;
mod classes;
mod findings;
mod objects;
mod records;
mod sub_records;

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use self::classes::ClassTable;
use self::findings::{BLANK, Findings};
use self::objects::ObjectAudit;
use self::records::{Tables, read_records};
use crate::error::OpenError;
use crate::hprof::java::name_text;
use crate::stripping::StripMarker;
use crate::value_check::{ValueCheck, ValueExample, ValueKind};
use heaplens_base::{Cancelled, Task, Unit};
use heaplens_heap::value_rules::{DataKind, disclosed};

/// Searches a file for values.
pub(crate) fn check(file: &[u8], task: &Task) -> Result<ValueCheck, OpenError> {
    task.step("Reading records", Unit::Bytes, file.len() as u64);
    let mut findings = Findings::default();
    let tables = read_records(file, &mut findings, task)?;
    let classes = ClassTable::new(file, &tables);
    audit_strings(file, &tables, &mut findings, task)?;
    ClassTable::audit(file, &tables, &mut findings);
    task.step("Searching counters", Unit::Bytes, tables.heap_bytes());
    let groups = tables.groups();
    let counters = groups.par_iter().with_max_len(1).map(|segments| {
        let mut audit = ObjectAudit::new(file, &tables, &classes, None);
        segments.iter().try_for_each(|segment| audit.walk(segment.clone(), task))?;
        Ok::<_, Cancelled>(audit.counters)
    });
    let counters = counters.try_reduce(FxHashSet::default, |mut all, more| {
        all.extend(more);
        Ok(all)
    })?;
    task.step("Searching values", Unit::Bytes, tables.heap_bytes());
    let parts = groups.par_iter().with_max_len(1).map(|segments| {
        let mut audit = ObjectAudit::new(file, &tables, &classes, Some(&counters));
        segments.iter().try_for_each(|segment| audit.walk(segment.clone(), task))?;
        Ok::<_, Cancelled>(audit.findings)
    });
    for part in parts.collect::<Result<Vec<_>, Cancelled>>()? {
        findings.add(part);
    }
    let Findings { kinds, broken } = findings;
    Ok(ValueCheck { kinds: kinds.to_vec(), broken })
}

/// Strings of the string table: names, the marker, and those that nothing refers to.
fn audit_strings(file: &[u8], tables: &Tables, findings: &mut Findings, task: &Task) -> Result<(), Cancelled> {
    for (at, (id, range)) in tables.strings.iter().enumerate() {
        task.checkpoint_at(at)?;
        let text = file.get(range.clone()).unwrap_or_default();
        let example = || ValueExample {
            id: format!("{id:#x}"),
            class: "string of the string table".to_owned(),
            length: text.len() as u64,
        };
        let kind = match (tables.names.contains(id), tables.sources.contains(id)) {
            (true, _) => DataKind::ClassName,
            (false, true) => DataKind::SourcePath,
            (false, false) => {
                let is_blank = text.iter().all(|byte| *byte == BLANK);
                let is_marker = || std::str::from_utf8(text).is_ok_and(|text| StripMarker::parse(text).is_some());
                if is_blank || !is_marker() {
                    findings.see(ValueKind::Unused, !is_blank, example);
                }
                continue;
            }
        };
        let name = name_text(text);
        findings.see(ValueKind::Names, *disclosed(kind, &name) != *name, example);
    }
    Ok(())
}
