//! A machine whose `/proc` is a folder.

use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};

use heaplens_take::Machine;
use tempfile::TempDir;

/// The folder, and a folder for dumps.
pub(crate) struct ActedMachine {
    folder: TempDir,
    /// Folder for dumps.
    pub(crate) dumps: TempDir,
}

/// A process of it.
pub(crate) struct ActedProcess<'a> {
    pub(crate) pid: u32,
    /// Its number inside its container.
    pub(crate) inner_pid: u32,
    /// Name of its mapped library.
    pub(crate) library: &'a str,
    /// Resident memory in kilobytes.
    pub(crate) resident: u64,
    pub(crate) arguments: &'a str,
    pub(crate) executable: &'a str,
    /// Mask of the signals that it handles.
    pub(crate) caught: u64,
}

impl Default for ActedProcess<'_> {
    fn default() -> Self {
        Self {
            pid: 77,
            inner_pid: 1,
            library: "libjvm.so",
            resident: 1000,
            arguments: "java -cp lib shop.Main",
            executable: "/jdk/bin/java",
            caught: 0,
        }
    }
}

impl ActedMachine {
    pub(crate) fn new() -> Self {
        let machine = Self { folder: tempfile::tempdir().unwrap(), dumps: tempfile::tempdir().unwrap() };
        let namespaces = machine.proc().join("self/ns");
        fs::create_dir_all(&namespaces).unwrap();
        symlink("mnt:[1]", namespaces.join("mnt")).unwrap();
        symlink("net:[1]", namespaces.join("net")).unwrap();
        machine
    }

    fn proc(&self) -> PathBuf {
        self.folder.path().join("proc")
    }

    /// Root folder of the container.
    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("root")
    }

    pub(crate) fn machine(&self) -> Machine {
        Machine::at(self.proc())
    }

    /// Adds a process: in a container with files of its own, or beside this program.
    pub(crate) fn add(&self, process: &ActedProcess<'_>, is_contained: bool) {
        let folder = self.proc().join(process.pid.to_string());
        fs::create_dir_all(folder.join("ns")).unwrap();
        fs::create_dir_all(self.root().join("tmp")).unwrap();
        let user = fs::metadata(&folder).unwrap().uid();
        let (pid, inner) = (process.pid, process.inner_pid);
        let status = format!(
            "Name:\tjava\nUid:\t{user}\t{user}\t{user}\t{user}\nNSpid:\t{pid}\t{inner}\nVmRSS:\t{} kB\nSigCgt:\t{:016x}\n",
            process.resident, process.caught
        );
        fs::write(folder.join("status"), status).unwrap();
        fs::write(folder.join("stat"), format!("{pid} (java (x) y) S 1 1 1")).unwrap();
        fs::write(folder.join("comm"), "java\n").unwrap();
        fs::write(folder.join("cmdline"), process.arguments.replace(' ', "\0") + "\0").unwrap();
        fs::write(folder.join("maps"), format!("7f00-7f01 r-xp 0 00:00 1 /jdk/lib/{}\n", process.library)).unwrap();
        symlink(process.executable, folder.join("exe")).unwrap();
        symlink(if is_contained { "mnt:[2]" } else { "mnt:[1]" }, folder.join("ns/mnt")).unwrap();
        symlink("net:[1]", folder.join("ns/net")).unwrap();
        symlink(if is_contained { self.root() } else { PathBuf::from("/") }, folder.join("root")).unwrap();
        symlink(self.root(), folder.join("cwd")).unwrap();
    }

    /// Lets a process listen on a port of this machine.
    pub(crate) fn listen(&self, pid: u32, port: u16) {
        let folder = self.proc().join(pid.to_string());
        fs::create_dir_all(folder.join("fd")).unwrap();
        fs::create_dir_all(folder.join("net")).unwrap();
        symlink("socket:[4242]", folder.join("fd/7")).unwrap();
        let line = format!(
            "   0: 0100007F:{port:04X} 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4242 1\n"
        );
        fs::write(folder.join("net/tcp"), format!("  sl  local_address\n{line}")).unwrap();
    }

    /// Lets a process end.
    pub(crate) fn end(&self, pid: u32) {
        fs::write(self.proc().join(pid.to_string()).join("stat"), format!("{pid} (java) Z 1 1 1")).unwrap();
    }

    /// Another handle that can let a process end.
    pub(crate) fn killer(&self, pid: u32) -> impl Fn() + Send + 'static {
        let stat = self.proc().join(pid.to_string()).join("stat");
        move || fs::write(&stat, format!("{pid} (java) Z 1 1 1")).unwrap()
    }

    /// Names of the files in the folder for dumps and in the container's temporary folder.
    pub(crate) fn files(&self) -> Vec<String> {
        let names = |folder: &Path| -> Vec<String> {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten();
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
        };
        let mut all = names(self.dumps.path());
        all.extend(names(&self.root().join("tmp")).into_iter().filter(|name| !name.starts_with(".java_pid")));
        all.sort();
        all
    }
}
