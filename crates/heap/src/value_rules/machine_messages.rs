//! Messages by which a virtual machine says what ran out. They have no values of the program, only sizes.

/// The messages, with `#` for each number.
const MESSAGES: [&str; 15] = [
    "Java heap space",
    "Java heap space: failed reallocation of scalar replaced objects",
    "Java heap space: failed retryable allocation",
    "GC overhead limit exceeded",
    "Requested array size exceeds VM limit",
    "Required length exceeds implementation limit",
    "Required array size too large",
    "Required array length too large",
    "Metaspace",
    "Compressed class space",
    "Direct buffer memory",
    "Cannot reserve # bytes of direct buffer memory (allocated: #, limit: #)",
    "unable to create native thread: possibly out of memory or process/resource limits reached",
    "unable to create new native thread",
    "native memory exhausted",
];

/// True of a text that is a message of an `OutOfMemoryError` of the virtual machine or its class library.
pub fn is_machine_message(text: &str) -> bool {
    MESSAGES.iter().any(|message| fits(text, message))
}

/// True if a text has the words of a message, and a number for each `#`.
fn fits(text: &str, message: &str) -> bool {
    let mut rest = text;
    for (at, part) in message.split('#').enumerate() {
        if at > 0 {
            let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            if digits == 0 {
                return false;
            }
            rest = &rest[digits..];
        }
        let Some(behind) = rest.strip_prefix(part) else { return false };
        rest = behind;
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::is_machine_message;

    #[test]
    fn messages_have_numbers_only() {
        assert!(is_machine_message("Metaspace"));
        assert!(is_machine_message(
            "Cannot reserve 1048576 bytes of direct buffer memory (allocated: 67108864, limit: 67108864)"
        ));
        for text in
            ["", "Metaspace of alice", "Cannot reserve 1 bytes of direct buffer memory (allocated: x, limit: 1)"]
        {
            assert!(!is_machine_message(text), "{text}");
        }
    }
}
