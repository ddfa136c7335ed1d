//! Messages of `OutOfMemoryError`, of HotSpot, its class library, Netty, Android and OpenJ9.

use super::kind::ErrorKind;
use super::memory_error::{Allocation, MemoryError};
use heaplens_base::Bytes;

/// Beginnings of messages. The first that fits decides.
const BEGINNINGS: [(&str, ErrorKind); 26] = [
    ("Java heap space", ErrorKind::JavaHeap),
    ("GC overhead limit exceeded", ErrorKind::GcOverhead),
    ("Requested array size exceeds VM limit", ErrorKind::ArraySize),
    ("Required array length too large", ErrorKind::ArraySize),
    ("Required array size too large", ErrorKind::ArraySize),
    ("Required length exceeds implementation limit", ErrorKind::ArraySize),
    ("UTF16 String size is", ErrorKind::ArraySize),
    ("UTF-8 String size is", ErrorKind::ArraySize),
    ("Metaspace", ErrorKind::Metaspace),
    ("PermGen space", ErrorKind::Metaspace),
    ("Compressed class space", ErrorKind::ClassSpace),
    ("Direct buffer memory", ErrorKind::DirectMemory),
    // HotSpot since JDK 13; the number of bytes follows.
    ("Cannot reserve ", ErrorKind::DirectMemory),
    // Netty, `OutOfDirectMemoryError`.
    ("failed to allocate ", ErrorKind::DirectMemory),
    ("unable to create native thread", ErrorKind::NativeThread),
    ("unable to create new native thread", ErrorKind::NativeThread),
    // Android and OpenJ9.
    ("pthread_create (", ErrorKind::NativeThread),
    ("Could not allocate JNI Env", ErrorKind::NativeThread),
    ("Failed to create a thread", ErrorKind::NativeThread),
    ("Failed to allocate a ", ErrorKind::JavaHeap),
    ("Garbage-collected heap size exceeded", ErrorKind::JavaHeap),
    ("C heap space", ErrorKind::NativeMemory),
    ("Unable to allocate ", ErrorKind::NativeMemory),
    ("native memory exhausted", ErrorKind::NativeMemory),
    ("Map failed", ErrorKind::NativeMemory),
    ("Out of swap space", ErrorKind::Swap),
];

/// Numbers in a message: the text before each, of the allocation, of what is in use, and of the limit. Empty: none.
const NUMBERS: [(ErrorKind, &str, &str, &str); 4] = [
    (ErrorKind::DirectMemory, "Cannot reserve ", "(allocated: ", "limit: "),
    (ErrorKind::DirectMemory, "failed to allocate ", "(used: ", "max: "),
    (ErrorKind::JavaHeap, "Failed to allocate a ", "", "growth limit "),
    (ErrorKind::NativeMemory, "Unable to allocate ", "", ""),
];

/// The kind that a message tells.
pub(super) fn kind_of(message: &str) -> ErrorKind {
    let kind = BEGINNINGS.iter().find(|(beginning, _)| message.starts_with(beginning)).map(|&(_, kind)| kind);
    match kind {
        Some(kind) => kind,
        None if message.contains("Out of swap space") => ErrorKind::Swap,
        None => ErrorKind::Other,
    }
}

impl MemoryError {
    /// Adds what the message says: allocation, bytes in use and limit.
    pub(super) fn with_message(mut self, message: String) -> Self {
        for (kind, wanted, used, limit) in NUMBERS {
            if self.kinds == [kind] && message.starts_with(wanted) {
                self.allocation = number_after(&message, wanted).map(|bytes| Allocation::Bytes(Bytes(bytes)));
                self.used = number_after(&message, used).map(Bytes);
                self.limit = number_after(&message, limit).map(Bytes);
            }
        }
        self.message = Some(message);
        self
    }
}

/// The number that follows a text in a message.
fn number_after(message: &str, before: &str) -> Option<u64> {
    if before.is_empty() {
        return None;
    }
    let (_, rest) = message.split_once(before)?;
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::super::kind::{KnownBy, Occasion};
    use super::*;

    fn read(message: &str) -> MemoryError {
        let kinds = vec![kind_of(message)];
        MemoryError::of(kinds, KnownBy::Message, Occasion::Earlier).with_message(message.to_owned())
    }

    #[test]
    fn messages_tell_the_kind() {
        for (message, kind) in [
            ("Java heap space", ErrorKind::JavaHeap),
            ("Java heap space: failed reallocation of scalar replaced objects", ErrorKind::JavaHeap),
            ("GC overhead limit exceeded", ErrorKind::GcOverhead),
            ("Requested array size exceeds VM limit", ErrorKind::ArraySize),
            ("Compressed class space", ErrorKind::ClassSpace),
            (
                "unable to create native thread: possibly out of memory or process/resource limits reached",
                ErrorKind::NativeThread,
            ),
            ("pthread_create (1040KB stack) failed: Try again", ErrorKind::NativeThread),
            ("request 32756 bytes for ChunkPool::allocate. Out of swap space?", ErrorKind::Swap),
            ("no more tiles", ErrorKind::Other),
        ] {
            assert_eq!(kind_of(message), kind, "{message}");
        }
    }

    #[test]
    fn messages_tell_bytes() {
        let error = read("Cannot reserve 1048576 bytes of direct buffer memory (allocated: 67108864, limit: 67108864)");
        assert_eq!(error.allocation, Some(Allocation::Bytes(Bytes(1_048_576))));
        assert_eq!((error.used, error.limit), (Some(Bytes(67_108_864)), Some(Bytes(67_108_864))));
        let error = read("failed to allocate 16777216 byte(s) of direct memory (used: 58720263, max: 66584576)");
        assert_eq!((error.used, error.limit), (Some(Bytes(58_720_263)), Some(Bytes(66_584_576))));
        let error = read(
            "Failed to allocate a 8294412 byte allocation with 4194208 free bytes and 7MB until OOM, target footprint 201326592, growth limit 201326592",
        );
        assert_eq!(error.allocation, Some(Allocation::Bytes(Bytes(8_294_412))));
        assert_eq!((error.used, error.limit), (None, Some(Bytes(201_326_592))));
        assert_eq!(read("Cannot reserve 99999999999999999999 bytes").allocation, None);
        assert_eq!(read("Java heap space").allocation, None);
    }
}
