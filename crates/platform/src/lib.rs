//! What differs between Linux, macOS and Windows. Each subject is a module with one face, whatever the system; the files
//! below it are for one system each. No other crate asks which system it is compiled for.
//!
//! - [`mapped_file`]: mapped files, and pages of them that can no longer be read.
//! - [`memory`]: giving memory back, large pages.
//! - [`processor`]: loading ahead, counting bits.
//! - [`files`]: permissions, identity, regular files and positioned writes.
//! - [`folders`]: where a user's caches, settings and downloads are.
//! - [`paths`]: paths as bytes, in addresses, and links.
//! - [`local_socket`]: connections between processes of one user.
//! - [`desktop`]: the display, the clipboard, opening a file with its program.
//! - [`console`]: the console that a program was started from.
//! - [`menu_bar`]: the menu bar of the system.
//! - [`documents`]: documents that the system asks an open program to show.
//! - [`appearance`]: a dark or light desktop.
//! - [`processes`]: users, signals, free space, and files of other processes.
//! - [`signals`]: signals that end this process.
//! - [`standard_streams`]: standard input and output that were closed at the start.

pub mod appearance;
pub mod console;
pub mod desktop;
pub mod documents;
pub mod files;
pub mod folders;
pub mod local_socket;
pub mod mapped_file;
pub mod memory;
pub mod menu_bar;
pub mod paths;
pub mod processes;
pub mod processor;
pub mod signals;
pub mod standard_streams;
