//! Leaks of server programs on J9, whose heap dumps have no names of fields: a holder is a class.

use crate::hotspot::{Plant, records};
use crate::java::{OBJECT, to};
use crate::question::Plan;

const BASE: Plan = Plan {
    name: "",
    kind: "",
    question: "The batch server fails with OutOfMemoryError each week. What holds the memory?",
    holder: &[],
    class: &[],
    count: 1_200,
    has_larger: false,
    has_before: false,
};

/// All of them, with what plants each.
pub(crate) const LEAKS: [(Plan, Plant); 3] = [
    (
        Plan {
            name: "batch-1",
            kind: "static list",
            holder: &["com.acme.batch.JobLog"],
            class: &["com.acme.batch.LogEntry"],
            has_larger: true,
            has_before: true,
            ..BASE
        },
        |java, count| {
            let entries = records(java, "com.acme.batch.LogEntry", count, "job ended", 200);
            java.class("com.acme.batch.JobLog", OBJECT, &[]);
            let list = java.list(&entries);
            java.set_static("com.acme.batch.JobLog", "ENTRIES", to(list));
        },
    ),
    (
        Plan {
            name: "batch-2",
            kind: "thread local",
            question: "Threads of the transaction pool keep memory after each run. What is it?",
            holder: &[
                "java.lang.ThreadLocal$ThreadLocalMap",
                "java.lang.ThreadLocal$ThreadLocalMap$Entry",
                "com.acme.tx.Transactions",
            ],
            class: &["com.acme.tx.TxContext"],
            count: 10,
            ..BASE
        },
        |java, count| {
            java.class("com.acme.tx.Transactions", OBJECT, &[]);
            let local = java.make("java.lang.ThreadLocal", &[]);
            java.set_static("com.acme.tx.Transactions", "CURRENT", to(local));
            for (number, context) in (1..).zip(records(java, "com.acme.tx.TxContext", count, "transaction", 40_000)) {
                let locals = java.thread_locals(&[(local, context)]);
                java.thread(&format!("tx-{number}"), "com.acme.app.Main", &[], &[("threadLocals", to(locals))]);
            }
        },
    ),
    (
        Plan {
            name: "batch-3",
            kind: "queue",
            holder: &["com.acme.jms.Inbox"],
            class: &["com.acme.jms.Delivery"],
            ..BASE
        },
        |java, count| {
            let deliveries = records(java, "com.acme.jms.Delivery", count, "delivery", 300);
            java.class("com.acme.jms.Inbox", OBJECT, &[]);
            let queue = java.queue(&deliveries);
            java.set_static("com.acme.jms.Inbox", "WAITING", to(queue));
        },
    ),
];
