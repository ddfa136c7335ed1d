//! Files of a sketch in the formats with GC roots and fields.

use heaplens_testkit::art::{self, Art, Writer, root};
use heaplens_testkit::hprof::{self, Form};
use heaplens_testkit::hprof_text::{self, Agent};
use heaplens_testkit::perfetto;
use heaplens_testkit::sketch::{Body, Id, RootRecord, Sketch, Type};

/// Format of a file.
#[derive(Debug, Clone, Copy)]
pub(super) enum Format {
    Hprof(Form),
    HprofText(Agent),
    Android(Writer),
    Perfetto(perfetto::Form),
}

/// Size of an object in formats that record it.
pub(super) fn size(id: Id) -> u64 {
    16 + id % 5 * 8
}

impl Format {
    /// A form of every format.
    pub(super) fn all(seed: usize) -> Vec<Self> {
        let pick = |forms: usize| seed % forms;
        let (hprof, perfetto) = (Form::all(), perfetto::Form::all());
        vec![
            Self::Hprof(hprof[pick(hprof.len())]),
            Self::HprofText([Agent::Old, Agent::Jdk5][pick(2)]),
            Self::Android([Writer::Art, Writer::Conv, Writer::Tailor, Writer::Koom][pick(4)]),
            Self::Perfetto(perfetto[pick(perfetto.len())]),
        ]
    }

    /// The heap, changed as far as the format cannot represent it.
    pub(super) fn representable(self, mut sketch: Sketch) -> Sketch {
        // A trace has no stacks, and Tailor writes no threads.
        if matches!(self, Self::Perfetto(_) | Self::Android(Writer::Tailor)) {
            sketch.roots.iter_mut().for_each(|(_, why)| *why = RootRecord::JniGlobal);
        }
        sketch
    }

    /// True if classes list their fields, so that a field can be cut in all instances. Text dumps, and traces of
    /// Android 11, name the references of each object.
    pub(super) fn declares_fields(self) -> bool {
        match self {
            Self::Hprof(_) | Self::Android(_) => true,
            Self::HprofText(_) => false,
            Self::Perfetto(form) => form.typed,
        }
    }

    pub(super) fn write(self, sketch: &Sketch) -> Vec<u8> {
        match self {
            Self::Hprof(form) => hprof::write(sketch, form),
            Self::HprofText(agent) => hprof_text::write(sketch, agent, size).into_bytes(),
            Self::Android(writer) => android(sketch).write(writer),
            Self::Perfetto(form) => perfetto::write(sketch, form, size),
        }
    }
}

/// The heap as that of an Android application.
fn android(sketch: &Sketch) -> Art {
    let mut art = Art::default();
    for &(object, why) in &sketch.roots {
        let (tag, thread) = match why {
            RootRecord::StickyClass => (root::STICKY_CLASS, 0),
            RootRecord::Thread { thread, .. } => (root::THREAD, thread),
            RootRecord::JavaFrame { thread, .. }
            | RootRecord::JniLocal { thread, .. }
            | RootRecord::NativeStack { thread }
            | RootRecord::ThreadBlock { thread } => (root::JAVA_FRAME, thread),
            RootRecord::JniGlobal => (root::JNI_GLOBAL, 0),
            RootRecord::Unknown | RootRecord::MonitorUsed => (root::DEBUGGER, 0),
        };
        art.root(tag, object, thread);
    }
    art.heap(art::APP, "app");
    for class in &sketch.classes {
        let line = sketch.line_of(class.id);
        let fields = line.iter().flat_map(|class| &class.fields).map(|&(_, kind)| kind.bytes(4) as u32);
        let statics: Vec<_> = class.statics.iter().map(|(name, value)| (&**name, *value)).collect();
        let own: Vec<(&str, Type)> = class.fields.iter().map(|(name, kind)| (&**name, *kind)).collect();
        art.class(art::Class {
            id: class.id,
            name: &class.name,
            superclass: class.superclass,
            loader: class.loader,
            bytes: 8 + fields.sum::<u32>(),
            statics: &statics,
            fields: &own,
        });
    }
    for object in &sketch.objects {
        match &object.body {
            Body::Instance { class, fields } => art.instance(object.id, *class, fields),
            Body::Objects { class, elements } => art.objects(object.id, *class, elements),
            Body::Primitives { kind, elements } => art.numbers(object.id, *kind, elements.clone()),
        };
    }
    art
}
