//! `javascript`: tables for JavaScript snapshots only; and `leaks --baseline`, which compares several of them.

use std::io::Write;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;

use super::args::{JavaScriptArguments, LeaksArguments};
use super::failure::Failure;
use super::names::Names;
use super::open::open_several;
use super::print::{Answer, open_filtered, row_filter, text_width};
use super::progress::ProgressLine;
use super::tables::{print_table, row_query};
use super::verified_output::VerifiedOutput;
use heaplens_analysis::DumpData;
use heaplens_analysis::javascript::growth::GrowingObject;
use heaplens_analysis::javascript::leaks::Cluster;
use heaplens_base::{Bytes, Count, Name, Named, Task};
use heaplens_heap::Totals;
use heaplens_session::javascript::{leaked_and_growing, read_rules};
use heaplens_tables::dump::javascript::{AllocatedQuery, JavaScriptQuery, opened};
use heaplens_tables::dump::javascript_leaks::{SnapshotLeakKind, cluster_table, growing_table};
use heaplens_tables::export::javascript::{sentence, write_cluster, write_growing};
use heaplens_tables::export::printable::Printable;
use heaplens_tables::query::TableKind;
use heaplens_tables::relations::RETAINED_BY;
use heaplens_tables::table::List;
use heaplens_tables::{OutputForm, RowQuery, Table, TableContext, write, write_list};

pub(super) fn javascript(arguments: &JavaScriptArguments) -> Answer {
    let print = &arguments.print;
    let of_csv = || print.format.is_cells().then(|| Arc::new(&RETAINED_BY) as Arc<dyn TableKind>);
    let kind = kind(arguments)?.or_else(of_csv);
    if kind.is_none() {
        // The tables have few columns in common.
        words_only(print.filter.as_deref())?;
    }
    let (dump, _) = open_filtered(&arguments.file, print)?;
    let names = kind.as_ref().is_none_or(|kind| kind.names_objects()).then(|| Names::of(&dump)).transpose()?;
    let context = TableContext::of(&dump).with_namer(names.as_ref().map(Names::namer));
    let (shown_rows, task) = (row_query(&arguments.order, print), Task::new());
    let line = ProgressLine::show(&task);
    if let Some(kind) = kind {
        let table = kind.table(context, &shown_rows, &task)?;
        drop(line);
        return print_table(&dump, &*table, &shown_rows, print.format);
    }
    let tables =
        JavaScriptQuery::NAMES.iter().map(|name| Ok((name, name.value.relation().table(context, &shown_rows, &task)?)));
    let tables = tables.collect::<Result<Vec<(&Name<JavaScriptQuery>, Arc<dyn Table>)>, Failure>>()?;
    drop(line);
    let mut out = VerifiedOutput::in_form(&dump, print.format);
    if print.format == OutputForm::Json {
        for (at, (name, table)) in tables.iter().enumerate() {
            out.write_all(if at == 0 { b"{" } else { b"," })?;
            let rows = table.ordered_rows(context, &shown_rows, &task)?.rows;
            write_list(&**table, &name.value.json_key(), context, rows, &mut out)?;
        }
        out.write_all(b"}\n")?;
    } else {
        for (at, (name, table)) in tables.iter().filter(|(_, table)| table.count() > 0).enumerate() {
            let gap = if at == 0 { "" } else { "\n" };
            writeln!(out, "{gap}{}", name.value.relation().title)?;
            write(&**table, context, &shown_rows, OutputForm::Text, &mut out, &task)?;
        }
    }
    Ok(out.flush()?)
}

/// The table of the arguments; `None` for all tables.
pub(super) fn kind(arguments: &JavaScriptArguments) -> Result<Option<Arc<dyn TableKind>>, Failure> {
    match (arguments.of, arguments.between) {
        (Some(JavaScriptQuery::Timeline), Some((first, last))) => Ok(Some(Arc::new(AllocatedQuery { first, last }))),
        (_, Some(_)) => Err(Failure::Usage("--between requires --of timeline".to_owned())),
        (of, None) => Ok(of.map(|of| Arc::new(of.relation()) as Arc<dyn TableKind>)),
    }
}

/// A usage error if a filter of several tables has conditions on numbers.
fn words_only(filter: Option<&str>) -> Result<(), Failure> {
    if row_filter(filter)?.numbers.is_empty() {
        return Ok(());
    }
    Err(Failure::Usage("a condition on numbers in --filter requires --of".to_owned()))
}

/// True if the arguments request leaks between several snapshots.
pub(super) fn is_asked(arguments: &LeaksArguments) -> bool {
    !arguments.baselines.is_empty()
}

