//! Classes of the Java library with the fields of JDK 17, and its collections as the library builds them.

use heaplens_testkit::sketch::{Id, Type, Value};

use crate::java::{ClassRow, Java, OBJECT, to};

const O: Type = Type::Object;
const I: Type = Type::Int;
const J: Type = Type::Long;
const Z: Type = Type::Boolean;

/// Classes of the runtime of a server.
pub(crate) const SERVER: &[ClassRow] = &[
    (OBJECT, "", &[]),
    ("java.lang.Class", OBJECT, &[]),
    ("java.lang.String", OBJECT, &[("value", O), ("hash", I), ("coder", Type::Byte), ("hashIsZero", Z)]),
    ("byte[]", OBJECT, &[]),
    ("int[]", OBJECT, &[]),
    ("java.lang.Object[]", OBJECT, &[]),
    ("java.lang.Integer", OBJECT, &[("value", I)]),
    ("java.lang.Long", OBJECT, &[("value", J)]),
    (
        "java.lang.Thread",
        OBJECT,
        &[
            ("name", O),
            ("priority", I),
            ("daemon", Z),
            ("group", O),
            ("target", O),
            ("contextClassLoader", O),
            ("threadLocals", O),
            ("tid", J),
        ],
    ),
    ("java.lang.Thread[]", OBJECT, &[]),
    ("java.lang.ThreadGroup", OBJECT, &[("name", O), ("parent", O), ("nthreads", I), ("threads", O)]),
    ("java.lang.ClassLoader", OBJECT, &[("parent", O), ("name", O), ("classes", O)]),
    ("java.net.URLClassLoader", "java.lang.ClassLoader", &[("ucp", O)]),
    ("jdk.internal.loader.ClassLoaders$AppClassLoader", "java.lang.ClassLoader", &[]),
    ("java.util.AbstractMap", OBJECT, &[("keySet", O), ("values", O)]),
    (
        "java.util.HashMap",
        "java.util.AbstractMap",
        &[("table", O), ("entrySet", O), ("size", I), ("modCount", I), ("threshold", I), ("loadFactor", Type::Float)],
    ),
    ("java.util.HashMap$Node", OBJECT, &[("hash", I), ("key", O), ("value", O), ("next", O)]),
    ("java.util.HashMap$Node[]", OBJECT, &[]),
    ("java.util.LinkedHashMap", "java.util.HashMap", &[("head", O), ("tail", O), ("accessOrder", Z)]),
    ("java.util.LinkedHashMap$Entry", "java.util.HashMap$Node", &[("before", O), ("after", O)]),
    ("java.util.HashSet", OBJECT, &[("map", O)]),
    ("java.util.AbstractList", OBJECT, &[("modCount", I)]),
    ("java.util.ArrayList", "java.util.AbstractList", &[("elementData", O), ("size", I)]),
    ("java.util.ArrayDeque", OBJECT, &[("elements", O), ("head", I), ("tail", I)]),
    (
        "java.util.WeakHashMap",
        "java.util.AbstractMap",
        &[("table", O), ("size", I), ("threshold", I), ("loadFactor", Type::Float), ("queue", O), ("modCount", I)],
    ),
    ("java.util.WeakHashMap$Entry[]", OBJECT, &[]),
    (
        "java.util.concurrent.ConcurrentHashMap",
        "java.util.AbstractMap",
        &[("table", O), ("nextTable", O), ("baseCount", J), ("sizeCtl", I), ("transferIndex", I), ("counterCells", O)],
    ),
    ("java.util.concurrent.ConcurrentHashMap$Node", OBJECT, &[("hash", I), ("key", O), ("val", O), ("next", O)]),
    ("java.util.concurrent.ConcurrentHashMap$Node[]", OBJECT, &[]),
    ("java.util.concurrent.CopyOnWriteArrayList", OBJECT, &[("lock", O), ("array", O)]),
    ("java.util.concurrent.atomic.AtomicInteger", OBJECT, &[("value", I)]),
    (
        "java.util.concurrent.LinkedBlockingQueue",
        OBJECT,
        &[("capacity", I), ("count", O), ("head", O), ("last", O), ("takeLock", O), ("putLock", O)],
    ),
    ("java.util.concurrent.LinkedBlockingQueue$Node", OBJECT, &[("item", O), ("next", O)]),
    (
        "java.util.concurrent.ThreadPoolExecutor",
        OBJECT,
        &[
            ("ctl", O),
            ("workQueue", O),
            ("workers", O),
            ("threadFactory", O),
            ("corePoolSize", I),
            ("maximumPoolSize", I),
            ("completedTaskCount", J),
        ],
    ),
    (
        "java.util.concurrent.ThreadPoolExecutor$Worker",
        OBJECT,
        &[("thread", O), ("firstTask", O), ("completedTasks", J), ("this$0", O)],
    ),
    (
        "java.util.concurrent.FutureTask",
        OBJECT,
        &[("state", I), ("callable", O), ("outcome", O), ("runner", O), ("waiters", O)],
    ),
    ("java.util.concurrent.Executors$RunnableAdapter", OBJECT, &[("task", O), ("result", O)]),
    ("java.lang.ref.Reference", OBJECT, &[("referent", O), ("queue", O), ("next", O), ("discovered", O)]),
    ("java.lang.ref.WeakReference", "java.lang.ref.Reference", &[]),
    ("java.lang.ref.PhantomReference", "java.lang.ref.Reference", &[]),
    ("java.lang.ref.FinalReference", "java.lang.ref.Reference", &[]),
    ("java.lang.ref.Finalizer", "java.lang.ref.FinalReference", &[("next", O), ("prev", O)]),
    ("java.lang.ref.ReferenceQueue", OBJECT, &[("lock", O), ("head", O), ("queueLength", J)]),
    ("java.util.WeakHashMap$Entry", "java.lang.ref.WeakReference", &[("value", O), ("hash", I), ("next", O)]),
    ("java.lang.ThreadLocal", OBJECT, &[("threadLocalHashCode", I)]),
    ("java.lang.ThreadLocal$ThreadLocalMap", OBJECT, &[("size", I), ("table", O), ("threshold", I)]),
    ("java.lang.ThreadLocal$ThreadLocalMap$Entry", "java.lang.ref.WeakReference", &[("value", O)]),
    ("java.lang.ThreadLocal$ThreadLocalMap$Entry[]", OBJECT, &[]),
    (
        "java.nio.Buffer",
        OBJECT,
        &[("mark", I), ("position", I), ("limit", I), ("capacity", I), ("address", J), ("segment", O)],
    ),
    (
        "java.nio.ByteBuffer",
        "java.nio.Buffer",
        &[("hb", O), ("offset", I), ("isReadOnly", Z), ("bigEndian", Z), ("nativeByteOrder", Z)],
    ),
    ("java.nio.MappedByteBuffer", "java.nio.ByteBuffer", &[("fd", O), ("isSync", Z)]),
    ("java.nio.DirectByteBuffer", "java.nio.MappedByteBuffer", &[("cleaner", O), ("att", O)]),
    ("java.nio.DirectByteBuffer$Deallocator", OBJECT, &[("address", J), ("size", J), ("capacity", I)]),
    ("jdk.internal.ref.Cleaner", "java.lang.ref.PhantomReference", &[("next", O), ("prev", O), ("thunk", O)]),
    ("java.sql.DriverManager", OBJECT, &[]),
    ("java.sql.DriverInfo", OBJECT, &[("driver", O), ("da", O)]),
];

