//! Linux and other systems with Wayland or X11.

use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use super::session::Session;

pub(super) fn session() -> Session {
    let is_wayland = std::env::var_os("WAYLAND_DISPLAY").is_some_and(|name| !name.is_empty());
    if is_wayland { Session::Wayland } else { Session::X11 }
}

pub(super) fn find_display() -> Result<(), String> {
    let set = |name| std::env::var(name).ok().filter(|v| !v.is_empty());
    if let Some(name) = set("WAYLAND_DISPLAY") {
        let folder = set("XDG_RUNTIME_DIR").map_or_else(|| PathBuf::from("/run"), PathBuf::from);
        let socket = if Path::new(&name).is_absolute() { PathBuf::from(&name) } else { folder.join(&name) };
        return match UnixStream::connect(&socket) {
            Ok(_) => Ok(()),
            Err(error) => Err(format!("cannot connect to the Wayland display {name}: {error}")),
        };
    }
    let Some(name) = set("DISPLAY") else {
        return Err("no display found: neither WAYLAND_DISPLAY nor DISPLAY is set".to_owned());
    };
    let (host, rest) = name.rsplit_once(':').unwrap_or(("", &name));
    let number = rest.split('.').next().unwrap_or("0");
    if !host.is_empty() && host != "unix" {
        let port = number.parse::<u16>().ok().and_then(|n| n.checked_add(6000));
        let answer = port.map(|port| std::net::TcpStream::connect((host, port)));
        return match answer {
            Some(Ok(_)) => Ok(()),
            _ => Err(format!("cannot connect to the X display {name}")),
        };
    }
    let path = format!("/tmp/.X11-unix/X{number}");
    if UnixStream::connect(&path).is_ok() || abstract_socket(&path) {
        Ok(())
    } else {
        Err(format!("cannot connect to the X display {name}"))
    }
}

#[cfg(target_os = "linux")]
fn abstract_socket(path: &str) -> bool {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixStream};
    SocketAddr::from_abstract_name(path).and_then(|a| UnixStream::connect_addr(&a)).is_ok()
}

#[cfg(all(unix, not(any(target_os = "macos", target_os = "linux"))))]
fn abstract_socket(_path: &str) -> bool {
    false
}
