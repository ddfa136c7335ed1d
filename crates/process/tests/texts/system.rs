//! What systems, containers and devices say.

use heaplens_process::{ProcessRecord, RecordKind};

use super::read;

const KB: u64 = 1024;

#[test]
fn mappings_have_resident_bytes_and_names() {
    let record = read("smaps.txt");
    let memory = record.memory.clone().unwrap();
    assert_eq!(record.resident(), memory.resident);
    assert_eq!(record.mappings.iter().map(|mapping| mapping.resident).sum::<u64>(), memory.resident.unwrap());
    assert_eq!(record.mappings.iter().map(|mapping| mapping.anonymous).sum::<u64>(), memory.anonymous.unwrap());
    assert!(record.mappings.iter().all(|mapping| mapping.resident > 0));
    assert!(memory.address_space.unwrap() > memory.resident.unwrap());
    let heap = &record.mappings[0];
    assert_eq!((heap.start, heap.resident, heap.is_file()), (0xf800_0000, 2116 * KB, false));
    let archive = &record.mappings[1];
    assert!(archive.name.ends_with("/classes.jsa") && archive.is_file() && archive.access == "rw-p", "{archive:?}");
}

#[test]
fn a_rollup_has_totals_only() {
    let record = read("smaps_rollup.txt");
    assert!(record.mappings.is_empty());
    let memory = record.memory.unwrap();
    assert_eq!((memory.resident, memory.anonymous), (Some(46976 * KB), Some(26228 * KB)));
    assert_eq!((memory.proportional, memory.swap, memory.address_space), (Some(44860 * KB), Some(0), None));
}

#[test]
fn both_tables_of_pmap_are_read() {
    let record = read("pmap-x.txt");
    assert_eq!((record.pid, record.resident()), (Some(20283), Some(46976 * KB)));
    let memory = record.memory.clone().unwrap();
    assert_eq!(memory.address_space, Some(2_715_912 * KB));
    let (heap, archive) = (&record.mappings[0], &record.mappings[1]);
    assert_eq!((heap.start, heap.size(), heap.anonymous), (0xf800_0000, 129_024 * KB, 2116 * KB));
    assert_eq!((archive.name.as_str(), archive.resident, archive.anonymous), ("classes.jsa", 468 * KB, 316 * KB));
    let stack = record.mappings.iter().find(|mapping| mapping.name == "[stack]").unwrap();
    assert_eq!((stack.access.as_str(), stack.is_file()), ("rw-p", false));

    let columns = read("pmap-columns.txt");
    assert_eq!(columns.pid, Some(20283));
    let (heap, archive) = (&columns.mappings[0], &columns.mappings[1]);
    assert_eq!((heap.start, heap.size(), heap.anonymous), (0xf800_0000, 129_024 * KB, 2116 * KB));
    assert_eq!((archive.name.as_str(), archive.anonymous), ("classes.jsa", 316 * KB));
    assert_eq!(columns.resident(), Some(columns.mappings.iter().map(|mapping| mapping.resident).sum()));
}

#[test]
fn a_status_file_has_totals_and_threads() {
    let text = "Name:\tjava\nPid:\t77\nVmHWM:\t  2000 kB\nVmRSS:\t    1000 kB\nRssAnon:\t 700 kB\nThreads:\t22\n";
    let record = ProcessRecord::read("status", text.as_bytes()).unwrap();
    assert_eq!((record.pid, record.threads, record.resident()), (Some(77), Some(22), Some(1000 * KB)));
    assert_eq!(record.memory.unwrap().peak_resident, Some(2000 * KB));
}

#[test]
fn the_container_that_ran_out_of_memory_is_recorded() {
    let limits = read("kubectl-describe.txt").limits.unwrap();
    assert_eq!(limits.memory, Some(512 << 20));
    assert_eq!((limits.last_end.as_deref(), limits.last_exit_code), (Some("OOMKilled"), Some(137)));
}

#[test]
fn an_android_app_has_categories_and_a_summary() {
    let record = read("meminfo.txt");
    assert_eq!(record.kind, Some(RecordKind::Android));
    assert_eq!((record.pid, record.program.as_deref()), (Some(21936), Some("com.example.shop")));
    let memory = record.memory.clone().unwrap();
    assert_eq!(
        (memory.proportional, memory.resident, memory.swap),
        (Some(44787 * KB), Some(149_920 * KB), Some(542 * KB))
    );
    assert_eq!(record.android.len(), 15);
    assert_eq!(record.android[0], ("Native Heap".to_owned(), 12490 * KB));
    assert_eq!(record.android[7], (".so mmap".to_owned(), 3260 * KB));
    // Swapped memory is a part of the total only.
    let sum = |list: &[(String, u64)]| list.iter().map(|(_, bytes)| bytes).sum::<u64>();
    assert_eq!(sum(&record.android) + 542 * KB, 44787 * KB);
    assert_eq!(sum(&record.android_summary), 44787 * KB);
    assert_eq!(record.android_summary.len(), 7);
}
