//! Kinds of `OutOfMemoryError` in hand-written heaps, with the structures of HotSpot.

use heaplens_analysis::out_of_memory::{Allocation, ErrorKind, KnownBy, MemoryErrors, MemoryErrorsQuestion, Occasion};
use heaplens_base::{Bytes, Task};
use heaplens_dump::{Dump, OpenOptions};
use heaplens_process::{JvmRecord, Metaspace, ProcessRecord};
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::notation;

/// Classes, and errors that the virtual machine has created in advance: with a message or room for a stack trace.
const MACHINE: &str = "
    class java.lang.Thread
      field name: object
    class java.lang.Throwable
      field backtrace: object
      field detailMessage: object
      field stackTrace: object
      field depth: int
    class java.lang.OutOfMemoryError extends java.lang.Throwable
    class java.lang.StackTraceElement
      field declaringClass: object
      field methodName: object
      field fileName: object
      field lineNumber: int
    class java.nio.Bits
    class java.util.Arrays
    class java.util.ArrayList
    class java.lang.ClassLoader
    main = java.lang.Thread name=mainName
    mainName = \"main\"
    heapSpace = java.lang.OutOfMemoryError detailMessage=heapSpaceText
    heapSpaceText = \"Java heap space\"
    spare = java.lang.OutOfMemoryError backtrace=spareTrace
    spareTrace = java.lang.Object[] methods positions spareClasses symbols null
    methods = short[] 1 2 3
    positions = int[] 1 2 3
    symbols = long[] 1 2 3
    spareClasses = java.lang.Object[] null null null
    pool = java.lang.OutOfMemoryError[] heapSpace spare
    root pool global
    root main thread 7 trace 3
";
/// A heap with a largest size that is much more than its objects take.
const ROOM: &str = "class jdk.internal.misc.VM
      static directMemory: long = 50000
    root jdk.internal.misc.VM class\n";

/// The errors of a heap that has hardly any room.
fn errors_if_full(parts: &[&str]) -> MemoryErrors {
    let used = errors(&[&[ROOM], parts].concat()).fill.used.0;
    let full = ROOM.replace("50000", &(used + used / 10).to_string());
    errors(&[&[full.as_str()], parts].concat())
}

fn dump(parts: &[&str]) -> Dump {
    let sketch = notation::read(&(MACHINE.to_owned() + &parts.concat())).expect("a heap");
    crate::open_bytes(write(&sketch, Form::MODERN), &OpenOptions::default())
}

fn errors(parts: &[&str]) -> MemoryErrors {
    let dump = dump(parts);
    MemoryErrors::clone(&*dump.data().answer(&MemoryErrorsQuestion, &Task::new()).expect("not cancelled"))
}

/// The stack of a thread for which HotSpot writes a dump.
fn throwing(frames: &str) -> String {
    format!("trace 3 thread 7\n frame java.lang.OutOfMemoryError.<init> ()V OutOfMemoryError.java 48\n{frames}")
}

#[test]
fn errors_that_were_never_thrown_are_not_reported() {
    let none = errors(&["trace 3 thread 7\n frame java.lang.ClassLoader.load ()V ClassLoader.java 4"]);
    assert_eq!((none.sentence(), none.count), (None, 0));
}

#[test]
fn an_incomplete_dump_does_not_tell_how_full_the_heap_is() {
    let stack = throwing("class desk.Till\n frame desk.Till.sell (I)V Till.java 12");
    let sketch = notation::read(&(MACHINE.to_owned() + ROOM + &stack)).expect("a heap");
    let mut bytes = write(&sketch, Form::MODERN);
    bytes.truncate(bytes.len() - 20);
    let dump = crate::open_bytes(bytes, &OpenOptions::default());
    assert!(dump.facts.heap.is_incomplete());
    let errors = dump.data().answer(&MemoryErrorsQuestion, &Task::new()).expect("not cancelled");
    let sentence = errors.sentence().expect("an error");
    assert!(!sentence.contains("The heap has"), "{sentence}");
    assert_eq!(errors.errors[0].known_by, KnownBy::Nothing);
}

