//! A thread that answers as a JVM does, on a socket of the attach protocol.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::thread;

/// What it does when it is asked for a dump.
pub(crate) enum Manner {
    /// Writes these bytes.
    Writes(Vec<u8>),
    /// Says no.
    Refuses,
    /// Writes a part, then the disk is full.
    IsStopped,
    /// Writes a part, then ends.
    Ends(Box<dyn Fn() + Send>),
    /// Writes a dump, does something, and says that it is complete.
    Replaces(Box<dyn Fn() + Send>),
    /// Never answers.
    Hangs,
    /// Writes these bytes, and knows one diagnostic command only, as an old JVM.
    IsOld(Vec<u8>),
    /// Writes these bytes, and never answers diagnostic commands.
    IsSilent(Vec<u8>),
}

/// The socket; removed on drop.
pub(crate) struct ActedJvm {
    socket: PathBuf,
}

impl Drop for ActedJvm {
    fn drop(&mut self) {
        let _gone = fs::remove_file(&self.socket);
    }
}

impl ActedJvm {
    /// Answers at `socket`; `root` is the folder that the JVM takes for `/`.
    pub(crate) fn start(socket: &Path, root: &Path, manner: Manner) -> Self {
        let _stale = fs::remove_file(socket);
        let listener = UnixListener::bind(socket).unwrap();
        let root = root.to_owned();
        thread::spawn(move || {
            for stream in listener.incoming() {
                answer(&mut stream.unwrap(), &root, &manner);
            }
        });
        Self { socket: socket.to_owned() }
    }
}

/// Version, command and three arguments; empty if the connection was only tried.
fn words(stream: &mut UnixStream) -> Vec<String> {
    let mut bytes = Vec::new();
    let mut byte = [0];
    let mut ended = 0;
    while ended < 5 {
        match stream.read(&mut byte) {
            Ok(1) => bytes.push(byte[0]),
            _ => return Vec::new(),
        }
        ended += usize::from(byte[0] == 0);
    }
    bytes.split(|&byte| byte == 0).map(|word| String::from_utf8_lossy(word).into_owned()).collect()
}

fn answer(stream: &mut UnixStream, root: &Path, manner: &Manner) {
    let words = words(stream);
    let say = |stream: &mut UnixStream, text: &str| stream.write_all(text.as_bytes()).unwrap();
    match words.get(1).map(String::as_str) {
        Some("inspectheap") => {
            assert_eq!(words[2], "-live");
            say(
                stream,
                "0\n num     #instances         #bytes  class name (module)\n   1:  5  400  [B (java.base@17)\n   2:  2  48  shop.Session\nTotal 7 448\n",
            );
        }
        Some("jcmd") => match manner {
            Manner::IsOld(_) if words[2] != "GC.heap_info" => {
                say(stream, "1\njava.lang.IllegalArgumentException: Unknown diagnostic command\n");
            }
            Manner::IsSilent(_) => _ = stream.read(&mut [0]).unwrap(),
            _ => say(stream, &format!("0\n{}", diagnosis(&words[2]))),
        },
        Some("dumpheap") => {
            let file = root.join(words[2].trim_start_matches('/'));
            match manner {
                Manner::Writes(bytes) | Manner::IsOld(bytes) | Manner::IsSilent(bytes) => {
                    fs::write(file, bytes).unwrap();
                    say(stream, "0\nDumping heap to x ...\nHeap dump file created [9 bytes in 0.1 secs]\n");
                }
                Manner::Refuses => say(stream, "1\nThe VM is not willing\n"),
                Manner::IsStopped => {
                    fs::write(file, "JAVA PROFILE 1.0.2").unwrap();
                    say(stream, "0\nDumping heap to x ...\nDump file is incomplete: No space left on device\n");
                }
                Manner::Ends(end) => {
                    fs::write(file, "JAVA PROFILE 1.0.2").unwrap();
                    end();
                }
                Manner::Replaces(replace) => {
                    fs::write(file, "JAVA PROFILE 1.0.2").unwrap();
                    replace();
                    say(stream, "0\nHeap dump file created [9 bytes in 0.1 secs]\n");
                }
                Manner::Hangs => {
                    fs::write(file, "JAVA PROFILE 1.0.2").unwrap();
                    // Until the other side gives up.
                    let _closed = stream.read(&mut [0]);
                }
            }
        }
        _ => {}
    }
}

/// Answers of a real JVM, without native memory tracking.
fn diagnosis(command: &str) -> &'static str {
    match command {
        "GC.heap_info" => include_str!("../../../process/tests/texts/samples/heap-17-g1.txt"),
        "VM.native_memory summary" => "Native memory tracking is not enabled\n",
        "VM.metaspace basic scale=1" => include_str!("../../../process/tests/texts/samples/metaspace-17.txt"),
        "VM.classloader_stats" => include_str!("../../../process/tests/texts/samples/class-loaders-17.txt"),
        "Compiler.codecache" => include_str!("../../../process/tests/texts/samples/codecache-17.txt"),
        "VM.flags" => "-XX:MaxHeapSize=134217728 -XX:OnOutOfMemoryError=planted -XX:+UseG1GC \n",
        "VM.version" => "OpenJDK 64-Bit Server VM version 17.0.15+6\nJDK 17.0.15\n",
        _ => panic!("{command} is asked"),
    }
}
