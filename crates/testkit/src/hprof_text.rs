//! Writes a sketch as the text of the HPROF agent of JDK 1.4 to 8 (`format=a`).

use std::fmt::Write;

use super::sketch::{Body, Class, Id, RootRecord, Sketch, Type, Value};

/// Agent that writes the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agent {
    /// JDK 1.2 to 1.4: arrays name the class of their elements, and names of array classes are those of class files.
    Old,
    /// JDK 5 to 8: arrays name their own class.
    Jdk5,
}

/// Writes the sketch; `size` returns the size of an object in bytes.
pub fn write(sketch: &Sketch, agent: Agent, size: impl Fn(Id) -> u64) -> String {
    let mut text = String::from(
        "JAVA PROFILE 1.0.1, created Sun Mar  9 20:47:24 2008\n\nHeader for -agentlib:hprof (or -Xrunhprof) ASCII Output\n\n",
    );
    for (id, root) in &sketch.roots {
        if let RootRecord::Thread { thread, .. } = root {
            line(
                &mut text,
                format_args!("THREAD START (obj={id:x}, id = {thread}, name=\"worker-{thread}\", group=\"main\")"),
            );
        }
    }
    for trace in &sketch.traces {
        line(&mut text, format_args!("TRACE {}:", trace.number));
        for frame in &trace.frames {
            let class = sketch.class(frame.class).map_or("unknown", |class| &class.name);
            line(&mut text, format_args!("\t{class}.{}({}:{})", frame.method, frame.source, frame.line));
        }
        if trace.frames.is_empty() {
            line(&mut text, format_args!("\t<empty>"));
        }
    }
    let bytes: u64 = sketch.objects.iter().map(|object| size(object.id)).sum();
    line(
        &mut text,
        format_args!("HEAP DUMP BEGIN ({} objects, {bytes} bytes) Sun Mar  9 20:47:55 2008", sketch.objects.len()),
    );
    // A thread that the agent does not know, and a JNI reference that was deleted.
    line(&mut text, format_args!("ROOT 0 (kind=<thread>, id=0, trace=300000)"));
    line(&mut text, format_args!("ROOT 0 (kind=<JNI global ref>, id=1f2e3d, trace=0)"));
    sketch.roots.iter().for_each(|&(id, root)| self::root(&mut text, id, root, sketch));
    sketch.classes.iter().for_each(|one| class(&mut text, one, agent));
    for object in &sketch.objects {
        let (id, bytes) = (object.id, size(object.id));
        let name = sketch.class_of(object).map_or("", |class| &class.name);
        let element = if agent == Agent::Jdk5 { name } else { name.strip_suffix("[]").unwrap_or(name) };
        let element_name = agent.class_name(element);
        match &object.body {
            Body::Instance { class, fields } => {
                line(&mut text, format_args!("OBJ {id:x} (sz={bytes}, trace=300000, class={name}@{class:x})"));
                let names = sketch.line_of(*class).into_iter().flat_map(|class| &class.fields);
                for ((name, _), value) in names.zip(fields) {
                    if let Value::Object(to) = *value {
                        member(&mut text, name, to);
                    }
                }
            }
            Body::Objects { class, elements } => {
                let of_elements = sketch.class_named(element).map_or(0, |element| element.id);
                let id_of_class = if agent == Agent::Jdk5 { *class } else { of_elements };
                line(
                    &mut text,
                    format_args!(
                        "ARR {id:x} (sz={bytes}, trace=300000, nelems={}, elem type={element_name}@{id_of_class:x})",
                        elements.len()
                    ),
                );
                for (at, &to) in elements.iter().enumerate() {
                    member(&mut text, &format!("[{at}]"), to);
                }
            }
            Body::Primitives { kind, elements } => {
                let element = if agent == Agent::Jdk5 { format!("{}[]", kind.name()) } else { kind.name().to_owned() };
                line(
                    &mut text,
                    format_args!(
                        "ARR {id:x} (sz={bytes}, trace=300000, nelems={}, elem type={element})",
                        elements.len()
                    ),
                );
            }
        }
    }
    text.push_str("HEAP DUMP END\n");
    text
}

fn line(text: &mut String, what: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _written = writeln!(text, "{what}");
}

/// A reference; nulls are not written.
fn member(text: &mut String, name: &str, to: Id) {
    if to != 0 {
        let tab = if name.len() < 8 { "\t" } else { "" };
        line(text, format_args!("\t{name}\t{tab}{to:x}"));
    }
}

impl Agent {
    /// Name of a class as the agent writes it.
    fn class_name(self, name: &str) -> String {
        let element = name.trim_end_matches("[]");
        let depth = (name.len() - element.len()) / 2;
        if self == Self::Jdk5 || depth == 0 {
            return name.to_owned();
        }
        let element = match element {
            "boolean" => "Z".to_owned(),
            "char" => "C".to_owned(),
            "float" => "F".to_owned(),
            "double" => "D".to_owned(),
            "byte" => "B".to_owned(),
            "short" => "S".to_owned(),
            "int" => "I".to_owned(),
            "long" => "J".to_owned(),
            class => format!("L{class};"),
        };
        format!("{}{element}", "[".repeat(depth))
    }
}

fn class(text: &mut String, class: &Class, agent: Agent) {
    line(text, format_args!("CLS {:x} (name={}, trace=300000)", class.id, agent.class_name(&class.name)));
    member(text, "super", class.superclass);
    member(text, "loader", class.loader);
    if agent == Agent::Old {
        // Constants are written even if they are null.
        line(text, format_args!("\tconstant[5]\t0"));
    }
    for (name, value) in &class.statics {
        if let Value::Object(to) = *value
            && value.kind() == Type::Object
        {
            member(text, &format!("static {name}"), to);
        }
    }
}

fn root(text: &mut String, id: Id, root: RootRecord, sketch: &Sketch) {
    let name = || sketch.class(id).map_or("", |class| &class.name).to_owned();
    let description = match root {
        RootRecord::Unknown => "kind=<unknown>".to_owned(),
        RootRecord::JniGlobal => "kind=<JNI global ref>, id=8, trace=300000".to_owned(),
        RootRecord::JniLocal { thread, frame } => {
            format!("kind=<JNI local ref>, thread={thread}, frame={}", frame as i32)
        }
        RootRecord::JavaFrame { thread, frame } => {
            format!("kind=<Java stack>, thread={thread}, frame={}", frame as i32)
        }
        RootRecord::NativeStack { thread } => format!("kind=<native stack>, thread={thread}"),
        RootRecord::StickyClass => format!("kind=<system class>, name={}", name()),
        RootRecord::ThreadBlock { thread } => format!("kind=<thread block>, thread={thread}"),
        RootRecord::MonitorUsed => "kind=<busy monitor>".to_owned(),
        RootRecord::Thread { thread, trace } => format!("kind=<thread>, id={thread}, trace={trace}"),
    };
    line(text, format_args!("ROOT {id:x} ({description})"));
}
