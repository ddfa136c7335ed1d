//! The dump of an app, which the device's activity manager writes.

use std::io::{self, Read};
use std::net::TcpStream;
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use heaplens_base::{Bytes, Task, Unit};
use heaplens_process::ProcessRecord;

use super::list::shell;
use super::server::{Request, broken};
use crate::TakeError;
use crate::destination::Destination;
use crate::options::TakeOptions;
use crate::record::record_android;
use crate::stream::Writer;

/// Time between two looks at the size of the file.
const PAUSE: Duration = Duration::from_millis(500);
/// Time that a file may stay as it is before the dump counts as failed.
const SILENCE: Duration = Duration::from_mins(1);
/// Bytes read at once.
const BLOCK: usize = 1 << 20;

/// A file on a device; removed on drop.
struct DeviceFile<'a> {
    serial: Option<&'a str>,
    path: String,
}

impl Drop for DeviceFile<'_> {
    fn drop(&mut self) {
        // Ignored: the device may be gone.
        let _removed = shell(self.serial, &format!("rm -f {}", self.path));
    }
}

/// Writes the dump of an app's process to the destination; returns the record of the process.
pub(crate) fn take_android(
    serial: Option<&str>,
    process: &str,
    options: &TakeOptions,
    destination: &Destination,
    task: &Task,
) -> Result<Option<ProcessRecord>, TakeError> {
    // The name becomes part of a command.
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_' | ':' | '-');
    if process.starts_with('-') || !process.chars().all(is_name) {
        return Err(TakeError::Refused(format!("'{process}' is not the name of an Android process")));
    }
    let meminfo = || shell(serial, &format!("dumpsys meminfo {process}"));
    task.step("Recording process", Unit::Bytes, 0);
    let record = options.is_recorded().then(|| record_android(process, meminfo));
    let moment = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_millis());
    let file = DeviceFile { serial, path: format!("/data/local/tmp/heaplens-{moment}.hprof") };
    task.step("Writing dump on device", Unit::Bytes, 0);
    let answer = start(&file, process, options)?;
    let size = wait(&file, &answer, task)?;
    destination.check_space(Bytes(size))?;
    task.step("Receiving dump", Unit::Bytes, size);
    let mut request = Request::to_device(serial)?;
    request.send(&format!("exec:cat {}", file.path))?;
    let mut unfinished = destination.unfinished()?;
    let mut writer = Writer::new(unfinished.file_mut(), destination.folder(), task);
    receive(&mut request.bytes()?, &mut writer, task)?;
    let arrived = writer.finish()?;
    let refused = |why: String| TakeError::Refused(format!("adb: {why}. The device may be unplugged"));
    arrived.end(Some(size)).map_err(refused)?;
    destination.finish(unfinished.into_path())?;
    Ok(record)
}

/// Starts the dump; returns what the activity manager said.
fn start(file: &DeviceFile<'_>, process: &str, options: &TakeOptions) -> Result<String, TakeError> {
    let dump = |option: &str| shell(file.serial, &format!("am dumpheap {option}{process} {}", file.path));
    if options.is_all {
        return dump("");
    }
    let answer = dump("-g ")?;
    // Devices before Android 8 cannot collect garbage first.
    if answer.contains("Unknown option") { dump("") } else { Ok(answer) }
}

/// Waits until the file is complete; returns its size. Old devices write it after the command has ended.
fn wait(file: &DeviceFile<'_>, answer: &str, task: &Task) -> Result<u64, TakeError> {
    let (mut last, mut since) = (0, Instant::now());
    let failed = || {
        let lines = || answer.lines().map(str::trim).filter(|line| !line.is_empty());
        let why = lines().find(|line| line.contains("Exception") || line.starts_with("Error"));
        let why = why.or_else(|| lines().next_back()).unwrap_or("no dump appeared");
        TakeError::Refused(format!("the device refused: {why}; the app must be debuggable, or the device rooted"))
    };
    loop {
        task.checkpoint()?;
        let look = shell(file.serial, &format!("stat -c %s {0} && tail -c 9 {0} | od -An -tx1", file.path))?;
        let mut words = look.split_whitespace();
        let size = words.next().and_then(|word| word.parse::<u64>().ok());
        let tail: Vec<&str> = words.collect();
        match size {
            // The last record of a dump: HEAP DUMP END, a time, no bytes.
            Some(size) if tail.len() == 9 && tail[0] == "2c" && tail[5..] == ["00"; 4] => return Ok(size),
            Some(size) if size > last => (last, since) = (size, Instant::now()),
            None if answer.contains("Exception") || answer.contains("Error") => return Err(failed()),
            _ if since.elapsed() > SILENCE => return Err(failed()),
            _ => {}
        }
        sleep(PAUSE);
    }
}

fn receive(from: &mut TcpStream, writer: &mut Writer<'_>, task: &Task) -> Result<(), TakeError> {
    let mut block = vec![0; BLOCK];
    let mut since = Instant::now();
    loop {
        task.checkpoint()?;
        match from.read(&mut block) {
            Ok(0) => return Ok(()),
            Ok(read) => {
                since = Instant::now();
                writer.write(&block[..read])?;
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                if since.elapsed() > SILENCE {
                    return Err(broken(&error));
                }
            }
            Err(error) => return Err(broken(&error)),
        }
    }
}