/// Hash of a key in a map: any, but spread.
fn hash(number: usize) -> u32 {
    (number as u32).wrapping_mul(0x9e37_79b9) >> 4
}

/// Chains entries into the buckets of a table: `next` of each is set, the first ones are returned.
fn buckets(java: &mut Java, nodes: &[Id]) -> Vec<Id> {
    let length = (nodes.len() * 4 / 3 + 1).next_power_of_two().max(16);
    let mut table = vec![0; length];
    for (number, &node) in nodes.iter().enumerate() {
        let bucket = hash(number) as usize & (length - 1);
        java.set(node, "next", to(table[bucket]));
        table[bucket] = node;
    }
    table
}

impl Java {
    /// A `java.util.HashMap` from which nothing was ever removed.
    pub(crate) fn hash_map(&mut self, entries: &[(Id, Id)]) -> Id {
        let node = |java: &mut Self, number, key, value| {
            let hash = Value::Int(hash(number).cast_signed());
            java.make("java.util.HashMap$Node", &[("hash", hash), ("key", to(key)), ("value", to(value))])
        };
        let numbered = entries.iter().enumerate();
        let nodes: Vec<Id> = numbered.map(|(number, &(key, value))| node(self, number, key, value)).collect();
        let table = buckets(self, &nodes);
        let threshold = Value::Int(table.len() as i32 * 3 / 4);
        let table = self.array("java.util.HashMap$Node[]", table);
        let size = Value::Int(entries.len() as i32);
        let values = [("table", to(table)), ("size", size), ("modCount", size), ("threshold", threshold)];
        self.make("java.util.HashMap", &values)
    }