/// The first error of a heap whose process was recorded with some flags and figures of its metaspace.
fn first_recorded(parts: &[&str], flags: &[(&str, &str)], metaspace: Metaspace) -> (Vec<ErrorKind>, KnownBy) {
    let flags = flags.iter().map(|&(flag, value)| (flag.to_owned(), value.to_owned())).collect();
    let jvm = JvmRecord { flags, metaspace: Some(metaspace), ..JvmRecord::default() };
    let record = ProcessRecord { jvm: Some(jvm), ..ProcessRecord::new("jcmd") };
    let dump = dump(parts);
    let dump = dump.with_facts(dump.facts.with_record(&record));
    let errors = dump.data().answer(&MemoryErrorsQuestion, &Task::new()).expect("not cancelled");
    let first = errors.first().expect("an error");
    (first.kinds.clone(), first.known_by)
}

#[test]
fn the_record_of_the_process_tells_kinds_apart() {
    let none = Metaspace::default();
    let stack = throwing("class desk.Till\n frame desk.Till.sell (I)V Till.java 12");
    let limit = [("MaxHeapSize", "1000000")];
    // Without the record neither the limit nor the collector is known.
    assert_eq!(first_recorded(&[&stack], &[], none.clone()).1, KnownBy::Nothing);
    let room = first_recorded(&[&stack], &limit, none.clone());
    assert_eq!(room, (vec![ErrorKind::JavaHeap, ErrorKind::ArraySize], KnownBy::HeapFill));
    let used = errors(&[ROOM, &stack]).fill.used.0;
    let full = (used + used / 10).to_string();
    let full_by = |collector| first_recorded(&[&stack], &[("MaxHeapSize", &full), (collector, "true")], none.clone()).0;
    assert_eq!(full_by("UseParallelGC"), [ErrorKind::JavaHeap, ErrorKind::GcOverhead]);
    let define = throwing("frame java.lang.ClassLoader.defineClass1 ()V ClassLoader.java 1");
    let metaspace = |committed, class_committed| Metaspace { committed, class_committed, ..Metaspace::default() };
    let limits = [("MaxHeapSize", "1000000"), ("MaxMetaspaceSize", "8388608")];
    let kinds = |metaspace| first_recorded(&[&define], &limits, metaspace);
    assert_eq!(kinds(metaspace(8 << 20, 1 << 20)), (vec![ErrorKind::Metaspace], KnownBy::Record));
    assert_eq!(kinds(metaspace(4 << 20, 1 << 30)), (vec![ErrorKind::ClassSpace], KnownBy::Record));
    assert_eq!(kinds(metaspace(1 << 20, 1 << 20)).0, [ErrorKind::Metaspace, ErrorKind::ClassSpace]);
}

#[test]
fn the_fill_of_the_heap_tells_kinds_apart() {
    let stack = throwing("class desk.Till\n frame desk.Till.sell (I)V Till.java 12");
    let full = errors_if_full(&[&stack]);
    let first = full.first().expect("an error");
    assert_eq!(
        (first.kinds.as_slice(), first.known_by),
        ([ErrorKind::JavaHeap, ErrorKind::GcOverhead].as_slice(), KnownBy::HeapFill)
    );
    let sentence = full.sentence().expect("a sentence");
    let begin = "OutOfMemoryError: Java heap space or GC overhead limit exceeded, thrown in thread \"main\" at \
                 Till.sell(Till.java:12). The heap is full: ";
    assert!(sentence.starts_with(begin), "{sentence}");
    let room = errors(&[ROOM, &stack]);
    assert_eq!(room.errors[0].kinds, [ErrorKind::JavaHeap, ErrorKind::ArraySize]);
    assert!(room.sentence().expect("a sentence").ends_with("one allocation did not fit into the rest"));
    // Without the largest size of the heap, nothing is claimed.
    let unknown = errors(&[&stack]);
    assert_eq!(unknown.errors[0].kinds, [ErrorKind::JavaHeap, ErrorKind::GcOverhead, ErrorKind::ArraySize]);
    assert_eq!(unknown.errors[0].known_by, KnownBy::Nothing);
    // An option that sets the limit of direct buffers hides that of the heap.
    let set = "class java.util.HashMap
                 field table: object
                 field size: int
               class java.util.HashMap$Node
                 field hash: int
                 field key: object
                 field value: object
                 field next: object
               class sun.misc.VM
                 static savedProps: object = properties
               properties = java.util.HashMap table=table size=1
               table = java.util.HashMap$Node[] node
               node = java.util.HashMap$Node key=key value=value
               key = \"sun.nio.MaxDirectMemorySize\"
               value = \"50000\"
               root sun.misc.VM class\n";
    assert_eq!(errors(&[ROOM, set, &stack]).errors[0].known_by, KnownBy::Nothing);
}

