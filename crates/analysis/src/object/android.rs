//! Properties of objects of Android's runtime: the interface of a
//! binder, the class of a method table, the location of loaded code.

use crate::answers::DumpData;
use heaplens_heap::{Address, Heap, ObjectId, Value};

const BINDER: &str = "android.os.Binder";
const PROXY: &str = "android.os.BinderProxy";
const DEX_CACHE: &str = "java.lang.DexCache";
/// Maximum number of characters read of a name.
const LONGEST: usize = 1_000;
/// Maximum number of holders of a binder searched for its proxy.
const HOLDERS: usize = 256;
/// Maximum number of superclasses followed: a crafted file may contain a cycle.
const ABOVE: usize = 64;

/// Role of a binder in interprocess communication.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinderRole {
    /// It answers calls to an interface.
    Stub,
    /// It only serves as an identity.
    Token,
    /// It calls an interface of another process.
    Proxy,
}

impl BinderRole {
    /// Name in text and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stub => "stub",
            Self::Token => "token",
            Self::Proxy => "proxy",
        }
    }
}

/// Properties of an Android object.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Android {
    /// Role and interface of a binder; the interface of a token may be empty.
    pub binder: Option<(BinderRole, String)>,
    /// For a table of virtual methods, the class object that contains it.
    pub overhead_of: Option<ObjectId>,
    /// For the cache of a dex file, the location of that file.
    pub dex_location: Option<String>,
}

/// Reads the properties of an object.
pub(super) fn ask(dump: DumpData<'_>, object: ObjectId) -> Android {
    let heap = dump.heap;
    let class = &*heap.class(object).name;
    Android {
        binder: binder(dump, object),
        overhead_of: overhead_of(heap, object),
        dex_location: if class == DEX_CACHE { text(dump, object, "location") } else { None },
    }
}

/// Names of an object's class and its superclasses.
fn is_a(heap: &Heap, object: ObjectId, name: &str) -> bool {
    let above = |class: &_| heap.classes.get(*class).superclass;
    std::iter::successors(Some(heap.class_id(object)), above)
        .take(ABOVE)
        .any(|class| *heap.classes.get(class).name == *name)
}

fn binder(dump: DumpData<'_>, object: ObjectId) -> Option<(BinderRole, String)> {
    let heap = dump.heap;
    // Dumps of other virtual machines have no such class: nothing is read.
    heap.classes.named(BINDER)?;
    if is_a(heap, object, BINDER) {
        let descriptor = text(dump, object, "mDescriptor").unwrap_or_default();
        let is_stub = !descriptor.is_empty() && is_a(heap, object, &format!("{descriptor}$Stub"));
        return Some((if is_stub { BinderRole::Stub } else { BinderRole::Token }, descriptor));
    }
    if !is_a(heap, object, PROXY) {
        return None;
    }
    let holders = dump.analysis.referrers(object).take(HOLDERS);
    let interface = holders.filter_map(|holder| {
        let interface = heap.class(holder).name.strip_suffix("$Stub$Proxy")?.to_owned();
        (value(dump, holder, "mRemote")? == Value::Object(object)).then_some(interface)
    });
    interface.min().map(|interface| (BinderRole::Proxy, interface))
}

/// ART gives the method table of a class the address of that class plus one.
fn overhead_of(heap: &Heap, object: ObjectId) -> Option<ObjectId> {
    let Address(address) = heap.address(object);
    if address & 1 == 0 || heap.regions().is_none() {
        return None;
    }
    let class = heap.at(Address(address & !1))?;
    heap.classes.of_object(class).map(|_| class)
}

fn value(dump: DumpData<'_>, object: ObjectId, name: &str) -> Option<Value> {
    let fields = dump.contents.fields(dump.heap, object).ok()?;
    fields.into_iter().find(|field| field.name == name && !field.is_static).map(|field| field.value)
}

fn text(dump: DumpData<'_>, object: ObjectId, name: &str) -> Option<String> {
    dump.contents.text(dump.heap, value(dump, object, name)?.object()?, LONGEST)
}
