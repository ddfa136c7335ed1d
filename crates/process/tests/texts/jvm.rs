//! What virtual machines say.

use heaplens_process::{JvmHeap, RecordKind};

use super::read;

const KB: u64 = 1024;
const MB: u64 = 1 << 20;

fn heap(name: &str) -> JvmHeap {
    read(name).jvm.unwrap().heap.unwrap()
}

#[test]
fn heaps_of_all_collectors_are_read() {
    for (name, collector, used, committed, reserved) in [
        ("heap-17-g1.txt", "garbage-first", 3243 * KB, 128 * MB, 128 * MB),
        ("heap-25-g1.txt", "garbage-first", 4238 * KB, 128 * MB, 128 * MB),
        ("heap-17-serial.txt", "def new generation", 4199 * KB, 39296 * KB + 87424 * KB, 128 * MB),
        ("heap-25-serial.txt", "DefNew", 4197 * KB + 1166 * KB, 39296 * KB + 87424 * KB, 128 * MB),
        ("heap-17-parallel.txt", "PSYoungGen", 3999 * KB, 38400 * KB + 87552 * KB, 128 * MB),
        ("heap-25-parallel.txt", "PSYoungGen", 4665 * KB + 1166 * KB, 38400 * KB + 87552 * KB, 128 * MB),
        ("heap-17-z.txt", "ZHeap", 4 * MB, 128 * MB, 128 * MB),
        ("heap-25-z.txt", "ZHeap", 6 * MB, 128 * MB, 128 * MB),
        ("heap-17-shenandoah.txt", "Shenandoah", 3328 * KB, 128 * MB, 128 * MB),
        ("heap-25-shenandoah.txt", "Shenandoah", 4096 * KB, 128 * MB, 128 * MB),
    ] {
        let heap = heap(name);
        assert_eq!(heap.collector, collector, "{name}");
        assert_eq!((heap.used, heap.committed, heap.reserved), (used, committed, Some(reserved)), "{name}");
    }
}

#[test]
fn areas_have_addresses_and_add_up() {
    for name in ["heap-17-serial.txt", "heap-25-serial.txt", "heap-17-parallel.txt", "heap-25-parallel.txt"] {
        let heap = heap(name);
        let names: Vec<&str> = heap.areas.iter().map(|area| area.name.as_str()).collect();
        assert_eq!(names.len(), 4, "{name}: {names:?}");
        assert_eq!(names[0], "eden space");
        assert!(matches!(names[3], "tenured generation" | "Tenured" | "ParOldGen"), "{names:?}");
        let used: u64 = heap.areas.iter().map(|area| area.used).sum();
        assert!(used.abs_diff(heap.used) < 2 * KB, "{name}: {used} of {}", heap.used);
        let committed: u64 = heap.areas.iter().map(|area| area.committed).sum();
        // Of the two survivor spaces one is always empty and does not count.
        assert!(committed >= heap.committed, "{name}");
        assert!(heap.areas.iter().all(|area| area.addresses.is_some_and(|(first, last)| first < last)), "{name}");
    }
    for name in ["heap-17-g1.txt", "heap-25-g1.txt", "heap-17-shenandoah.txt"] {
        assert_eq!(heap(name).areas[0].addresses, Some((0xf800_0000, 0x1_0000_0000)), "{name}");
    }
}

#[test]
fn class_loaders_are_read_by_class() {
    for (name, loaders, boot) in [("class-loaders-17.txt", 3, 688), ("class-loaders-25.txt", 3, 856)] {
        let read = read(name).jvm.unwrap().loaders;
        let of = |class: &str| read.iter().find(|row| row.class == class).unwrap();
        assert_eq!((of("plugins.PluginLoader").loaders, of("plugins.PluginLoader").classes), (loaders, 36), "{name}");
        assert_eq!((of("").loaders, of("").classes), (1, boot), "{name}");
        assert!(read.windows(2).all(|pair| pair[0].size >= pair[1].size), "{name}");
    }
}