/// Leaks between baseline, target and final snapshot.
pub(super) fn leaks(arguments: &LeaksArguments) -> Answer {
    let filter = row_filter(arguments.filter.as_deref())?.text;
    if arguments.of.is_none() {
        words_only(arguments.filter.as_deref())?;
    }
    let rules = read_rules(&arguments.rules.files).map_err(Failure::Usage)?;
    if arguments.form.is_some() || arguments.format == OutputForm::Markdown {
        return Err(Failure::Usage(
            "--baseline supports --format text, json and csv only; --form is not available".to_owned(),
        ));
    }
    if arguments.of.is_none() && !arguments.order.is_usual() {
        return Err(Failure::Usage("--sort, --reverse, --skip and --rows require --of".to_owned()));
    }
    // Without --target the last snapshot is target and final snapshot.
    let files: Vec<&PathBuf> = arguments.baselines.iter().chain(&arguments.target).chain([&arguments.file]).collect();
    let dumps = open_several(files.iter().copied().enumerate(), &arguments.open)?;
    let of = dumps.iter().zip(&files).map(|(dump, file)| {
        let refused = |_| {
            Failure::Unusable(format!(
                "{}: not a JavaScript heap snapshot; --baseline compares .heapsnapshot files",
                file.display()
            ))
        };
        opened(TableContext::of(dump)).map_err(refused)
    });
    let of = of.collect::<Result<Vec<DumpData<'_>>, Failure>>()?;
    let (baselines, others) = of.split_at(arguments.baselines.len());
    let (Some(&target), Some(&last), Some(dump)) = (others.first(), others.last(), dumps.last()) else { return Ok(()) };
    let task = Task::new();
    let line = ProgressLine::show(&task);
    let (leaks, growing) = leaked_and_growing((baselines, target, last), &rules, &task)?;
    let names = Names::of(dump)?;
    drop(line);
    let total = last.analysis.shown.shallow;
    let least = arguments.least.map_or(Bytes(0), |least| least.of(total));
    let worst = leaks.clusters.first().filter(|worst| arguments.fail_on.is_some_and(|limit| worst.retained.0 >= limit));
    let ended = worst.map_or(Ok(()), |worst| Err(Failure::Grew(vec![sentence(worst, total)])));
    let context = TableContext::of(dump).with_namer(names.namer()).with_width(text_width());
    let (mut clusters, mut growing) = (cluster_table(leaks.clusters), growing_table(growing));
    clusters.rows.retain(|cluster| cluster.retained >= least);
    growing.rows.retain(|growing| growing.more() >= least);
    let mut out = VerifiedOutput::all_in_form(dumps.iter().map(Deref::deref), arguments.format);
    if let Some(of) = arguments.of {
        let table: &dyn Table = match of {
            SnapshotLeakKind::Stayed => &clusters,
            SnapshotLeakKind::Growing => &growing,
        };
        // One table alone, as the window copies it.
        let shown_rows = arguments.order.rows(arguments.filter.as_deref(), arguments.shown());
        write(table, context, &shown_rows, arguments.format, &mut out, &task)?;
        out.flush()?;
        return ended;
    }
    let shown = |table: &dyn Table| -> Vec<u32> {
        let most = arguments.shown().unwrap_or(usize::MAX);
        let passes = |&row: &u32| filter.is_empty() || table.passes(context, row as usize, &filter);
        (0..table.count() as u32).filter(passes).take(most).collect()
    };
    match arguments.format {
        OutputForm::Json => {
            let stayed = leaks.stayed;
            write!(out, "{{\"stayed_objects\":{},\"stayed_bytes\":{}", stayed.objects, stayed.shallow.0)?;
            write!(out, ",\"leaked_objects\":{},\"retained_bytes\":{},", leaks.leaked, leaks.retained.0)?;
            write_list(&clusters, "clusters", context, shown(&clusters).into_iter(), &mut out)?;
            out.write_all(b",")?;
            write_list(&growing, "growing", context, shown(&growing).into_iter(), &mut out)?;
            out.write_all(b"}\n")?;
        }
        form if form.is_cells() => {
            let filter = arguments.filter.clone().unwrap_or_default();
            let shown_rows = RowQuery { filter, top: arguments.top, ..RowQuery::default() };
            write(&clusters, context, &shown_rows, form, &mut out, &task)?;
        }
        _ => {
            let mut out = Printable(&mut out);
            text(&mut out, context, leaks.stayed, (&clusters, shown(&clusters)), (&growing, shown(&growing)))?;
        }
    }
    out.flush()?;
    ended
}

/// Writes leaks, then monotonic growth, as text.
fn text(
    out: &mut impl Write,
    context: TableContext<'_>,
    stayed: Totals,
    (clusters, shown): (&List<Cluster>, Vec<u32>),
    (growing, grown): (&List<GrowingObject>, Vec<u32>),
) -> Answer {
    let total = context.analysis.shown.shallow;
    let (objects, bytes) = (Count(stayed.objects), stayed.shallow);
    let there = objects.word("added in the target is still alive", "added in the target are still alive");
    writeln!(out, "{} ({bytes}) {there}", objects.of("object", "objects"))?;
    // This task is never cancelled.
    let name = |object| context.namer.and_then(|namer| namer.name(object, &Task::new()).ok().flatten());
    for (at, cluster) in shown.iter().filter_map(|&row| clusters.rows.get(row as usize)).enumerate() {
        let named = cluster.trace.last().and_then(|step| name(step.object));
        writeln!(out)?;
        write_cluster(out, context.heap, at + 1, cluster, (named.as_deref(), total))?;
    }
    let more = clusters.rows.len() - shown.len();
    if more > 0 {
        writeln!(out, "\n{} more leaks; use --top or --filter to see them", Count(more as u64))?;
    }
    if !grown.is_empty() {
        writeln!(out, "\nMonotonic growth")?;
    }
    for (at, growing) in grown.iter().filter_map(|&row| growing.rows.get(row as usize)).enumerate() {
        writeln!(out)?;
        write_growing(out, context.heap, at + 1, growing, name(growing.object).as_deref())?;
    }
    Ok(())
}