#[test]
fn collectors_other_than_parallel_have_no_overhead_limit() {
    let collector = "class sun.management.MemoryManagerImpl
           field name: object
         class com.sun.management.internal.GarbageCollectorExtImpl extends sun.management.MemoryManagerImpl
         class java.lang.VersionProps
           static java_version: object = version
         version = \"17.0.15\"
         bean = com.sun.management.internal.GarbageCollectorExtImpl name=collector
         root bean global
         root java.lang.VersionProps class\n";
    let stack = throwing("class desk.Till\n frame desk.Till.sell (I)V Till.java 12");
    let of =
        |name: &str| errors_if_full(&[collector, &format!("collector = \"{name}\"\n"), &stack]).errors[0].kinds.clone();
    assert_eq!(of("G1 Old Generation"), [ErrorKind::JavaHeap]);
    assert_eq!(of("PS MarkSweep"), [ErrorKind::JavaHeap, ErrorKind::GcOverhead]);
}

#[test]
fn frames_tell_classes_copies_and_locations() {
    let define = throwing(
        "class desk.Plugins\n frame java.lang.ClassLoader.defineClass1 ()V ClassLoader.java -3\n \
         frame desk.Plugins.add ()V Plugins.java 9",
    );
    let classes = errors(&[ROOM, &define]);
    assert_eq!(classes.errors[0].kinds, [ErrorKind::Metaspace, ErrorKind::ClassSpace]);
    assert_eq!(classes.errors[0].known_by, KnownBy::Frames);
    let sentence = classes.sentence().expect("a sentence");
    assert!(sentence.ends_with("is not what ran out: look at class loaders"), "{sentence}");
    let copy = throwing(
        "class desk.Till\n frame java.util.Arrays.copyOf ()V Arrays.java 3\n frame java.util.ArrayList.grow ()V ArrayList.java 5\n \
         frame desk.Till.sell (I)V Till.java 12\n lines = java.lang.Object[] null null null\n root lines frame 7 1",
    );
    let copy = errors(&[ROOM, &copy]);
    let array = "java.lang.Object[]".to_owned();
    assert!(matches!(&copy.errors[0].allocation, Some(Allocation::CopyOf(class, 3, _)) if *class == array));
    // A list that grows cannot want more than twice its array.
    assert_eq!(copy.errors[0].kinds, [ErrorKind::JavaHeap]);
    assert_eq!(
        copy.errors[0].location.as_ref().and_then(|at| at.frame.as_deref()),
        Some("desk.Till.sell(Till.java:12)")
    );
}

/// An error that a static of a class holds, thrown in a method of that class.
const THROWN: &str = "class desk.Tiles
      static lastError: object = thrown
    root desk.Tiles class
    thrown = java.lang.OutOfMemoryError detailMessage=thrownText backtrace=chunk depth=2
    chunk = java.lang.Object[] methods positions classes symbols null
    classes = java.lang.Object[] java.nio.Bits desk.Tiles null\n";

#[test]
fn messages_of_earlier_errors_tell_the_rest() {
    let text = "thrownText = \"Cannot reserve 1048576 bytes of direct buffer memory (allocated: 67108864, limit: 67108864)\"\n";
    let direct = errors(&[ROOM, THROWN, text]);
    let first = direct.first().expect("an error");
    assert_eq!((first.kinds.as_slice(), first.occasion), ([ErrorKind::DirectMemory].as_slice(), Occasion::Earlier));
    assert_eq!((first.used, first.limit), (Some(Bytes(67_108_864)), Some(Bytes(67_108_864))));
    let sentence = direct.sentence().expect("a sentence");
    let begin = "OutOfMemoryError: Direct buffer memory, thrown before the dump was taken, in Tiles: it wanted 1.0 MB, 67.1 MB of 67.1 MB \
                 were in use. The heap has ";
    assert!(sentence.starts_with(begin), "{sentence}");
    // With the elements of the stack trace, the frame is known; a local variable names the thread.
    let elements = "elements = java.lang.StackTraceElement[] first second
        first = java.lang.StackTraceElement declaringClass=c1 methodName=m1 fileName=f1 lineNumber=105
        second = java.lang.StackTraceElement declaringClass=c2 methodName=m2 fileName=f2 lineNumber=41
        c1 = \"java.nio.Bits\"
        m1 = \"reserveMemory\"
        f1 = \"Bits.java\"
        c2 = \"desk.Tiles\"
        m2 = \"load\"
        f2 = \"Tiles.java\"
        root thrown frame 7 0
        class desk.Tiles
        trace 3 thread 7\n frame desk.Tiles.load ()V Tiles.java 44
        thrownText = \"unable to create native thread: possibly out of memory or process/resource limits reached\"
        thrown = java.lang.OutOfMemoryError detailMessage=thrownText stackTrace=elements depth=2\n";
    let sentence = errors(&[ROOM, elements]).sentence().expect("a sentence");
    let begin = "OutOfMemoryError: Unable to create native thread, thrown before the dump was taken, caught in thread \"main\", at \
                 Tiles.load(Tiles.java:41). The heap has ";
    assert!(sentence.starts_with(begin), "{sentence}");
}

