//! Digest of a dump: what a fleet needs of it, in some dozens of records.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use rustc_hash::FxHashMap;

use super::baseline::Baseline;
use super::identity::DigestIdentity;
use super::record::{CLASS, DUMP, DigestRecord, FINDING, INCOMPLETE, READ, UNREADABLE};
use heaplens_analysis::histogram::histogram;
use heaplens_analysis::leaks::{default_min_bytes, owner_fingerprint};
use heaplens_analysis::native_memory::OutsideHeap;
use heaplens_analysis::native_owners::{NativeOwner, NativeOwnersQuestion};
use heaplens_analysis::overview::{FactKind, glance};
use heaplens_analysis::{DumpData, LeakFinding};
use heaplens_base::{Cancelled, Task};
use heaplens_dump::Dump;
use heaplens_dump::OpenError;
use heaplens_heap::value_rules;
use heaplens_session::OpenOptions;
use heaplens_session::dump::{AnswerError, answer_from};
use heaplens_session::leaks::{
    Device, LeakReport, LeakRules, Matchers, Roots, Traced, add_waste_totals, found_and_wasted, traces,
};
use heaplens_tables::columns::{Value, fraction};
use heaplens_tables::export::leaks::{FindingRow, finding_table};
use heaplens_tables::export::traces::leak_row;
use heaplens_tables::export::{hidden_values::without_values, identity::Identity};
use heaplens_tables::{Table, TableContext};

/// Usual maximum number of findings of a dump.
pub const FINDINGS: usize = 50;
/// Section of the findings about native memory.
pub(crate) const NATIVE: &str = "native";
/// Usual maximum number of classes of a dump.
pub const CLASSES: usize = 20;

/// What a digest has.
#[derive(Clone)]
pub struct DigestOptions {
    /// How dumps are opened.
    pub open: OpenOptions,
    /// Rules for findings, and patterns of Android references.
    pub rules: LeakRules,
    /// Known references of Android.
    pub matchers: Arc<Matchers>,
    /// Maximum number of findings.
    pub findings: usize,
    /// Maximum number of classes.
    pub classes: usize,
    /// True to write names with values of the program: keys of maps, names of threads, URLs.
    pub values: bool,
    /// Bytes of an earlier digest.
    pub baseline: Option<Arc<Baseline>>,
}

impl Default for DigestOptions {
    fn default() -> Self {
        Self {
            open: OpenOptions::default(),
            rules: LeakRules::default(),
            matchers: Arc::default(),
            findings: FINDINGS,
            classes: CLASSES,
            values: false,
            baseline: None,
        }
    }
}

/// Digest of the dump in a file. A dump that cannot be read has one record, with its error.
///
/// # Errors
/// If the task is cancelled.
pub fn digest(
    of: (&Path, &str),
    identity: &DigestIdentity,
    options: &DigestOptions,
    task: &Task,
) -> Result<Vec<DigestRecord>, Cancelled> {
    let begin = Instant::now();
    let answer = |dump: &Dump| {
        // In other formats keys are objects, and hidden in names; fingerprints do not depend on them.
        if options.values || dump.facts.heap.snapshot().is_none() {
            return of_dump(dump, options, task);
        }
        of_dump(&dump.redacted(), options, task)
    };
    let mut records = match answer_from(of.0, &options.open, task, answer) {
        Ok(records) => records,
        Err(AnswerError::Open(OpenError::Cancelled)) => return Err(Cancelled),
        Err(AnswerError::Open(error)) => return Ok(vec![unreadable(of, &error.to_string(), identity)]),
        Err(AnswerError::Lost(why)) => return Ok(vec![unreadable(of, &why, identity)]),
    };
    identify(&mut records, of.1, identity);
    for record in &mut records {
        record.baseline_bytes = options.baseline.as_ref().and_then(|baseline| baseline.bytes(record));
    }
    if let Some(first) = records.first_mut() {
        first.seconds = Some(begin.elapsed().as_secs_f64());
    }
    Ok(records)
}

/// The record of a dump that cannot be read: its path and its name, and why.
pub fn unreadable((path, name): (&Path, &str), why: &str, identity: &DigestIdentity) -> DigestRecord {
    let mut record = [DigestRecord {
        record: Some(DUMP.into()),
        status: Some(UNREADABLE.into()),
        error: Some(why.into()),
        file_bytes: path.metadata().ok().map(|file| file.len()),
        ..DigestRecord::default()
    }];
    identify(&mut record, name, identity);
    let [record] = record;
    record
}

/// Writes the name of the dump without its folders, which may name a user or a machine. Its id still tells dumps of
/// different folders apart.
pub fn hide_folders(records: &mut [DigestRecord]) {
    for record in records {
        record.dump = record.dump.take().map(|name| value_rules::file_name(&name).into());
    }
}

