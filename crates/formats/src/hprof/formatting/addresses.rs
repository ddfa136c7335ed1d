//! Addresses of files and hosts.

use std::net::{Ipv4Addr, Ipv6Addr};

use crate::hprof::peek::Fields;

/// A URI has its text only after it was first requested, but always its parts.
pub(super) fn uri(fields: Fields<'_>) -> Option<String> {
    if let Some(address) = fields.text(&["string"]) {
        return Some(address);
    }
    let scheme = fields.text(&["scheme"]).map(|scheme| scheme + ":").unwrap_or_default();
    let host = fields.text(&["authority"]).or_else(|| fields.text(&["host"]));
    let host = host.map(|host| format!("//{host}")).unwrap_or_default();
    let path = fields.text(&["path"]).or_else(|| fields.text(&["schemeSpecificPart"]))?;
    Some(format!("{scheme}{host}{path}"))
}

pub(super) fn url(fields: Fields<'_>) -> Option<String> {
    let (protocol, file) = (fields.text(&["protocol"])?, fields.text(&["file"]).unwrap_or_default());
    let host = fields.text(&["authority"]).or_else(|| fields.text(&["host"])).filter(|host| !host.is_empty());
    Some(format!("{protocol}:{}{file}", host.map(|host| format!("//{host}")).unwrap_or_default()))
}

/// `{namespace}name`, as `QName.toString`.
pub(super) fn qualified_name(fields: Fields<'_>) -> Option<String> {
    let name = fields.text(&["localPart"])?;
    let namespace = fields.text(&["namespaceURI"]).filter(|namespace| !namespace.is_empty());
    Some(namespace.map(|namespace| format!("{{{namespace}}}{name}")).unwrap_or(name))
}

/// `example.org/10.0.0.1`, or one of both if the object has no more.
pub(super) fn inet_address(fields: Fields<'_>) -> Option<String> {
    joined(host(fields), number(fields))
}

fn joined(host: Option<String>, number: Option<String>) -> Option<String> {
    Some(match (host, number) {
        (Some(host), Some(number)) if host != number => format!("{host}/{number}"),
        (one, other) => one.or(other)?,
    })
}

/// Host name of an `InetAddress`, which is directly in the object before JDK 7 Update 40.
fn host(fields: Fields<'_>) -> Option<String> {
    let holder = fields.inside(&["holder"]).unwrap_or(fields);
    holder.text(&["hostName"]).filter(|host| !host.is_empty())
}

fn number(fields: Fields<'_>) -> Option<String> {
    let peek = fields.peek;
    if let Some(bytes) = fields.inside(&["holder6"]).unwrap_or(fields).object(&["ipaddress"]) {
        let array = peek.array(bytes).filter(|array| peek.contents.is_recorded(array))?;
        let bytes: [u8; 16] = array.elements.try_into().ok()?;
        return Some(Ipv6Addr::from(bytes).to_string());
    }
    let holder = fields.inside(&["holder"]).unwrap_or(fields);
    Some(Ipv4Addr::from(i32::try_from(holder.integer("address")?).ok()?.cast_unsigned()).to_string())
}

/// Host, address and port of an `InetSocketAddress`.
pub(super) fn socket_address(fields: Fields<'_>) -> Option<String> {
    let holder = fields.inside(&["holder"]).unwrap_or(fields);
    let port = holder.integer("port")?;
    let Some(address) = holder.inside(&["addr"]) else {
        return Some(format!("{}:{port} (unresolved)", holder.text(&["hostname"])?));
    };
    let number = number(address).map(|number| if number.contains(':') { format!("[{number}]") } else { number });
    Some(format!("{}:{port}", joined(host(address), number)?))
}

/// Guava's `HostAndPort`.
pub(super) fn host_and_port(fields: Fields<'_>) -> Option<String> {
    let host = fields.text(&["host"])?;
    Some(match fields.integer("port").filter(|&port| port >= 0) {
        Some(port) => format!("{host}:{port}"),
        None => host,
    })
}

/// `application/json`
pub(super) fn media_type(fields: Fields<'_>) -> Option<String> {
    Some(format!("{}/{}", fields.text(&["type"])?, fields.text(&["subtype"])?))
}
