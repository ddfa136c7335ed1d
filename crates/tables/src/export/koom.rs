//! A report in KOOM's format, field by field, so that servers that collect its
//! reports accept it. Numbers are strings where they are in KOOM.

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use heaplens_analysis::android::koom::{ClassCount, KoomBigObject, KoomPath, KoomReport};
use heaplens_analysis::android::shark::{LeakReferenceKind, LeakStep, root_text};
use heaplens_heap::Heap;

/// Writes a report as one JSON object.
pub fn write_koom(mut out: impl Write, heap: &Heap, report: &KoomReport) -> io::Result<()> {
    let answer = json!({
        "runningInfo": running_info(report),
        "gcPaths": report.paths.iter().map(path).collect::<Vec<_>>(),
        "classInfos": report.classes.iter().map(class).collect::<Vec<_>>(),
        "leakObjects": report.big.iter().map(|object| big(heap, object)).collect::<Vec<_>>(),
        "analysisDone": true,
    });
    serde_json::to_writer(&mut out, &answer)?;
    writeln!(out)
}

/// Device data of the dump; KOOM, which runs on the device, has more.
fn running_info(KoomReport { device, model, .. }: &KoomReport) -> Value {
    let mut info = Map::new();
    let api = device.api.map(|api| api.to_string());
    for (key, value) in [("sdkInt", &api), ("manufacture", &device.manufacturer), ("buildModel", model)] {
        if let Some(value) = value {
            info.insert(key.to_owned(), Value::from(value.as_str()));
        }
    }
    Value::from(info)
}

fn path(path: &KoomPath) -> Value {
    let first = path.leak.traces.first();
    let steps = first.into_iter().flat_map(|trace| &trace.steps);
    json!({
        "instanceCount": path.leak.traces.len(),
        "leakReason": path.reason,
        "gcRoot": first.map(|trace| root_text(trace.root)),
        "signature": path.signature(),
        "path": steps.map(item).collect::<Vec<_>>(),
    })
}

fn item(step: &LeakStep) -> Value {
    let class = &step.subject.class;
    let Some(reference) = &step.reference else {
        return json!({"reference": class, "referenceType": step.subject.is.name()});
    };
    let text = match reference.kind {
        LeakReferenceKind::Entry => class.clone(),
        _ => format!("{class}.{}", reference.name),
    };
    let kind = match reference.kind {
        LeakReferenceKind::Entry => "ARRAY_ENTRY",
        LeakReferenceKind::StaticField => "STATIC_FIELD",
        LeakReferenceKind::InstanceField => "INSTANCE_FIELD",
        LeakReferenceKind::Local => "LOCAL",
    };
    json!({"reference": text, "referenceType": kind, "declaredClass": reference.declared_by})
}

fn class(count: &ClassCount) -> Value {
    json!({
        "className": count.class,
        "instanceCount": count.instances.to_string(),
        "leakInstanceCount": count.leaking.to_string(),
    })
}

fn big(heap: &Heap, big: &KoomBigObject) -> Value {
    let mut object = json!({
        "className": big.class,
        "size": big.size.to_string(),
        "objectId": heap.address(big.object).0.to_string(),
    });
    if let (Some((width, height)), Value::Object(object)) = (big.sides, &mut object) {
        object.insert("extDetail".to_owned(), Value::from(format!("{width} x {height}")));
    }
    object
}