/// Gives the records of a dump its identity: what is said, then what the first of them knows from the dump.
fn identify(records: &mut [DigestRecord], name: &str, identity: &DigestIdentity) {
    let Some(first) = records.first_mut() else { return };
    let [app, version, order, device] = identity.columns();
    first.heaplens = Some(env!("CARGO_PKG_VERSION").into());
    first.dump = Some(name.into());
    first.app = first.app.take().filter(|_| identity.app.is_none()).or(Some(app));
    first.device = first.device.take().filter(|_| identity.device.is_none()).or(Some(device));
    (first.version, first.version_order) = (Some(version), Some(order));
    first.dump_id = Some(first.own_id());
    let first = first.clone();
    for record in records {
        record.dump_id.clone_from(&first.dump_id);
        record.dump.clone_from(&first.dump);
        record.app.clone_from(&first.app);
        record.version.clone_from(&first.version);
        record.version_order.clone_from(&first.version_order);
        record.device.clone_from(&first.device);
        record.taken_at.clone_from(&first.taken_at);
        record.status.clone_from(&first.status);
    }
}

fn of_dump(dump: &Dump, options: &DigestOptions, task: &Task) -> Result<Vec<DigestRecord>, Cancelled> {
    let (heap, analysis) = (&*dump.facts.heap, &*dump.analysis);
    let of = dump.data();
    let min_bytes = default_min_bytes(analysis.shown.shallow);
    let (mut findings, totals) = found_and_wasted(of, (&options.rules, min_bytes), &Task::new(), task)?;
    add_waste_totals(analysis, (&totals, min_bytes), &options.rules, &mut findings);
    let device = Device::default();
    let question =
        Traced { heap, contents: of.contents, matchers: &options.matchers, device: &device, roots: Roots::All };
    let report = traces(question, task)?;
    let listed = of_findings(dump, &findings, report.as_ref(), options);
    // A list that is full ends with its smallest finding.
    let is_full = listed.len() == options.findings;
    let smallest = listed.iter().filter_map(|record| record.retained_bytes).min().filter(|_| is_full);
    let mut of_dump_record = of_whole(dump, of, report.as_ref(), task)?;
    of_dump_record.least_bytes = Some(smallest.unwrap_or(0).max(min_bytes.0));
    let mut records = vec![of_dump_record];
    records.extend(listed);
    records.extend(native_owners(of, options, task)?);
    records.extend(of_classes(dump, options));
    Ok(records)
}

/// The record of the dump itself.
fn of_whole(
    dump: &Dump,
    of: DumpData<'_>,
    report: Option<&LeakReport>,
    task: &Task,
) -> Result<DigestRecord, Cancelled> {
    let DumpData { heap, analysis, .. } = of;
    let facts = glance(of, &dump.open_warnings, task)?.health;
    let fact = |kind: FactKind| facts.iter().find(|fact| fact.kind == kind)?.value.as_deref().map(Arc::from);
    let process = || report?.metadata.process.as_deref().map(Arc::from);
    let made_by = || Some(report?.metadata.device.manufacturer.as_deref()?.into());
    let worst = heap.worst_note();
    Ok(DigestRecord {
        record: Some(DUMP.into()),
        app: process().or_else(|| fact(FactKind::Program).map(|program| Arc::from(program_name(&program)))),
        device: made_by(),
        taken_at: Identity::new(Path::new(""), dump).taken_at.map(Arc::from),
        runtime: fact(FactKind::Runtime),
        format: Some(heap.origin.format.key().into()),
        status: Some(if worst.is_some() { INCOMPLETE } else { READ }.into()),
        error: worst.map(|note| note.message.as_str().into()),
        file_bytes: Some(heap.origin.file_size.disk),
        reference_count: Some(heap.reference_count()),
        classes: Some(heap.classes.len() as u64),
        roots: Some(analysis.roots().objects().len() as u64),
        objects: Some(analysis.shown.objects),
        shallow_bytes: Some(analysis.shown.shallow.0),
        retained_bytes: Some(analysis.shown.shallow.0),
        unreachable_objects: Some(analysis.unreachable.objects),
        unreachable_bytes: Some(analysis.unreachable.shallow.0),
        native_bytes: Some(OutsideHeap::of(of).bytes().0),
        resident_bytes: (|| of.record?.resident())(),
        ..DigestRecord::default()
    })
}

/// Name of a program: of an archive its file name without its version, since a path is a value of the user, and since
/// versions are compared.
fn program_name(program: &str) -> &str {
    let Some(file) = program.strip_suffix(".jar").and_then(|path| path.rsplit(['/', '\\']).next()) else {
        return program;
    };
    let version = file.rfind('-').filter(|&at| file[at + 1..].starts_with(|c: char| c.is_ascii_digit()));
    version.map_or(file, |at| &file[..at])
}

