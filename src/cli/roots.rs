//! `roots`: GC roots by kind.

use super::args::{FileArguments, FormatArgument};
use super::commands::{Answer, filter, print_json, print_rows, rows_wanted};
use super::open;
use crate::analysis::roots::roots_by_kind;
use crate::export::json::{RootKinds, RootsRow};
use crate::export::table::{Cell, column};

pub(super) fn roots(arguments: &FileArguments) -> Answer {
    let print = &arguments.print;
    let filter = filter(print)?;
    let (dump, _) = open(&arguments.file, &print.open)?;
    let mut kinds = roots_by_kind(&*dump.facts.contents, &dump.analyzed);
    kinds.retain(|kind| filter.matches(kind.kind.name()));
    if print.format == FormatArgument::Json {
        let row = |k: &crate::analysis::roots::RootsOfKind| RootsRow {
            kind: k.kind.name(),
            count: k.objects.len() as u64,
            retained_bytes: k.retained.0,
        };
        return print_json(&dump, &RootKinds { kinds: kinds.iter().take(rows_wanted(print)).map(row).collect() });
    }
    let columns = [column("kind", "Kind"), column("count", "Count"), column("retained_bytes", "Retained")];
    let rows = kinds.iter().map(|k| {
        vec![Cell::Text(k.kind.name().to_owned()), Cell::Count(k.objects.len() as u64), Cell::Size(k.retained)]
    });
    print_rows(&dump, print, &columns, rows, &[])
}
