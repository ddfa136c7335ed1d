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

    /// Adds what the kernel says of memory, threads, descriptors and groups of a process. Its group is `/pod/shop` of
    /// version 2, in which `/pod` has the lower limit. Its environment has a secret.
    pub(crate) fn add_kernel_files(&self, pid: u32) {
        let folder = self.proc().join(pid.to_string());
        let write = |file: &Path, text: &str| {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        };
        let smaps = include_str!("../../../process/tests/texts/samples/smaps.txt");
        for (file, text) in [
            ("smaps", smaps),
            ("environ", "SECRET=planted\0"),
            (
                "limits",
                "Limit  Soft Limit  Hard Limit  Units\nMax open files            20000                30000  files\n",
            ),
            ("task/77/comm", "java\n"),
            ("task/78/comm", "pool-1-thread-1\n"),
            ("task/79/comm", "pool-1-thread-2\n"),
            ("cgroup", "9:name=systemd:/\n0::/pod/shop\n"),
        ] {
            write(&folder.join(file), text);
        }
        fs::create_dir_all(folder.join("fd")).unwrap();
        for (number, link) in
            ["/srv/log", "socket:[1]", "socket:[2]", "pipe:[3]", "anon_inode:[eventpoll]"].iter().enumerate()
        {
            symlink(link, folder.join(format!("fd/{number}"))).unwrap();
        }
        let groups = self.folder.path().join("groups");
        for (file, text) in [
            ("pod/memory.max", "536870912\n"),
            ("pod/memory.current", "500000000\n"),
            ("pod/memory.peak", "536870912\n"),
            ("pod/memory.events", "low 0\nmax 12\noom 3\noom_kill 2\n"),
            ("pod/shop/memory.max", "max\n"),
            ("pod/shop/memory.current", "400000000\n"),
            ("pod/shop/pids.max", "4096\n"),
            ("pod/shop/pids.current", "61\n"),
        ] {
            write(&groups.join(file), text);
        }
        let mount = format!("35 31 0:32 / {} rw,relatime - cgroup2 cgroup2 rw\n", groups.display());
        write(&self.proc().join("self/mountinfo"), &mount);
        write(&self.proc().join("meminfo"), "MemTotal:       24683652 kB\nMemAvailable:   22000000 kB\n");
    }

    /// Puts a process into a group of version 1, seen from a container: the mounts show only the part below its group.
    pub(crate) fn add_group_of_version_1(&self, pid: u32) {
        let groups = self.folder.path().join("groups");
        for (file, text) in [
            ("memory.limit_in_bytes", "268435456\n"),
            ("memory.usage_in_bytes", "200000000\n"),
            ("memory.max_usage_in_bytes", "268435456\n"),
            ("memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n"),
        ] {
            fs::create_dir_all(&groups).unwrap();
            fs::write(groups.join(file), text).unwrap();
        }
        let mount = format!("35 31 0:32 /docker/abc {} rw - cgroup cgroup rw,memory\n", groups.display());
        fs::write(self.proc().join("self/mountinfo"), mount).unwrap();
        fs::write(self.proc().join(pid.to_string()).join("cgroup"), "4:memory:/docker/abc\n3:cpu:/docker/abc\n")
            .unwrap();
    }

    /// Removes a file of a process.
    pub(crate) fn remove(&self, pid: u32, file: &str) {
        fs::remove_file(self.proc().join(pid.to_string()).join(file)).unwrap();
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