/// Findings as `heaplens leaks` prints them: traces of an Android dump first.
fn of_findings(
    dump: &Dump,
    findings: &[LeakFinding],
    report: Option<&LeakReport>,
    options: &DigestOptions,
) -> Vec<DigestRecord> {
    let traced =
        report.into_iter().flat_map(|report| report.leaks.iter().map(|leak| leak_row(leak, report.metadata.bytes)));
    let rows = traced.chain(findings.iter().map(FindingRow::from));
    let table = finding_table(rows.take(options.findings).collect());
    (0..Table::count(&table)).map(|row| of_finding(dump, &table, row, options.values)).collect()
}

/// A row of findings.
fn of_finding(dump: &Dump, table: &dyn Table, row: usize, values: bool) -> DigestRecord {
    let cell = |key: &str| Some(table.cell(TableContext::of(dump), row, table.column(key)?));
    let text = |key: &str| cell(key)?.words().map(Arc::<str>::from);
    let number = |key: &str| match cell(key)? {
        Value::Count(count) => Some(count),
        Value::Bytes(bytes) => Some(bytes.0),
        _ => None,
    };
    let hidden = |text: Arc<str>| if values { text } else { Arc::from(without_values(&value_rules::name(&text))) };
    let class = |text: Arc<str>| if values { text } else { Arc::from(value_rules::name(&text)) };
    // On Android, groups are applications and libraries; all of them are leaks.
    let section =
        text("group").map(|group| if matches!(&*group, "application" | "library") { "leak".into() } else { group });
    DigestRecord {
        record: Some(FINDING.into()),
        place: Some(row as u64 + 1),
        section,
        kind: text("kind"),
        fingerprint: text("fingerprint"),
        name: text("name").map(hidden),
        owner: text("cut").filter(|owner| !owner.is_empty()).map(hidden),
        holder: text("holder").map(class),
        class: text("class").map(class),
        count: number("count"),
        objects: number("objects"),
        retained_bytes: number("frees_bytes"),
        share: match cell("share") {
            Some(Value::Share(share)) => Some(fraction(share)),
            _ => None,
        },
        ..DigestRecord::default()
    }
}

/// Who holds a tenth of the heap or more outside of it: findings about native memory alone.
fn native_owners(of: DumpData<'_>, options: &DigestOptions, task: &Task) -> Result<Vec<DigestRecord>, Cancelled> {
    let owners = of.intermediate(&NativeOwnersQuestion, task)?;
    let heap = of.analysis.shown.shallow;
    let much = owners.iter().filter(|owner| owner.is_beside_findings(heap)).take(options.findings);
    let record = |(owner, rank): (&NativeOwner, u64)| {
        let name = format!("{} ({})", owner.qualified.as_deref().unwrap_or_default(), owner.kind.nouns().1);
        DigestRecord {
            record: Some(FINDING.into()),
            place: Some(rank),
            section: Some(NATIVE.into()),
            kind: Some(owner.kind.name().into()),
            fingerprint: Some(owner_fingerprint(&name).into()),
            name: Some(if options.values { name.into() } else { without_values(&value_rules::name(&name)).into() }),
            holder: Some(of.heap.id_text(owner.object).into()),
            count: Some(owner.objects),
            retained_bytes: Some(owner.bytes.0),
            native_bytes: Some(owner.bytes.0),
            ..DigestRecord::default()
        }
    };
    Ok(much.zip(1..).map(record).collect())
}

/// The classes that retain most. Those of one name, which several loaders defined, are one.
fn of_classes(dump: &Dump, options: &DigestOptions) -> Vec<DigestRecord> {
    let (heap, analysis) = (&*dump.facts.heap, &*dump.analysis);
    let total = analysis.shown.shallow.0.max(1) as f64;
    let mut by_name: FxHashMap<&str, (u64, u64, u64)> = FxHashMap::default();
    for row in histogram(dump.data()).rows {
        let sums = by_name.entry(&heap.classes.get(row.class).name).or_default();
        *sums = (sums.0 + row.retained.0, sums.1 + row.shallow.0, sums.2 + row.objects);
    }
    let mut classes: Vec<(&str, (u64, u64, u64))> = by_name.into_iter().collect();
    classes.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let record = |((class, (retained, shallow, objects)), rank): ((&str, (u64, u64, u64)), u64)| DigestRecord {
        record: Some(CLASS.into()),
        place: Some(rank),
        class: Some(if options.values { class.into() } else { value_rules::name(class).into() }),
        objects: Some(objects),
        shallow_bytes: Some(shallow),
        retained_bytes: Some(retained),
        share: Some(retained as f64 / total),
        ..DigestRecord::default()
    };
    classes.into_iter().take(options.classes).zip(1..).map(record).collect()
}