#[test]
fn tracked_memory_adds_up() {
    for (name, threads, other) in [("native-17.txt", 16, 8 * MB), ("native-25.txt", 18, 8 * MB)] {
        let record = read(name);
        assert_eq!(record.kind, Some(RecordKind::Jvm));
        let native = record.jvm.unwrap().native.unwrap();
        let sum: u64 = native.categories.iter().map(|category| category.committed).sum();
        assert!(sum.abs_diff(native.committed) <= 20 * KB, "{name}: {sum} of {}", native.committed);
        assert!(native.category("Thread").unwrap().count.unwrap() >= threads, "{name}: {native:?}");
        let buffers = native.category("Other").unwrap();
        assert!(buffers.committed.abs_diff(other) < 100 * KB, "{name}: {buffers:?}");
        assert_eq!(buffers.malloc, Some(buffers.committed));
        assert_eq!(native.category("Java Heap").unwrap().malloc, None);
    }
}

#[test]
fn tracked_memory_is_read_in_a_log_and_without_units() {
    let log = "[0.5s][info] started\n2026-11-30T10:00:00Z stdout F Total: reserved=2000, committed=1000\n\
        2026-11-30T10:00:00Z stdout F -                 Java Heap (reserved=1500, committed=700)\n\
        2026-11-30T10:00:00Z stdout F -                    Thread (reserved=500, committed=300)\n\
        2026-11-30T10:00:00Z stdout F                             (threads #7)\n\
        Virtual memory map:\n (malloc=5KB type=Thread #1)\n";
    let record = heaplens_process::ProcessRecord::read("log", log.as_bytes()).unwrap();
    let native = record.jvm.unwrap().native.unwrap();
    assert_eq!((native.reserved, native.committed), (2000, 1000));
    let thread = native.category("Thread").unwrap();
    assert_eq!((thread.committed, thread.count, thread.malloc), (300, Some(7), None));
}

#[test]
fn tracking_that_is_off_is_a_gap() {
    let record =
        heaplens_process::ProcessRecord::read("a", b"20283:\nNative memory tracking is not enabled\n").unwrap();
    assert!(record.gaps[0].why.contains("-XX:NativeMemoryTracking=summary"), "{record:?}");
}

#[test]
fn metaspace_code_and_flags_are_read() {
    let metaspace = read("metaspace-25.txt").jvm.unwrap().metaspace.unwrap();
    assert_eq!((metaspace.used, metaspace.committed, metaspace.reserved), (100 * KB, 320 * KB, 1_114_112 * KB));
    assert_eq!((metaspace.class_used, metaspace.class_committed), (6 * KB, 128 * KB));
    let metaspace = read("metaspace-17.txt").jvm.unwrap().metaspace.unwrap();
    assert_eq!((metaspace.committed, metaspace.class_committed), (320 * KB, 128 * KB));
    assert!(metaspace.used.abs_diff(86 * KB) < KB && metaspace.class_used.abs_diff(4 * KB) < KB, "{metaspace:?}");

    for (name, used) in [("codecache-17.txt", 1042 * KB), ("codecache-25.txt", 1281 * KB)] {
        let code = read(name).jvm.unwrap().code.unwrap();
        assert_eq!((code.used, code.peak, code.segments.len()), (used, used, 3), "{name}");
        assert!(code.size > 239 * MB && code.segments.iter().all(|(a, b, c)| a < b && b < c), "{code:?}");
    }

    let flags = read("flags-25.txt").jvm.unwrap().flags;
    assert_eq!(flags["MaxHeapSize"], "134217728");
    assert_eq!((flags["UseG1GC"].as_str(), flags["NativeMemoryTracking"].as_str()), ("true", "summary"));
    assert!(!flags.contains_key("CICompilerCount"));
}

