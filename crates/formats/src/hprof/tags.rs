//! Numbers of the HPROF format, from the JDK's HPROF manual and the comment at the top of HotSpot's heap dumper; those
//! of Android from ART.

use serde::{Deserialize, Serialize};

/// Tags of top-level records.
pub(super) mod record {
    pub(crate) const STRING: u8 = 0x01;
    pub(crate) const LOAD_CLASS: u8 = 0x02;
    pub(crate) const STACK_FRAME: u8 = 0x04;
    pub(crate) const STACK_TRACE: u8 = 0x05;
    pub(crate) const HEAP_SUMMARY: u8 = 0x07;
    pub(crate) const START_THREAD: u8 = 0x0a;
    pub(crate) const HEAP_DUMP: u8 = 0x0c;
    pub(crate) const CONTROL_SETTINGS: u8 = 0x0e;
    pub(crate) const HEAP_DUMP_SEGMENT: u8 = 0x1c;
    pub(crate) const HEAP_DUMP_END: u8 = 0x2c;

    /// True if a record of any known kind has this tag.
    pub(crate) fn is_known(tag: u8) -> bool {
        matches!(tag, STRING..=HEAP_SUMMARY | START_THREAD..=CONTROL_SETTINGS | HEAP_DUMP_SEGMENT | HEAP_DUMP_END)
    }
}

/// Tags of sub-records of a heap dump.
pub(super) mod sub {
    use heaplens_heap::roots::RootKind;

    pub(crate) const ROOT_JNI_GLOBAL: u8 = 0x01;
    pub(crate) const ROOT_STICKY_CLASS: u8 = 0x05;
    pub(crate) const ROOT_THREAD_OBJECT: u8 = 0x08;
    pub(crate) const CLASS_DUMP: u8 = 0x20;
    pub(crate) const INSTANCE_DUMP: u8 = 0x21;
    pub(crate) const OBJECT_ARRAY_DUMP: u8 = 0x22;
    pub(crate) const PRIMITIVE_ARRAY_DUMP: u8 = 0x23;

    // Android's own.
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

    /// Kind and layout of the root records with a tag, from 0x89 on Android's own; `None` for tags of other records.
    pub(crate) fn root(tag: u8) -> Option<(RootKind, RootShape)> {
        Some(match tag {
            0xff => (RootKind::Unknown, RootShape::Nothing),
            ROOT_JNI_GLOBAL => (RootKind::JniGlobal, RootShape::Id),
            0x02 => (RootKind::JniLocal, RootShape::ThreadAndFrame),
            0x03 => (RootKind::JavaFrame, RootShape::ThreadAndFrame),
            0x04 => (RootKind::NativeStack, RootShape::Thread),
            ROOT_STICKY_CLASS => (RootKind::SystemClass, RootShape::Nothing),
            0x06 => (RootKind::ThreadBlock, RootShape::Thread),
            0x07 => (RootKind::Monitor, RootShape::Nothing),
            ROOT_THREAD_OBJECT => (RootKind::Thread, RootShape::ThreadAndFrame),
            0x89 => (RootKind::InternedString, RootShape::Nothing),
            0x8a => (RootKind::Finalizing, RootShape::Nothing),
            0x8b => (RootKind::Debugger, RootShape::Nothing),
            0x8c => (RootKind::ReferenceCleanup, RootShape::Nothing),
            0x8d => (RootKind::VmInternal, RootShape::Nothing),
            0x8e => (RootKind::JniMonitor, RootShape::ThreadAndFrame),
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
