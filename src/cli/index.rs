//! `index`: the analysis of a dump as a file that opens without it.

use super::args::IndexArguments;
use super::failure::Failure;
use super::open::{inputs, open_options, open_with};
use super::print::Answer;
use heaplens_session::output_file::{OutputFile, OutputKind};

pub(super) fn index(arguments: &IndexArguments) -> Answer {
    let unusable = |error: std::io::Error| Failure::Unusable(format!("{}: {error}", arguments.output.display()));
    let inputs = inputs([&arguments.file], &arguments.open, None);
    let output = OutputFile::new(&arguments.output, OutputKind::Index, &inputs);
    output.check().map_err(unusable)?;
    let mut options = open_options(&arguments.open);
    options.storage.target = Some(output.file_target().map_err(unusable)?);
    open_with(&arguments.file, &arguments.open, &options).map(|_written| ())
}
