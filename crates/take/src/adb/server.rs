//! Requests to the adb server.
//!
//! Source of the rules: `OVERVIEW.TXT` and `SERVICES.TXT` of Android's adb. A request is its length in four hexadecimal
//! digits and its text; the answer begins with `OKAY`, or with `FAIL` and a text with its length.

use std::env;
use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::TakeError;

/// Port of the server unless the environment names another.
const PORT: &str = "5037";
/// Time to connect.
const PATIENCE: Duration = Duration::from_secs(3);
/// Time between two looks at the task while an answer arrives.
const LOOK: Duration = Duration::from_millis(200);
/// Longest answer that is kept as text, in bytes.
const LIMIT: u64 = 16 << 20;

/// A connection for one request, or for one to a device.
pub(super) struct Request(TcpStream);

impl Request {
    /// Connects to the server, which `is_started` if it does not run.
    pub(super) fn open(is_started: bool) -> Result<Self, TakeError> {
        let server = env::var("ADB_SERVER_SOCKET").ok().and_then(|text| Some(text.strip_prefix("tcp:")?.to_owned()));
        let port = env::var("ANDROID_ADB_SERVER_PORT").unwrap_or_else(|_| PORT.to_owned());
        let server = server.unwrap_or_else(|| format!("127.0.0.1:{port}"));
        let server = if server.contains(':') { server } else { format!("127.0.0.1:{server}") };
        match connect(&server) {
            Ok(stream) => Ok(Self(stream)),
            Err(_) if is_started => {
                let mut adb = Command::new("adb");
                let adb = adb.arg("start-server").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
                adb.status()
                    .map_err(|_missing| TakeError::Refused("adb is not installed, or not on PATH".to_owned()))?;
                connect(&server).map(Self).map_err(|error| broken(&error))
            }
            Err(error) => Err(broken(&error)),
        }
    }

    /// Connects to a device, `None` for the only one.
    pub(super) fn to_device(serial: Option<&str>) -> Result<Self, TakeError> {
        let mut request = Self::open(true)?;
        request.send(&serial.map_or("host:transport-any".to_owned(), |serial| format!("host:transport:{serial}")))?;
        Ok(request)
    }

    /// Sends a request and reads whether it was accepted.
    pub(super) fn send(&mut self, service: &str) -> Result<(), TakeError> {
        let message = format!("{:04x}{service}", service.len());
        self.0.write_all(message.as_bytes()).map_err(|error| broken(&error))?;
        let mut word = [0; 4];
        self.0.read_exact(&mut word).map_err(|error| broken(&error))?;
        if &word == b"OKAY" {
            return Ok(());
        }
        let why = self.text().unwrap_or_else(|_| "no reason given".to_owned());
        Err(TakeError::Refused(format!("adb: {}", why.trim())))
    }

    /// A text with its length before it.
    pub(super) fn text(&mut self) -> Result<String, TakeError> {
        let mut length = [0; 4];
        self.0.read_exact(&mut length).map_err(|error| broken(&error))?;
        let length = str::from_utf8(&length).ok().and_then(|digits| u16::from_str_radix(digits, 16).ok());
        let length = length.ok_or_else(|| TakeError::Refused("adb: an answer has no length".to_owned()))?;
        let mut text = vec![0; usize::from(length)];
        self.0.read_exact(&mut text).map_err(|error| broken(&error))?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// Everything until the end, as text.
    pub(super) fn rest(self) -> Result<String, TakeError> {
        let mut text = Vec::new();
        self.0.take(LIMIT).read_to_end(&mut text).map_err(|error| broken(&error))?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// The connection, to read bytes; a read returns early so that the task can be looked at.
    pub(super) fn bytes(self) -> Result<TcpStream, TakeError> {
        self.0.set_read_timeout(Some(LOOK)).map_err(|error| broken(&error))?;
        Ok(self.0)
    }
}

fn connect(server: &str) -> io::Result<TcpStream> {
    let address = server.to_socket_addrs()?.next().ok_or(io::ErrorKind::NotFound)?;
    TcpStream::connect_timeout(&address, PATIENCE)
}

pub(super) fn broken(error: &io::Error) -> TakeError {
    TakeError::Refused(match error.kind() {
        io::ErrorKind::UnexpectedEof => "adb: the connection ended: the device may be unplugged".to_owned(),
        io::ErrorKind::ConnectionRefused => "adb: its server does not run".to_owned(),
        _ => format!("adb: {error}"),
    })
}
