//! What a dump is of: program, version, device. Said by the user, or by folders such as `app=shop/version=1.2/`.

use std::path::Path;
use std::sync::Arc;

use super::version_order::version_order;

/// What is not known.
pub const UNKNOWN: &str = "unknown";

/// Program, version and device of a dump.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DigestIdentity {
    /// Program.
    pub app: Option<String>,
    /// Its version.
    pub version: Option<String>,
    /// Host or device.
    pub device: Option<String>,
}

impl DigestIdentity {
    /// The same, completed by the folders of a path that are `key=value`, as Hive and Spark write partitions.
    #[must_use]
    pub fn completed_by(self, path: &Path) -> Self {
        let mut identity = self;
        for (key, value) in partitions(path) {
            let of = match key {
                "app" => &mut identity.app,
                "version" => &mut identity.version,
                "device" | "host" => &mut identity.device,
                _ => continue,
            };
            of.get_or_insert(value);
        }
        identity
    }

    /// Values of the columns app, version, version order and device.
    pub(crate) fn columns(&self) -> [Arc<str>; 4] {
        let of = |value: &Option<String>| Arc::from(value.as_deref().unwrap_or(UNKNOWN));
        let order = version_order(self.version.as_deref().unwrap_or(UNKNOWN));
        [of(&self.app), of(&self.version), Arc::from(order), of(&self.device)]
    }
}

/// Folders that are `key=value`; in values, `%20` and the like are characters.
pub(crate) fn partitions(path: &Path) -> impl Iterator<Item = (&str, String)> {
    let folders = path.parent().into_iter().flat_map(Path::components);
    folders.filter_map(|folder| {
        let (key, value) = folder.as_os_str().to_str()?.split_once('=')?;
        (value != "__HIVE_DEFAULT_PARTITION__").then(|| (key, unescaped(value)))
    })
}

fn unescaped(value: &str) -> String {
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value.as_bytes();
    while let Some((&first, left)) = rest.split_first() {
        let code = left.get(..2).and_then(|code| std::str::from_utf8(code).ok());
        let code = code.and_then(|code| u8::from_str_radix(code, 16).ok()).filter(|_| first == b'%');
        bytes.push(code.unwrap_or(first));
        rest = if code.is_some() { &left[2..] } else { left };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_complete_what_is_not_said() {
        let stated = DigestIdentity { version: Some("3".to_owned()), ..DigestIdentity::default() };
        let path = Path::new("/dumps/app=my%20shop/version=2/device=__HIVE_DEFAULT_PARTITION__/a=b.hprof");
        let identity = stated.completed_by(path);
        assert_eq!(identity.app.as_deref(), Some("my shop"));
        assert_eq!(identity.version.as_deref(), Some("3"));
        assert_eq!(identity.device, None);
        assert_eq!(&*identity.columns()[3], UNKNOWN);
        assert_eq!(unescaped("100%"), "100%");
    }
}
