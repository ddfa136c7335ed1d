//! The console that a program was started from, and its width.

use std::io::{self, IsTerminal};

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use self::unix as system;
#[cfg(windows)]
use self::windows as system;

/// Number of columns of the terminal that standard output is; `None` if it is none, or does not say.
pub fn output_columns() -> Option<usize> {
    let output = io::stdout();
    // Programs that read rows of a fixed width from a terminal set it, as they do for `ls`.
    let from_environment = || std::env::var("COLUMNS").ok()?.parse().ok();
    output
        .is_terminal()
        .then(|| from_environment().or_else(|| system::columns(&output)))?
        .filter(|&columns| columns > 0)
}

/// Closes a console that the system opened for this program alone, as after a double click on Windows. True if nobody
/// reads what the program prints, because Explorer or Finder started it.
pub fn close_own() -> bool {
    system::close_own()
}
