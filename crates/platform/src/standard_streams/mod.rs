//! Standard input, output and error that the parent closed (`>&-`). The language opens `/dev/null` for them before `main`,
//! so that no file of ours gets their numbers; what is written there would be lost without an error.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use self::unix as system;
#[cfg(windows)]
use self::windows as system;

/// True if standard input was closed when the program started.
pub fn is_input_closed() -> bool {
    system::is_closed(0)
}

/// True if standard output was closed when the program started. Never on Windows, where a program without a console has
/// none.
pub fn is_output_closed() -> bool {
    system::is_closed(1)
}
