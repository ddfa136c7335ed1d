//! The process around the heap: what the dump tells, what a text adds, and where its parts lead.

use super::*;

const SMAPS: &str = "7f0000000000-7f0002000000 rw-p 00000000 00:00 0 \nSize: 32768 kB\nRss: 30000 kB\nAnonymous: 30000 kB\nSwap: 0 kB\n\
    7f1000000000-7f1000200000 r-xp 00000000 00:00 0 /usr/lib/libjvm.so\nSize: 2048 kB\nRss: 2000 kB\nAnonymous: 0 kB\nSwap: 0 kB\n";

#[test]
fn a_text_about_the_process_is_dropped_and_its_parts_lead_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let smaps = folder.path().join("smaps.txt");
    std::fs::write(&smaps, SMAPS).expect("disk space");
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    look_at(&mut h, View::Process);
    h.get_by_label_contains("the size of the process is not recorded");
    h.input_mut().dropped_files.push(Arc::new(Dropped(smaps)));
    settle(&mut h);
    h.get_by_label_contains("The process has 32.8 MB; the live heap is 7.0 MB of it");
    h.get_by_label_contains("Programs and libraries: 2.0 MB");
    h.get_by_label_contains("Unexplained: ");
    // The overview says it, too.
    look_at(&mut h, View::Overview);
    h.get_by_label_contains("The process has 32.8 MB");
}
