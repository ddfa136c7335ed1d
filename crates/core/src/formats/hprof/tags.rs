//! Numbers of the HPROF format, from the JDK's HPROF manual and the comment at the top of HotSpot's heap dumper; those
//! of Android from ART.

use serde::{Deserialize, Serialize};

/// Tags of top-level records.
pub(super) mod record {
    pub(crate) const STRING: u8 = 0x01;
    pub(crate) const LOAD_CLASS: u8 = 0x02;
    pub(crate) const UNLOAD_CLASS: u8 = 0x03;
    pub(crate) const STACK_FRAME: u8 = 0x04;
    pub(crate) const STACK_TRACE: u8 = 0x05;
    pub(crate) const ALLOC_SITES: u8 = 0x06;
    pub(crate) const HEAP_SUMMARY: u8 = 0x07;
    pub(crate) const START_THREAD: u8 = 0x0a;
    pub(crate) const END_THREAD: u8 = 0x0b;
    pub(crate) const HEAP_DUMP: u8 = 0x0c;
    pub(crate) const CPU_SAMPLES: u8 = 0x0d;
    pub(crate) const CONTROL_SETTINGS: u8 = 0x0e;
    pub(crate) const HEAP_DUMP_SEGMENT: u8 = 0x1c;
    pub(crate) const HEAP_DUMP_END: u8 = 0x2c;

    /// True if a record of any known kind has this tag.
    pub(crate) fn is_known(tag: u8) -> bool {
        matches!(
            tag,
            STRING
                | LOAD_CLASS
                | UNLOAD_CLASS
                | STACK_FRAME
                | STACK_TRACE
                | ALLOC_SITES
                | HEAP_SUMMARY
                | START_THREAD
                | END_THREAD
                | HEAP_DUMP
                | CPU_SAMPLES
                | CONTROL_SETTINGS
                | HEAP_DUMP_SEGMENT
                | HEAP_DUMP_END
        )
    }
}

/// Tags of sub-records of a heap dump.
pub(super) mod sub {
    use crate::heap::roots::RootKind;

    pub(crate) const ROOT_UNKNOWN: u8 = 0xff;
    pub(crate) const ROOT_JNI_GLOBAL: u8 = 0x01;
    pub(crate) const ROOT_JNI_LOCAL: u8 = 0x02;
    pub(crate) const ROOT_JAVA_FRAME: u8 = 0x03;
    pub(crate) const ROOT_NATIVE_STACK: u8 = 0x04;
    pub(crate) const ROOT_STICKY_CLASS: u8 = 0x05;
    pub(crate) const ROOT_THREAD_BLOCK: u8 = 0x06;
    pub(crate) const ROOT_MONITOR_USED: u8 = 0x07;
    pub(crate) const ROOT_THREAD_OBJECT: u8 = 0x08;
    pub(crate) const CLASS_DUMP: u8 = 0x20;
    pub(crate) const INSTANCE_DUMP: u8 = 0x21;
    pub(crate) const OBJECT_ARRAY_DUMP: u8 = 0x22;
    pub(crate) const PRIMITIVE_ARRAY_DUMP: u8 = 0x23;

    // Android's own.
    pub(crate) const ROOT_INTERNED_STRING: u8 = 0x89;
    pub(crate) const ROOT_FINALIZING: u8 = 0x8a;
    pub(crate) const ROOT_DEBUGGER: u8 = 0x8b;
    pub(crate) const ROOT_REFERENCE_CLEANUP: u8 = 0x8c;
    pub(crate) const ROOT_VM_INTERNAL: u8 = 0x8d;
    pub(crate) const ROOT_JNI_MONITOR: u8 = 0x8e;
    /// Marks an object as unreachable; no longer written.
    pub(crate) const UNREACHABLE: u8 = 0x90;
    /// Primitive array without its elements.
    pub(crate) const PRIMITIVE_ARRAY_NODATA: u8 = 0xc3;
    /// Heap of the objects that follow.
    pub(crate) const HEAP_DUMP_INFO: u8 = 0xfe;

