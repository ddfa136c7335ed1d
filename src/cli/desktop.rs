//! `desktop`: registers heaplens with the file manager. Writes to the user's data folder only, never to system folders.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::args::{DesktopArgument, DesktopArguments};
use super::failure::Failure;
use super::print::Answer;
use heaplens_platform::desktop::HAS_ENTRIES;
use heaplens_platform::folders::user_data;
use heaplens_session::output_file::{OutputFile, OutputKind};

const ENTRY: &str = include_str!("../../assets/desktop/heaplens.desktop");
const TYPES: &str = include_str!("../../assets/desktop/heaplens-mime.xml");
const ICON: &str = include_str!("../../assets/heaplens.svg");
const PICTURE: &[u8] = include_bytes!("../../assets/heaplens.png");

/// Programs that refresh the desktop's caches, with the folder that each takes.
const READERS: [(&str, &str); 3] = [
    ("update-mime-database", "mime"),
    ("update-desktop-database", "applications"),
    ("gtk-update-icon-cache", "icons/hicolor"),
];

pub(super) fn desktop(arguments: &DesktopArguments) -> Answer {
    let data = arguments.data_dir.clone().or_else(|| user_data().filter(|_| HAS_ENTRIES));
    let Some(data) = data else {
        return Err(Failure::Unusable(
            "desktop entries are not supported on this system; associate heap dumps with heaplens in the file manager"
                .to_owned(),
        ));
    };
    let program = std::env::current_exe()?;
    let mut out = io::stdout().lock();
    for (name, bytes) in files(&program) {
        let path = data.join(name);
        let at = |error: io::Error| Failure::Unusable(format!("{}: {error}", path.display()));
        if arguments.what == DesktopArgument::Install {
            fs::create_dir_all(path.parent().unwrap_or(&data)).map_err(at)?;
            let kind =
                if path.extension().is_some_and(|end| end == "png") { OutputKind::Picture } else { OutputKind::Text };
            OutputFile::new(&path, kind, &[]).write(|out| out.write_all(&bytes)).map_err(at)?;
            writeln!(out, "Wrote {}", path.display())?;
            continue;
        }
        match fs::remove_file(&path) {
            Ok(()) => writeln!(out, "Deleted {}", path.display())?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(at(error)),
        }
    }
    for (reader, folder) in READERS {
        let folder = data.join(folder);
        let quiet = |program: &str| {
            let mut command = Command::new(program);
            command.arg(&folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status()
        };
        // Desktops without this program scan the files themselves, some only at the next login.
        if folder.is_dir() && quiet(reader).is_err() {
            writeln!(out, "{reader} not found; log in again for changes to take effect")?;
        }
    }
    Ok(out.flush()?)
}

/// Files to install: path relative to the user's data folder, and content.
fn files(program: &Path) -> [(PathBuf, Vec<u8>); 4] {
    let entry = ENTRY.replace("Exec=heaplens %U", &format!("Exec={} %U", quoted(&program.to_string_lossy())));
    [
        ("applications/heaplens.desktop", entry.into_bytes()),
        ("mime/packages/heaplens.xml", TYPES.as_bytes().to_vec()),
        ("icons/hicolor/scalable/apps/heaplens.svg", ICON.as_bytes().to_vec()),
        ("icons/hicolor/256x256/apps/heaplens.png", PICTURE.to_vec()),
    ]
    .map(|(name, bytes)| (PathBuf::from(name), bytes))
}

/// Quotes a path as an argument of `Exec=`, with the escapes of both the key and the desktop file format.
fn quoted(path: &str) -> String {
    let mut word = String::from("\"");
    for c in path.chars() {
        match c {
            '\\' => word.push_str(r"\\\\"),
            '"' | '`' | '$' => {
                word.push_str(r"\\");
                word.push(c);
            }
            '%' => word.push_str("%%"),
            c if c.is_control() => {}
            c => word.push(c),
        }
    }
    word + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entry_starts_this_program_with_several_files_or_a_link() {
        let [(_, entry), ..] = files(Path::new("/opt/my tools/heap$lens"));
        let entry = String::from_utf8(entry).expect("UTF-8");
        assert!(entry.contains(r#"Exec="/opt/my tools/heap\\$lens" %U"#), "{entry}");
        assert_eq!(quoted(r#"/a"b\c 100%"#), r#""/a\\"b\\\\c 100%%""#);
        // All types in the desktop entry are declared in the MIME file.
        let types = ENTRY.lines().find_map(|line| line.strip_prefix("MimeType=")).expect("types");
        assert!(types.contains("x-scheme-handler/heaplens;"), "links are opened by heaplens");
        let is_type = |name: &&str| !name.is_empty() && !name.starts_with("x-scheme-handler/");
        for name in types.split(';').filter(is_type) {
            assert!(TYPES.contains(&format!("<mime-type type=\"{name}\">")), "{name}");
        }
    }
}
