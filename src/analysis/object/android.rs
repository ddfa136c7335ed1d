//! What objects of Android's runtime say of themselves: the interface that a
//! binder stands for, the class that a table lies in, where code was loaded from.

use crate::heap::analyzed::Analyzed;
use crate::heap::contents::{Contents, Value};
use crate::heap::facts::Heap;
use crate::heap::ids::{Address, ObjectId};

const BINDER: &str = "android.os.Binder";
const PROXY: &str = "android.os.BinderProxy";
const DEX_CACHE: &str = "java.lang.DexCache";
/// Characters of a name that are read.
const LONGEST: usize = 1_000;
/// Holders of a binder that are looked at for the proxy that calls by it.
const HOLDERS: usize = 256;
/// Classes above one that are looked at: a made-up file may have a ring of them.
const ABOVE: usize = 64;

/// What a binder is in a conversation between processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinderRole {
    /// It answers calls to an interface.
    Stub,
    /// It is known by its identity alone.
    Token,
    /// It calls an interface of another process.
    Proxy,
}

impl BinderRole {
    /// The word of people and json.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stub => "stub",
            Self::Token => "token",
            Self::Proxy => "proxy",
        }
    }
}

/// What one of Android's objects says of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Android {
    /// Of a binder what it is, and of which interface; the name of a token may be empty.
    pub binder: Option<(BinderRole, String)>,
    /// Of a table of virtual methods the class object that it lies in.
    pub overhead_of: Option<ObjectId>,
    /// Of a cache of a dex file where that is.
    pub dex_location: Option<String>,
}

/// Asks an object.
pub(super) fn ask(heap: &Heap, contents: &dyn Contents, analyzed: &Analyzed, object: ObjectId) -> Android {
    let class = &*heap.class(object).name;
    Android {
        binder: binder(heap, contents, analyzed, object),
        overhead_of: overhead_of(heap, object),
        dex_location: if class == DEX_CACHE { text(heap, contents, object, "location") } else { None },
    }
}

/// The name of the class of an object and of those above it.
fn is_a(heap: &Heap, object: ObjectId, name: &str) -> bool {
    let above = |class: &_| heap.classes.get(*class).superclass;
    std::iter::successors(Some(heap.class_id(object)), above)
        .take(ABOVE)
        .any(|class| *heap.classes.get(class).name == *name)
}

fn binder(heap: &Heap, contents: &dyn Contents, analyzed: &Analyzed, object: ObjectId) -> Option<(BinderRole, String)> {
    // Dumps of other machines have no such class: nothing is read there.
    heap.classes.named(BINDER)?;
    if is_a(heap, object, BINDER) {
        let descriptor = text(heap, contents, object, "mDescriptor").unwrap_or_default();
        let is_stub = !descriptor.is_empty() && is_a(heap, object, &format!("{descriptor}$Stub"));
        return Some((if is_stub { BinderRole::Stub } else { BinderRole::Token }, descriptor));
    }
    if !is_a(heap, object, PROXY) {
        return None;
    }
    let holders = analyzed.retainers(object).iter().take(HOLDERS).copied().filter_map(ObjectId::from_raw);
    let interface = holders.filter_map(|holder| {
        let interface = heap.class(holder).name.strip_suffix("$Stub$Proxy")?.to_owned();
        (value(heap, contents, holder, "mRemote")? == Value::Object(object)).then_some(interface)
    });
    interface.min().map(|interface| (BinderRole::Proxy, interface))
}

/// ART gives the table of a class the address of that class and one.
fn overhead_of(heap: &Heap, object: ObjectId) -> Option<ObjectId> {
    let Address(address) = heap.address(object);
    if address & 1 == 0 || heap.regions().is_none() {
        return None;
    }
    let class = heap.at(Address(address & !1))?;
    heap.classes.of_object(class).map(|_| class)
}

fn value(heap: &Heap, contents: &dyn Contents, object: ObjectId, name: &str) -> Option<Value> {
    let fields = contents.fields(heap, object).ok()?;
    fields.into_iter().find(|field| field.name == name && !field.is_static).map(|field| field.value)
}

fn text(heap: &Heap, contents: &dyn Contents, object: ObjectId, name: &str) -> Option<String> {
    contents.text(heap, value(heap, contents, object, name)?.object()?, LONGEST)
}