#[test]
fn a_crash_log_has_the_error_and_the_parts_of_the_process() {
    for (name, pid, resident, anonymous) in
        [("hs_err-17.log", None, 414_300, 394_400), ("hs_err-25.log", Some(27220), 415_928, 393_840)]
    {
        let record = read(name);
        assert!(pid.is_none() || record.pid == pid, "{name}: {:?}", record.pid);
        let failure = record.failure.as_deref().unwrap();
        assert!(failure.starts_with("Native memory allocation (mmap) failed to map 4096 bytes"), "{failure}");
        assert!(record.runtime.as_deref().unwrap().starts_with("OpenJDK 64-Bit Server VM"), "{:?}", record.runtime);
        let memory = record.memory.unwrap();
        assert_eq!((memory.resident, memory.anonymous), (Some(resident * KB), Some(anonymous * KB)), "{name}");
        assert!(memory.address_space > memory.resident && memory.peak_resident >= memory.resident);
        assert_eq!(record.machine.unwrap().total, 24_683_652 * KB);
        let jvm = record.jvm.unwrap();
        let heap = jvm.heap.unwrap();
        assert!(heap.used > 300 * MB && heap.committed > heap.used && heap.areas.len() == 4, "{name}: {heap:?}");
        assert_eq!(jvm.metaspace.unwrap().reserved, 1_114_112 * KB);
        assert_eq!(jvm.flags["MaxHeapSize"], "1073741824");
        assert!(jvm.native.unwrap().category("Java Heap").unwrap().committed > 370 * MB);
        assert!(jvm.code.unwrap().used > MB, "{name}");
    }
}

#[test]
fn a_crash_log_has_the_limits_of_its_container() {
    let limits = read("hs_err-25.log").limits.unwrap();
    assert_eq!((limits.memory, limits.used, limits.peak), (Some(512 * MB), Some(466_192 * KB), Some(519_000 * KB)));
    assert_eq!((limits.tasks, limits.tasks_used), (Some(4096), Some(61)));
    let limits = read("hs_err-17.log").limits.unwrap();
    assert_eq!((limits.memory, limits.used, limits.tasks), (None, Some(766_192 * KB), None));
}

#[test]
fn errors_of_other_kinds_are_named() {
    for (head, failure) in [
        ("#  SIGSEGV (0xb) at pc=0x00007f10, pid=25774, tid=25775", "SIGSEGV (0xb) at pc=0x00007f10"),
        (
            "#  Internal Error (debug.cpp:362), pid=25774, tid=1\n#  fatal error: OutOfMemory encountered: Java heap space",
            "fatal error: OutOfMemory encountered: Java heap space",
        ),
        ("#  Out of Memory Error (os_linux.cpp:2805), pid=25774, tid=1", "Out of Memory Error (os_linux.cpp:2805)"),
        (
            "# Native memory allocation (malloc) failed to allocate 32744 bytes for ChunkPool::allocate\n# pid=25774, tid=1",
            "Native memory allocation (malloc) failed to allocate 32744 bytes for ChunkPool::allocate",
        ),
    ] {
        let text = format!("#\n# A fatal error has been detected by the Java Runtime Environment:\n#\n{head}\n");
        let record = heaplens_process::ProcessRecord::read("hs_err", text.as_bytes()).unwrap();
        assert_eq!((record.failure.as_deref(), record.pid), (Some(failure), Some(25774)));
    }
}

#[test]
fn a_report_of_node_has_the_heap_and_its_workers() {
    let record = read("node-report.json");
    assert_eq!(record.kind, Some(RecordKind::JavaScript));
    assert_eq!(record.runtime.as_deref(), Some("Node.js v20.20.2"));
    assert_eq!(record.failure.as_deref(), Some("Allocation failed - JavaScript heap out of memory"));
    assert_eq!((record.pid, record.limits.clone()), (Some(26216), None));
    let script = record.script.unwrap();
    assert_eq!((script.heap_total, script.heap_used), (Some(4_694_016), Some(4_095_896)));
    assert_eq!((script.external, script.resident), (Some(5_766_604), Some(55_287_808)));
    assert_eq!((script.workers, script.workers_heap), (Some(1), Some(7_106_560)));
    let sum: u64 = script.spaces.iter().map(|space| space.used).sum();
    assert_eq!(Some(sum), script.heap_used);
    assert_eq!((script.handles["tcp"], script.handles["async"]), (1, 6));
}
