//! A thread that answers as the adb server does, with one device.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use super::{Stage, extension, message};

/// The end of every dump: HEAP DUMP END, a time, no bytes.
const END: [u8; 9] = [0x2c, 0, 0, 0, 1, 0, 0, 0, 0];

/// A device: its files, and what the activity manager does.
#[derive(Clone, Default)]
struct Device {
    files: Arc<Mutex<BTreeMap<String, Vec<u8>>>>,
    refuses: bool,
    /// What it sends in place of a dump.
    sends: Option<Vec<u8>>,
}

impl Device {
    fn start(&self) -> u16 {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("a port").port();
        let device = self.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let device = device.clone();
                thread::spawn(move || device.serve(stream));
            }
        });
        port
    }

    fn serve(&self, mut stream: TcpStream) {
        while let Some(service) = request(&mut stream) {
            let text = |text: &str| format!("{:04x}{text}", text.len()).into_bytes();
            match service.as_str() {
                "host:devices" => return answer(&mut stream, &text("emulator-5554\tdevice\n0123\toffline\n")),
                "host:transport-any" | "host:transport:emulator-5554" => {
                    stream.write_all(b"OKAY").expect("it listens");
                }
                "jdwp" => return answer(&mut stream, &text("4711\n")),
                service => match service.strip_prefix("exec:") {
                    Some(command) => return answer(&mut stream, &self.run(command)),
                    None => {
                        let why = text("device 'x' not found");
                        return stream.write_all(&[b"FAIL".as_slice(), &why].concat()).expect("it listens");
                    }
                },
            }
        }
    }

    fn run(&self, command: &str) -> Vec<u8> {
        let words: Vec<&str> = command.split_whitespace().collect();
        let mut files = self.files.lock().expect("no panic");
        match words[..] {
            ["dumpsys", "meminfo", ..] => {
                include_bytes!("../../../crates/process/tests/texts/samples/meminfo.txt").to_vec()
            }
            ["ps", ..] => b"  PID NAME\n    1 init\n 4711 com.example.shop\n".to_vec(),
            ["am", "dumpheap", "-g", ..] => b"Error: Unknown option: -g\n".to_vec(),
            ["am", "dumpheap", ..] if self.refuses => {
                b"java.lang.SecurityException: Process not debuggable: com.example.shop\n\tat android.os.Parcel\n"
                    .to_vec()
            }
            ["am", "dumpheap", "com.example.shop", file, ..] => {
                files.insert(file.to_owned(), [b"JAVA PROFILE 1.0.3\0".as_slice(), &END].concat());
                format!("File: {file}\nWaiting for dump to finish...\n").into_bytes()
            }
            ["stat", "-c", "%s", file, ..] => match files.get(file) {
                Some(bytes) => {
                    let tail: Vec<String> = bytes[bytes.len() - 9..].iter().map(|byte| format!("{byte:02x}")).collect();
                    format!("{}\n {}\n", bytes.len(), tail.join(" ")).into_bytes()
                }
                None => b"stat: No such file or directory\n".to_vec(),
            },
            ["cat", file] => self.sends.clone().unwrap_or_else(|| files[file].clone()),
            ["rm", "-f", file, ..] => {
                files.remove(file);
                Vec::new()
            }
            _ => format!("unknown: {command}\n").into_bytes(),
        }
    }
}

fn request(stream: &mut TcpStream) -> Option<String> {
    let mut length = [0; 4];
    stream.read_exact(&mut length).ok()?;
    let length = usize::from_str_radix(str::from_utf8(&length).ok()?, 16).ok()?;
    let mut text = vec![0; length];
    stream.read_exact(&mut text).ok()?;
    String::from_utf8(text).ok()
}

fn answer(stream: &mut TcpStream, bytes: &[u8]) {
    // A client that has what it wanted may be gone.
    let _gone = stream.write_all(&[b"OKAY", bytes].concat());
}

fn take(device: &Device, stage: &Stage, words: &[&str]) -> std::process::Output {
    let port = device.start().to_string();
    stage.heaplens(&[&["take"], words].concat(), &[("ANDROID_ADB_SERVER_PORT", &port)])
}

#[test]
fn an_app_is_listed_and_dumped_and_its_device_is_cleaned() {
    let (device, stage) = (Device::default(), Stage::new());
    let listed = take(&device, &stage, &[]);
    let text = String::from_utf8_lossy(&listed.stdout).into_owned();
    let has_app =
        |line: &str| line.contains("4711") && line.contains("emulator-5554") && line.contains("com.example.shop");
    assert!(text.lines().any(has_app), "{text}");
    for target in ["android://com.example.shop", "android://emulator-5554/com.example.shop"] {
        let stage = Stage::new();
        let output = take(&device, &stage, &[target]);
        assert!(output.status.success(), "{}", message(&output));
        let [name] = &stage.dumps()[..] else { panic!("{:?}", stage.dumps()) };
        assert!(name.starts_with("com-example-shop-") && extension(name) == "hprof", "{name}");
        assert!(fs::read(stage.dumps.path().join(name)).expect("a dump").ends_with(&END));
        assert!(device.files.lock().expect("no panic").is_empty());
        let record = stage.record();
        assert_eq!(record["kind"], "android");
        assert_eq!(record["memory"]["proportional"], 44_787_u64 << 10);
        assert_eq!(record["android"][0][0], "Native Heap");
    }
}

#[test]
fn a_cut_or_foreign_stream_is_no_dump() {
    let foreign = [b"error: closed".as_slice(), &[b' '; 15]].concat();
    for (sends, why) in [
        (b"JAVA PROFILE 1.0.3\0".to_vec(), "the dump is incomplete: 19 of 28 bytes arrived"),
        (foreign, "what arrived is no heap dump: it begins with \"error: closed"),
        (Vec::new(), "no dump arrived"),
    ] {
        let (device, stage) = (Device { sends: Some(sends), ..Device::default() }, Stage::new());
        let output = take(&device, &stage, &["android://com.example.shop"]);
        assert_eq!((output.status.code(), stage.dumps()), (Some(1), Vec::new()));
        assert!(message(&output).contains(why), "{}", message(&output));
    }
}

#[test]
fn refusals_are_sentences_and_leave_nothing_behind() {
    let (device, stage) = (Device { refuses: true, ..Device::default() }, Stage::new());
    let output = take(&device, &stage, &["android://com.example.shop"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(message(&output).contains("Process not debuggable: com.example.shop"), "{}", message(&output));
    let output = take(&device, &stage, &["android://nowhere/com.example.shop"]);
    assert!(message(&output).contains("device 'x' not found"), "{}", message(&output));
    let output = take(&device, &stage, &["android://com.example;reboot"]);
    assert!(message(&output).contains("is not the name of an Android process"), "{}", message(&output));
    assert_eq!(stage.dumps(), [""; 0]);
}
