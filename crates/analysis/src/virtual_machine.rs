//! System properties, VM arguments and garbage collectors, read from the heap. Only properties on a list are read,
//! because others may be secrets.

use std::collections::BTreeMap;

use crate::answers::DumpData;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ObjectId, Value};

/// Maximum entries read of a list.
const ENTRIES: u64 = 1_000;
/// Maximum number of objects whose name is read.
const NAMED: usize = 16;

/// The properties that are read.
const KEYS: [&str; 13] = [
    "java.runtime.name",
    "java.runtime.version",
    "java.version",
    "java.vendor",
    "java.vm.name",
    "java.vm.version",
    "java.vm.compressedOopsMode",
    "java.home",
    "os.name",
    "os.version",
    "os.arch",
    "sun.java.command",
    "user.dir",
];

/// Facts read from the heap.
#[derive(Debug, Default)]
pub(crate) struct VirtualMachine {
    properties: BTreeMap<&'static str, String>,
    /// VM arguments, if a management bean has them.
    pub(crate) arguments: Option<String>,
    /// Names of garbage collectors, if their management beans exist.
    pub(crate) collectors: Vec<String>,
    /// Start of the process, in milliseconds since 1970 UTC.
    pub(crate) started_millis: Option<u64>,
}

/// Start of the process of a dump, in milliseconds since 1970 UTC, as the runtime recorded it once: it tells one process from
/// another. `None` if it is missing or hidden.
pub fn started_millis(of: DumpData<'_>) -> Option<u64> {
    let process = of.static_field("java.lang.ProcessHandleImpl", "current").and_then(Value::object)?;
    match of.field(process, "startTime") {
        Some(Value::Long(millis)) => u64::try_from(millis).ok().filter(|&millis| millis > 0),
        _ => None,
    }
}

impl VirtualMachine {
    pub(crate) fn read(of: DumpData<'_>, task: &Task) -> Result<Self, Cancelled> {
        let heap = of.heap;
        let mut properties = of.system_properties(&KEYS);
        for (key, field) in [
            ("java.version", "java_version"),
            ("java.runtime.version", "java_runtime_version"),
            ("java.runtime.name", "java_runtime_name"),
        ] {
            for class in ["java.lang.VersionProps", "sun.misc.Version"] {
                let text = of.static_field(class, field).and_then(Value::object).and_then(|text| of.short_text(text));
                if let Some(text) = text {
                    properties.entry(key).or_insert(text);
                }
            }
        }
        let beans = instances(of, "sun.management.MemoryManagerImpl", task)?;
        let mut collectors: Vec<String> = beans
            .into_iter()
            .filter(|&bean| heap.class(bean).name.contains("GarbageCollector"))
            .filter_map(|bean| of.short_text(of.field(bean, "name")?.object()?))
            .collect();
        collectors.sort_unstable();
        collectors.dedup();
        let management = instances(of, "sun.management.VMManagementImpl", task)?;
        let arguments = management.first().and_then(|&bean| list(of, of.field(bean, "vmArgs")?.object()?));
        Ok(Self { properties, arguments, collectors, started_millis: started_millis(of) })
    }

    /// A property, if present and not empty.
    pub(crate) fn property(&self, key: &str) -> Option<&str> {
        self.properties.get(key).map(String::as_str)
    }

    /// Release of Java: 17 for `17.0.15+6`, 8 for `1.8.0_402`.
    pub(crate) fn release(&self) -> Option<u32> {
        let version = self.property("java.version").or_else(|| self.property("java.runtime.version"))?;
        let mut numbers = version.strip_prefix("1.").unwrap_or(version).split(|c: char| !c.is_ascii_digit());
        numbers.next()?.parse().ok()
    }

    /// `Linux 6.1 amd64`
    pub(crate) fn system(&self) -> Option<String> {
        let parts: Vec<&str> =
            ["os.name", "os.version", "os.arch"].into_iter().filter_map(|key| self.property(key)).collect();
        (!parts.is_empty()).then(|| parts.join(" "))
    }

    /// `OpenJDK 64-Bit Server VM 17.0.15+6, Debian`
    pub(crate) fn machine(&self) -> Option<String> {
        let name = self.property("java.vm.name").or_else(|| self.property("java.runtime.name"));
        let version = ["java.vm.version", "java.runtime.version", "java.version"];
        let version = version.into_iter().find_map(|key| self.property(key));
        let named = match (name, version) {
            (None, None) => return None,
            (Some(name), version) => [Some(name), version].into_iter().flatten().collect::<Vec<_>>().join(" "),
            (None, Some(version)) => format!("Java {version}"),
        };
        Some(self.property("java.vendor").map_or_else(|| named.clone(), |vendor| format!("{named}, {vendor}")))
    }
}

/// Some reachable instances of a class and its subclasses.
fn instances(dump: DumpData<'_>, class: &str, task: &Task) -> Result<Vec<ObjectId>, Cancelled> {
    let heap = dump.heap;
    let mut instances = Vec::new();
    let Some(class) = heap.classes.named(class) else { return Ok(instances) };
    let below = heap.classes.all_below(&[class]);
    let counted = heap.classes.iter().filter(|(id, _)| below.get(id.index()) == Some(&true));
    let mut there: u64 = counted.map(|(id, _)| dump.analysis.class_totals(id).objects).sum();
    let column = heap.class_column().slices();
    for block in task.blocks(heap.len()) {
        if there == 0 || instances.len() >= NAMED {
            break;
        }
        let rows = block?.filter(|&row| column.get(row).is_some_and(|class| below.get(class as usize) == Some(&true)));
        for object in rows.filter_map(ObjectId::new).filter(|&object| dump.analysis.is_reachable(object)) {
            there = there.saturating_sub(1);
            instances.push(object);
        }
    }
    instances.truncate(NAMED);
    Ok(instances)
}

/// The strings of a list, in one line.
fn list(of: DumpData<'_>, list: ObjectId) -> Option<String> {
    let entries = of.contents.logical(of.heap, list, 0..ENTRIES)?.entries;
    let texts: Vec<String> =
        entries.iter().filter_map(|entry| of.short_text(entry.value.object()?)).map(without_secret).collect();
    (!texts.is_empty()).then(|| texts.join(" "))
}

/// Values set by `-D` may be passwords, so only their names are shown.
fn without_secret(argument: String) -> String {
    match argument.split_once('=') {
        Some((name, _)) if name.starts_with("-D") => format!("{name}=…"),
        _ => argument,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_shown_without_property_values() {
        assert_eq!(without_secret("-Dkey=secret=1".to_owned()), "-Dkey=…");
        assert_eq!(without_secret("-Xmx512m".to_owned()), "-Xmx512m");
        assert_eq!(without_secret("-XX:MaxRAMPercentage=75".to_owned()), "-XX:MaxRAMPercentage=75");
    }

    #[test]
    fn a_runtime_is_named_by_known_properties() {
        let mut runtime = VirtualMachine::default();
        assert_eq!(runtime.machine(), None);
        runtime.properties.insert("java.version", "1.8.0_402".to_owned());
        assert_eq!(runtime.machine().as_deref(), Some("Java 1.8.0_402"));
        runtime.properties.insert("java.vm.name", "OpenJDK".to_owned());
        runtime.properties.insert("java.vendor", "Debian".to_owned());
        assert_eq!(runtime.machine().as_deref(), Some("OpenJDK 1.8.0_402, Debian"));
    }
}
