//! The virtual machine that a dump comes from, as far as its classes show: it decides which rules of layout are known.

use crate::hprof::schema::Schema;

/// Versions of HotSpot that differ in the layout of objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum HotSpotAge {
    /// JDK 1.4: static fields outside the class objects.
    Jdk4,
    Jdk5,
    Jdk6,
    /// JDK 7 to 14: static fields after the fields of a class object.
    Jdk7To14,
    /// JDK 15 and later: fields fill gaps of superclasses.
    Jdk15,
}

/// Virtual machines with different object layouts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Machine {
    HotSpot(HotSpotAge),
    OpenJ9,
    JRockit,
    NativeImage,
    Unknown,
}

/// Packages that only one machine has.
const PACKAGES: [(&str, Machine); 7] = [
    ("com.oracle.svm.core.", Machine::NativeImage),
    ("jrockit.vm.", Machine::JRockit),
    ("com.bea.jvm.", Machine::JRockit),
    ("com.ibm.oti.", Machine::OpenJ9),
    ("com.ibm.jvm.", Machine::OpenJ9),
    ("openj9.internal.", Machine::OpenJ9),
    ("java.lang.J9VMInternals", Machine::OpenJ9),
];

impl Machine {
    /// Recognises the machine by its classes, and the version by fields that were added in it. `text` returns the names
    /// of fields.
    pub(super) fn of(schema: &Schema, text: &impl Fn(u64) -> Option<String>) -> Self {
        let mut classes = schema.classes.iter();
        let other = classes.find_map(|class| {
            PACKAGES.iter().find(|(package, _)| class.name.starts_with(package)).map(|&(_, machine)| machine)
        });
        if let Some(machine) = other {
            return machine;
        }
        let has = |class: &str, field: &str| {
            let class = schema.named(class);
            class.is_some_and(|class| class.fields.iter().any(|f| text(f.name).as_deref() == Some(field)))
        };
        if !has("java.lang.Class", "cachedConstructor") {
            return Self::Unknown;
        }
        Self::HotSpot(if has("java.lang.Class", "classData") {
            HotSpotAge::Jdk15
        } else if has("java.lang.Class", "classValueMap") {
            HotSpotAge::Jdk7To14
        } else if has("java.lang.Thread", "parkBlocker") {
            HotSpotAge::Jdk6
        } else if has("java.lang.Class", "genericInfo") {
            HotSpotAge::Jdk5
        } else {
            HotSpotAge::Jdk4
        })
    }

    /// True if the machine may store value objects in others (JDK 28 and later).
    pub(super) fn has_flat_values(self) -> bool {
        self == Self::HotSpot(HotSpotAge::Jdk15)
    }

    /// True if the rules by which the machine places fields are known here. All are tried on an unknown one, too.
    pub(super) fn has_known_layouts(self) -> bool {
        matches!(self, Self::HotSpot(_) | Self::Unknown)
    }

    /// True if fields never fill gaps of superclasses, headers are not compact and arrays begin at whole words.
    pub(super) fn is_classic(self) -> bool {
        matches!(self, Self::HotSpot(age) if age <= HotSpotAge::Jdk7To14)
    }

    /// True if the static fields of a class are part of its class object.
    pub(super) fn has_statics_in_class_objects(self) -> bool {
        !matches!(self, Self::HotSpot(age) if age <= HotSpotAge::Jdk6)
    }

    /// Name and version.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::HotSpot(HotSpotAge::Jdk4) => "HotSpot of JDK 1.4",
            Self::HotSpot(HotSpotAge::Jdk5) => "HotSpot of JDK 5",
            Self::HotSpot(HotSpotAge::Jdk6) => "HotSpot of JDK 6",
            Self::HotSpot(HotSpotAge::Jdk7To14) => "HotSpot of JDK 7 to 14",
            Self::HotSpot(HotSpotAge::Jdk15) => "HotSpot of JDK 15 or later",
            Self::OpenJ9 => "OpenJ9",
            Self::JRockit => "JRockit",
            Self::NativeImage => "GraalVM native image",
            Self::Unknown => "unknown virtual machine",
        }
    }
}
