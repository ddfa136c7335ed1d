//! Windows. A program of the command line has a console, its shell's or one of its own. The manifest asks for none after a
//! double click (`consoleAllocationPolicy`, since Windows 11 24H2); before that one appears for a moment.
#![expect(unsafe_code, reason = "calls of the system")]

use std::io::Stdout;
use std::os::windows::io::AsRawHandle;

use windows_sys::Win32::Storage::FileSystem::{FILE_TYPE_DISK, FILE_TYPE_PIPE, GetFileType};
use windows_sys::Win32::System::Console::{
    CONSOLE_SCREEN_BUFFER_INFO, FreeConsole, GetConsoleProcessList, GetConsoleScreenBufferInfo, GetStdHandle,
    STD_OUTPUT_HANDLE,
};

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

pub(super) fn columns(output: &Stdout) -> Option<usize> {
    let mut info = CONSOLE_SCREEN_BUFFER_INFO::default();
    // SAFETY: the handle is open, and the structure has room for the answer.
    let is_known = unsafe { GetConsoleScreenBufferInfo(output.as_raw_handle(), &raw mut info) } != 0;
    // The window may be narrower than its buffer.
    let columns = i32::from(info.srWindow.Right) - i32::from(info.srWindow.Left) + 1;
    usize::try_from(columns).ok().filter(|_| is_known)
}
