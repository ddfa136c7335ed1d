//! The console that a program was started from.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use self::unix as system;
#[cfg(windows)]
use self::windows as system;

/// Closes a console that the system opened for this program alone, as after a double click on Windows. True if nobody
/// reads what the program prints, because Explorer or Finder started it.
pub fn close_own() -> bool {
    system::close_own()
}
