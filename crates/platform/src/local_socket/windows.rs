//! Windows: ports of this machine, with a file that says which.

use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::time::Duration;

pub(super) use std::net::{TcpListener as Listener, TcpStream as Connection};

pub(super) const EXTENSION: &str = "port";

pub(super) fn listen(path: &Path) -> io::Result<(Listener, String)> {
    let inner = Listener::bind((Ipv4Addr::LOCALHOST, 0))?;
    // Hash maps of the standard library have random keys: two of them serve as a secret.
    let token: String = (0_u8..2).map(|n| format!("{:016x}", RandomState::new().hash_one(n))).collect();
    fs::write(path, format!("{} {token}", inner.local_addr()?.port()))?;
    Ok((inner, token))
}

pub(super) fn connect(path: &Path, timeout: Duration) -> io::Result<(Connection, String)> {
    let text = fs::read_to_string(path)?;
    let (port, token) = text.split_once(' ').ok_or_else(|| io::Error::other("no port"))?;
    let port: u16 = port.parse().map_err(io::Error::other)?;
    let at = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    Ok((Connection::connect_timeout(&at, timeout)?, token.to_owned()))
}
