//! Windows. A program of the command line has a console, its shell's or one of its own. The manifest asks for none after a
//! double click (`consoleAllocationPolicy`, since Windows 11 24H2); before that one appears for a moment.
#![expect(unsafe_code, reason = "calls of the system")]

use windows_sys::Win32::Storage::FileSystem::{FILE_TYPE_DISK, FILE_TYPE_PIPE, GetFileType};
use windows_sys::Win32::System::Console::{FreeConsole, GetConsoleProcessList, GetStdHandle, STD_OUTPUT_HANDLE};

pub(super) fn close_own() -> bool {
    let mut processes = [0; 2];
    // SAFETY: the array has room for two numbers.
    let count = unsafe { GetConsoleProcessList(processes.as_mut_ptr(), 2) };
    if count == 1 {
        // SAFETY: it has no conditions. Without the console, what is printed goes nowhere.
        let _closed = unsafe { FreeConsole() };
    }
    // Zero: there is no console.
    count < 2 && !is_captured()
}

/// True if another program reads what is printed, or a file takes it.
fn is_captured() -> bool {
    // SAFETY: both take any number, and say so if it stands for nothing.
    let kind = unsafe { GetFileType(GetStdHandle(STD_OUTPUT_HANDLE)) };
    matches!(kind, FILE_TYPE_DISK | FILE_TYPE_PIPE)
}
