//! Dumps of costly shapes: memory of a question is in proportion to the file.

use heaplens_analysis::secrets::secrets;
use heaplens_base::Task;
use heaplens_testkit::hprof::RecordBuffer;

use super::by_hand::{OBJECT, class, file, instance, named_class, named_classes, root};
use super::{ALLOWED, check, measured};

/// Each of many classes inherits many fields: lists of them by class would be the square of the file.
#[test]
fn inherited_fields_are_not_repeated_by_class() {
    const MANY: u64 = 4_000;
    let mut inside = RecordBuffer::new(8);
    class(&mut inside, 0x200, 0x100, &vec![OBJECT; MANY as usize]);
    for at in 0..MANY {
        class(&mut inside, 0x10_000 + 8 * at, 0x200, &[OBJECT]);
    }
    instance(&mut inside, 0x90_0000, 0x10_000, &vec![0; 8 * (MANY as usize + 1)]);
    root(&mut inside, 0x90_0000);
    let bytes = file(|out| {
        named_classes(out);
        named_class(out, 0x200, 0x1200, "app/Base");
        // The one name that fields have here.
        let mut text = RecordBuffer::new(8);
        text.id(1);
        text.bytes.extend(b"password");
        out.record(0x01, &text.bytes);
        out.record(0x1c, &inside.bytes);
        out.record(0x2c, &[]);
    });
    let dump = check("inherited fields", &bytes).expect("it is readable");
    let (actual, peak) = measured(|| secrets(dump.data(), &Task::new()));
    assert_eq!(actual.expect("not cancelled").groups, []);
    assert!(peak <= ALLOWED, "{} MiB for a file of {} bytes", peak >> 20, bytes.len());
}