    /// Layout of a root record after the object id.
    #[derive(Clone, Copy)]
    pub(crate) enum RootShape {
        Nothing,
        Id,
        Thread,
        ThreadAndFrame,
    }

    impl RootShape {
        /// Bytes of the layout.
        pub(crate) fn bytes(self, id_bytes: u32) -> u32 {
            match self {
                Self::Nothing => 0,
                Self::Id => id_bytes,
                Self::Thread => 4,
                Self::ThreadAndFrame => 8,
            }
        }
    }

    /// Kind and layout of the root records with a tag; `None` for tags of other records.
    pub(crate) fn root(tag: u8) -> Option<(RootKind, RootShape)> {
        Some(match tag {
            ROOT_UNKNOWN => (RootKind::Unknown, RootShape::Nothing),
            ROOT_JNI_GLOBAL => (RootKind::JniGlobal, RootShape::Id),
            ROOT_JNI_LOCAL => (RootKind::JniLocal, RootShape::ThreadAndFrame),
            ROOT_JAVA_FRAME => (RootKind::JavaFrame, RootShape::ThreadAndFrame),
            ROOT_NATIVE_STACK => (RootKind::NativeStack, RootShape::Thread),
            ROOT_STICKY_CLASS => (RootKind::SystemClass, RootShape::Nothing),
            ROOT_THREAD_BLOCK => (RootKind::ThreadBlock, RootShape::Thread),
            ROOT_MONITOR_USED => (RootKind::Monitor, RootShape::Nothing),
            ROOT_THREAD_OBJECT => (RootKind::Thread, RootShape::ThreadAndFrame),
            ROOT_INTERNED_STRING => (RootKind::InternedString, RootShape::Nothing),
            ROOT_FINALIZING => (RootKind::Finalizing, RootShape::Nothing),
            ROOT_DEBUGGER => (RootKind::Debugger, RootShape::Nothing),
            ROOT_REFERENCE_CLEANUP => (RootKind::ReferenceCleanup, RootShape::Nothing),
            ROOT_VM_INTERNAL => (RootKind::VmInternal, RootShape::Nothing),
            ROOT_JNI_MONITOR => (RootKind::JniMonitor, RootShape::ThreadAndFrame),
            _ => return None,
        })
    }
}

/// Type of a field, a static or an array element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum BasicType {
    Object,
    Boolean,
    Char,
    Float,
    Double,
    Byte,
    Short,
    Int,
    Long,
}

impl BasicType {
    pub(super) const PRIMITIVES: [Self; 8] =
        [Self::Boolean, Self::Char, Self::Float, Self::Double, Self::Byte, Self::Short, Self::Int, Self::Long];

    /// All types: primitives in their order, then references.
    pub(super) const ALL: [Self; 9] = {
        let [a, b, c, d, e, f, g, h] = Self::PRIMITIVES;
        [a, b, c, d, e, f, g, h, Self::Object]
    };

    /// Type for a number.
    #[inline]
    pub(super) fn from_tag(tag: u8) -> Option<Self> {
        Some(match tag {
            2 => Self::Object,
            4 => Self::Boolean,
            5 => Self::Char,
            6 => Self::Float,
            7 => Self::Double,
            8 => Self::Byte,
            9 => Self::Short,
            10 => Self::Int,
            11 => Self::Long,
            _ => return None,
        })
    }

    /// Size of a value in the file, in bytes.
    #[inline]
    pub(super) fn bytes(self, id_bytes: u32) -> u32 {
        match self {
            Self::Object => id_bytes,
            Self::Boolean | Self::Byte => 1,
            Self::Char | Self::Short => 2,
            Self::Float | Self::Int => 4,
            Self::Double | Self::Long => 8,
        }
    }

    /// Java name; references have no better one in the file.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Object => "object",
            Self::Boolean => "boolean",
            Self::Char => "char",
            Self::Float => "float",
            Self::Double => "double",
            Self::Byte => "byte",
            Self::Short => "short",
            Self::Int => "int",
            Self::Long => "long",
        }
    }
}
