//! Picks the window or the command line.

use std::process::ExitCode;

use clap::Parser;
use heaplens::cli::{self, args::Arguments};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Some(command) = &arguments.command {
        return cli::run(command);
    }
    cli::report(&arguments.files, &arguments.open, "this build has none (feature `gui`)")
}