    /// A map of `class`, a `LinkedHashMap` in the order of access; `removed` entries were removed from it so far.
    pub(crate) fn linked_map(&mut self, class: &str, entries: &[(Id, Id)], removed: usize) -> Id {
        let mut nodes: Vec<Id> = Vec::new();
        for (number, &(key, value)) in entries.iter().enumerate() {
            let hash = Value::Int(hash(number).cast_signed());
            let before = to(nodes.last().copied().unwrap_or(0));
            let values = [("hash", hash), ("key", to(key)), ("value", to(value)), ("before", before)];
            let node = self.make("java.util.LinkedHashMap$Entry", &values);
            if let Some(&last) = nodes.last() {
                self.set(last, "after", to(node));
            }
            nodes.push(node);
        }
        let table = buckets(self, &nodes);
        let table = self.array("java.util.HashMap$Node[]", table);
        let ends = [nodes.first(), nodes.last()].map(|end| to(end.copied().unwrap_or(0)));
        let changes = Value::Int((entries.len() + 2 * removed) as i32);
        let values = [
            ("table", to(table)),
            ("size", Value::Int(entries.len() as i32)),
            ("modCount", changes),
            ("head", ends[0]),
            ("tail", ends[1]),
            ("accessOrder", Value::Boolean(true)),
        ];
        self.make(class, &values)
    }

    /// A `java.util.concurrent.ConcurrentHashMap`.
    pub(crate) fn concurrent_map(&mut self, entries: &[(Id, Id)]) -> Id {
        let mut nodes = Vec::new();
        for (number, &(key, value)) in entries.iter().enumerate() {
            let hash = Value::Int(hash(number).cast_signed());
            let values = [("hash", hash), ("key", to(key)), ("val", to(value))];
            nodes.push(self.make("java.util.concurrent.ConcurrentHashMap$Node", &values));
        }
        let table = buckets(self, &nodes);
        let control = Value::Int(table.len() as i32 * 3 / 4);
        let table = self.array("java.util.concurrent.ConcurrentHashMap$Node[]", table);
        let count = Value::Long(entries.len() as i64);
        let values = [("table", to(table)), ("baseCount", count), ("sizeCtl", control)];
        self.make("java.util.concurrent.ConcurrentHashMap", &values)
    }

    /// A `java.util.ArrayList`, its array half as long again as when it last was full.
    pub(crate) fn list(&mut self, elements: &[Id]) -> Id {
        let mut room = 10;
        while room < elements.len() {
            room += room / 2;
        }
        let mut array = elements.to_vec();
        array.resize(room, 0);
        let array = self.array("java.lang.Object[]", array);
        let size = Value::Int(elements.len() as i32);
        self.make("java.util.ArrayList", &[("elementData", to(array)), ("size", size), ("modCount", size)])
    }

    /// A `java.util.concurrent.LinkedBlockingQueue` without a limit.
    pub(crate) fn queue(&mut self, items: &[Id]) -> Id {
        let node = "java.util.concurrent.LinkedBlockingQueue$Node";
        let head = self.make(node, &[]);
        let mut last = head;
        for &item in items {
            let next = self.make(node, &[("item", to(item))]);
            self.set(last, "next", to(next));
            last = next;
        }
        let count = Value::Int(items.len() as i32);
        let count = self.make("java.util.concurrent.atomic.AtomicInteger", &[("value", count)]);
        let values = [("capacity", Value::Int(i32::MAX)), ("count", to(count)), ("head", to(head)), ("last", to(last))];
        self.make("java.util.concurrent.LinkedBlockingQueue", &values)
    }

    /// The `ThreadLocalMap` of a thread, with values by `ThreadLocal`.
    pub(crate) fn thread_locals(&mut self, values: &[(Id, Id)]) -> Id {
        let mut table = vec![0; 16];
        for (number, &(local, value)) in values.iter().enumerate() {
            let class = "java.lang.ThreadLocal$ThreadLocalMap$Entry";
            table[(3 + 7 * number) % 16] = self.make(class, &[("referent", to(local)), ("value", to(value))]);
        }
        let table = self.array("java.lang.ThreadLocal$ThreadLocalMap$Entry[]", table);
        let size = Value::Int(values.len() as i32);
        self.make("java.lang.ThreadLocal$ThreadLocalMap", &[("table", to(table)), ("size", size)])
    }
}
