//! How a person names the process that a dump is taken of.

use std::fmt;
use std::str::FromStr;

use crate::remote::{RemoteHost, RemotePlace};

/// A process, or where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A process of this machine by its number.
    Pid(u32),
    /// The only process of this machine whose name contains a text.
    Name(String),
    /// A JavaScript inspector: `http://host:port`, with `/ID` where it has several targets.
    Inspector {
        /// `host:port`.
        address: String,
        /// Identifier of a page, worker or program.
        id: Option<String>,
    },
    /// An app on an Android device: `android://com.example`, `android://SERIAL/com.example`.
    Android {
        /// Serial number of the device; `None` for the only one.
        serial: Option<String>,
        /// Name of the process, or its number; `None` to list them.
        process: String,
    },
    /// A process where programs of this machine lead to: `kubectl://namespace/pod`, `docker://name`, `ssh://host/pid`.
    Remote(RemotePlace),
}

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((scheme, rest)) = text.split_once("://") else {
            return Ok(match text.parse() {
                Ok(pid) if pid > 0 => Self::Pid(pid),
                _ if text.is_empty() => return Err("a process number or name is missing".to_owned()),
                _ => Self::Name(text.to_owned()),
            });
        };
        let parts: Vec<&str> = rest.trim_end_matches('/').split('/').collect();
        let wrong = |form: &str| Err(format!("'{text}' should have the form {form}"));
        // A name that begins with a dash would be an option of the program that is run.
        if parts.iter().any(|part| part.is_empty() || part.starts_with('-')) {
            return wrong("SCHEME://NAME, without empty parts");
        }
        let pid = |text: &str| text.parse::<u32>().map_err(|_number| format!("'{text}' is not a process number"));
        let remote = |host, number: Option<&&str>| {
            Ok(Self::Remote(RemotePlace { host, pid: number.map(|text| pid(text)).transpose()? }))
        };
        let owned = |text: &str| text.to_owned();
        match (scheme, &parts[..]) {
            ("http" | "ws", [address, id @ ..]) => {
                let id = id.last().map(|id| owned(id));
                Ok(Self::Inspector { address: owned(address), id })
            }
            ("android", [process]) => Ok(Self::Android { serial: None, process: owned(process) }),
            ("android", [serial, process]) => {
                Ok(Self::Android { serial: Some(owned(serial)), process: owned(process) })
            }
            ("kubectl", [namespace, pod, rest @ ..]) if rest.len() <= 2 => {
                let is_pid = |text: &&&str| text.bytes().all(|byte| byte.is_ascii_digit());
                let container = rest.first().filter(|text| !is_pid(text)).map(|text| owned(text));
                let (namespace, pod) = (owned(namespace), owned(pod));
                remote(RemoteHost::Kubernetes { namespace, pod, container }, rest.last().filter(is_pid))
            }
            ("docker" | "podman", [name, rest @ ..]) if rest.len() <= 1 => {
                remote(RemoteHost::Container { program: owned(scheme), name: owned(name) }, rest.first())
            }
            ("ssh", [host, rest @ ..]) if rest.len() <= 1 => {
                remote(RemoteHost::Ssh { host: owned(host) }, rest.first())
            }
            ("kubectl", _) => wrong("kubectl://NAMESPACE/POD[/CONTAINER][/PID]"),
            ("docker" | "podman" | "ssh", _) => wrong(&format!("{scheme}://NAME[/PID]")),
            ("android", _) => wrong("android://[SERIAL/]PROCESS"),
            _ => Err(format!(
                "'{scheme}://' is unknown; known are http://, android://, kubectl://, docker://, podman://, ssh://"
            )),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pid(pid) => write!(f, "process {pid}"),
            Self::Name(name) => f.write_str(name),
            Self::Inspector { address, id: None } => write!(f, "http://{address}"),
            Self::Inspector { address, id: Some(id) } => write!(f, "http://{address}/{id}"),
            Self::Android { serial: None, process } => write!(f, "android://{process}"),
            Self::Android { serial: Some(serial), process } => write!(f, "android://{serial}/{process}"),
            Self::Remote(address) => write!(f, "{address}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_read_and_written() {
        for text in [
            "shop.Main",
            "http://127.0.0.1:9229",
            "http://127.0.0.1:9229/a-b",
            "android://com.example",
            "android://emulator-5554/com.example",
            "kubectl://shop/web-1",
            "kubectl://shop/web-1/app",
            "kubectl://shop/web-1/app/7",
            "kubectl://shop/web-1/7",
            "docker://shop",
            "docker://shop/1",
            "ssh://me@host",
            "ssh://host/12",
        ] {
            assert_eq!(text.parse::<Target>().unwrap().to_string(), text);
        }
        assert_eq!("12".parse(), Ok(Target::Pid(12)));
    }

    #[test]
    fn what_could_become_an_option_is_refused() {
        for text in ["ssh://-oProxyCommand=x", "docker://", "kubectl://shop", "ftp://a", "ssh://a/b", ""] {
            assert!(text.parse::<Target>().is_err(), "{text}");
        }
    }
}