#[test]
fn an_error_without_a_stack_trace_counts_if_the_program_holds_it() {
    let held = "class desk.Till\n static lastError: object = heapSpace\n root desk.Till class\n";
    let held = errors(&[ROOM, held]);
    assert_eq!((held.count, held.errors[0].kinds.as_slice()), (1, [ErrorKind::JavaHeap].as_slice()));
    assert_eq!(held.sentence().as_deref(), Some("OutOfMemoryError: Java heap space, thrown before the dump was taken"));
}

#[test]
fn an_error_that_a_program_created_in_advance_is_not_reported() {
    let h2 = "class org.h2.message.DbException
          static OOME: object = spareOfH2
        root org.h2.message.DbException class
        spareOfH2 = java.lang.OutOfMemoryError backtrace=chunkOfH2 depth=1
        chunkOfH2 = java.lang.Object[] methods positions classesOfH2 symbols null
        classesOfH2 = java.lang.Object[] org.h2.message.DbException null\n";
    assert_eq!(errors(&[ROOM, h2]).count, 0);
}

#[test]
fn errors_of_android_and_of_the_class_library() {
    // One array has the methods, then their classes.
    let android = THROWN.replace("methods positions classes symbols null", "methods desk.Tiles desk.Tiles");
    let text = "thrownText = \"Failed to allocate a 8294412 byte allocation with 4194208 free bytes and 4MB until OOM, \
                target footprint 201326592, growth limit 201326592\"\n";
    let sentence = "OutOfMemoryError: Java heap space, thrown before the dump was taken, in Tiles: it wanted 8.3 MB, the limit is 201 MB";
    assert_eq!(errors(&[&android, text]).sentence().as_deref(), Some(sentence));
    let library = errors(&[THROWN, "thrownText = \"Required array size too large\"\n"]);
    assert_eq!(library.errors[0].kinds, [ErrorKind::ArraySize]);
    let sentence = "OutOfMemoryError: \"Required array size too large\", thrown before the dump was taken, in Tiles";
    assert_eq!(library.sentence().as_deref(), Some(sentence));
    // A stripped dump has the length of the message only.
    let stripped = errors(&[THROWN, "thrownText = \"   \"\n"]);
    assert_eq!(stripped.errors[0].kinds, [ErrorKind::NotKnown]);
}

#[test]
fn errors_that_the_virtual_machine_made_to_compare_are_left_out() {
    let others = "thrownText = \"Requested array size exceeds VM limit\"
        metaspace = java.lang.OutOfMemoryError detailMessage=metaspaceText backtrace=chunk depth=2
        metaspaceText = \"Metaspace\"
        classSpace = java.lang.OutOfMemoryError detailMessage=classSpaceText backtrace=chunk depth=2
        classSpaceText = \"Compressed class space\"\n";
    let array = errors(&[ROOM, THROWN, others]);
    assert_eq!((array.count, array.errors[0].kinds.as_slice()), (1, [ErrorKind::ArraySize].as_slice()));
    // Alone, it is not certain which of them was thrown.
    let alone = THROWN.replace("= thrown\n", "= null\n").replace("thrown = ", "class desk.Unused\n unused = ").replace(
        "java.lang.OutOfMemoryError detailMessage=thrownText backtrace=chunk depth=2",
        "java.lang.Object[] null",
    );
    let alone = errors(&[ROOM, &alone, others]);
    assert_eq!(alone.count, 1);
    assert_eq!(alone.errors[0].kinds, [ErrorKind::Metaspace, ErrorKind::ClassSpace]);
    assert_eq!(alone.errors[0].occasion, Occasion::EarlierUnreachable);
}
