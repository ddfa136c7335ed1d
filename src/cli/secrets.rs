//! `secrets`: strings and arrays that look like credentials.

use super::args::SecretsArguments;
use super::failure::Failure;
use super::names::Names;
use super::print::{Answer, open_filtered};
use super::progress::with_progress;
use super::tables::{print_table_with, row_query};
use heaplens_analysis::secrets::SecretsQuestion;
use heaplens_tables::dump::secrets::secret_table;
use heaplens_tables::{TableContext, TableError};

pub(super) fn secrets(arguments: &SecretsArguments) -> Answer {
    let print = &arguments.print;
    let (dump, _) = open_filtered(&arguments.file, print)?;
    let unusable = |why: &str| Failure::Unusable(format!("{}: {why}", arguments.file.display()));
    if dump.facts.is_redacted() {
        return Err(unusable("strings are hidden by --redact; run without it to find credentials"));
    }
    let secrets = with_progress(|task| Ok::<_, TableError>(dump.answer(&SecretsQuestion, task)?))?;
    if secrets.texts == 0 {
        return Err(unusable(match &dump.facts {
            facts if facts.source.is_some() => "the dump does not contain the text of its strings",
            _ => "an index file contains no strings; open the dump itself",
        }));
    }
    let names = Names::of(&dump)?;
    let context = TableContext::of(&dump).with_namer(names.namer());
    print_table_with(&dump, context, &secret_table(secrets), &row_query(&arguments.order, print), print.format)
}
