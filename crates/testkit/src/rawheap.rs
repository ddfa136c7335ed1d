//! Writer of ArkTS raw heaps: memory image (1.x), stream of tokens (2.x), and records of the static runtime (3.x, in a
//! separate file). Based on the writer of the device; no constant is shared with the reader.

mod shop;
mod statics;

pub use self::statics::{Static, TypedValue};

/// Value of a slot of eight bytes.
#[derive(Debug, Clone, Copy)]
pub enum Slot {
    /// Object, by index.
    Ref(usize),
    /// The same, held weakly.
    Weak(usize),
    /// Integer.
    Int(i32),
    /// Another number.
    Double(f64),
    /// Any other value, by its bits in memory: 2 undefined, 3 null, 5 hole, 6 and 7 booleans, 10 exception.
    Bits(u64),
}

/// An object.
#[derive(Debug, Clone)]
pub struct Object {
    /// Index of its class.
    pub class: usize,
    /// Type: an index into the types of the metadata.
    pub js: u32,
    /// Its name, or the text of a key string.
    pub name: Option<&'static str>,
    /// Hash written into its id by the runtime; 0 for none.
    pub hash: u32,
    /// Size of the native memory it holds, in bytes.
    pub native: u32,
    /// Number of characters of a string, of which nothing else is written.
    pub characters: Option<u32>,
    /// Slots after the class.
    pub slots: Vec<Slot>,
}

/// A heap.
#[derive(Debug, Clone, Default)]
pub struct Heap {
    /// All objects. Their ids are odd numbers from 3 on.
    pub objects: Vec<Object>,
    /// Marked as roots.
    pub roots: Vec<usize>,
    /// Local handles, global handles, the runtime, frames.
    pub groups: [Vec<usize>; 4],
    /// Global references and their targets, if recorded.
    pub references: Option<Vec<(u64, usize)>>,
    /// Space, heap and runtime, as written by current runtimes.
    pub about: Option<[&'static str; 3]>,
    /// Declares this size for each object in the object table, from the first byte.
    pub claims: Option<u32>,
}

/// Type metadata, smaller than that of any device: positions in the first object are types.
const METADATA: &str = r#"{"type_enum": {"INVALID": 8, "LINE_STRING": 2, "JS_OBJECT": 3, "JS_WRAPPED_NAPI_OBJECT": 3,
"HCLASS": 8, "TAGGED_ARRAY": 1, "TAGGED_DICTIONARY": 1, "GLOBAL_ENV": 1, "JS_NATIVE_POINTER": 8},
"type_list": [
{"name": "TAGGED_OBJECT", "offsets": [], "end_offset": 8, "parents": []},
{"name": "ECMA_OBJECT", "offsets": [{"name": "HashField", "offset": 0, "size": 8}], "end_offset": 8, "parents": ["TAGGED_OBJECT"]},
{"name": "JS_OBJECT", "node_name": "JSObject", "offsets": [{"name": "Properties", "offset": 0, "size": 8}, {"name": "Elements", "offset": 8, "size": 8}], "end_offset": 16, "parents": ["ECMA_OBJECT"]},
{"name": "JS_WRAPPED_NAPI_OBJECT", "offsets": [{"name": "NativePointers", "offset": 0, "size": 8}], "end_offset": 8, "parents": ["JS_OBJECT"]},
{"name": "HCLASS", "node_name": "HiddenClass", "offsets": [{"name": "BitField", "offset": 0, "size": 4}, {"name": "BitField1", "offset": 4, "size": 4}, {"name": "Proto", "offset": 8, "size": 8}, {"name": "Layout", "offset": 16, "size": 8}], "end_offset": 24, "parents": ["TAGGED_OBJECT"]},
{"name": "TAGGED_ARRAY", "node_name": "ArkInternalArray", "offsets": [{"name": "Length", "offset": 0, "size": 4}, {"name": "Data", "offset": 8, "size": 8}], "end_offset": 0, "parents": ["TAGGED_OBJECT"], "visit_type": "Array"},
{"name": "TAGGED_DICTIONARY", "node_name": "ArkInternalDict", "offsets": [], "end_offset": 8, "parents": ["TAGGED_ARRAY"]},
{"name": "GLOBAL_ENV", "offsets": [], "end_offset": 8, "parents": ["TAGGED_ARRAY"]},
{"name": "JS_NATIVE_POINTER", "offsets": [{"name": "ExternalPointer", "offset": 0, "size": 8}, {"name": "BindingSize", "offset": 24, "size": 4}], "end_offset": 32, "parents": ["TAGGED_OBJECT"]}],
"type_layout": {"Dictionary_layout": {"key_index": 0, "value_index": 1, "detail_index": 2, "entry_size": 3, "header_size": 4},
"Type_range": {"string_first": "LINE_STRING", "string_last": "LINE_STRING", "js_object_first": "JS_OBJECT", "js_object_last": "JS_WRAPPED_NAPI_OBJECT"}},
"version": "1.0.0"}"#;

fn put32(out: &mut Vec<u8>, number: usize) {
    out.extend((number as u32).to_le_bytes());
}

impl Heap {
    /// Writes a memory image with addresses of eight bytes.
    pub fn addressed(&self) -> Vec<u8> {
        let mut memory = Vec::new();
        let mut items = Vec::new();
        let table = self.objects.len() * 24;
        for (index, object) in self.objects.iter().enumerate() {
            let at = self.claims.map_or(memory.len(), |_| 0);
            let bytes = object.characters.unwrap_or(8 + 8 * object.slots.len() as u32);
            items.extend(address(index).to_le_bytes());
            items.extend((u64::from(object.hash) << 32 | id(index)).to_le_bytes());
            put32(&mut items, self.claims.unwrap_or(bytes) as usize);
            put32(&mut items, table + at);
            memory.extend(address(object.class).to_le_bytes());
            for slot in object.slots.iter().filter(|_| object.characters.is_none()) {
                let bits = match *slot {
                    Slot::Ref(to) => address(to),
                    Slot::Weak(to) => address(to) | 1,
                    Slot::Int(number) => 0xffff << 48 | u64::from(number as u32),
                    Slot::Double(number) => number.to_bits() + (1 << 48),
                    Slot::Bits(bits) => bits,
                };
                memory.extend(bits.to_le_bytes());
            }
        }
        self.file(*b"1.0.0\0\0\0", &|index| address(index).to_le_bytes().to_vec(), &items, &memory)
    }

    /// Writes a file with synthetic addresses and memory as tokens.
    pub fn tokens(&self) -> Vec<u8> {
        let (mut memory, mut items) = (Vec::new(), Vec::new());
        for (index, object) in self.objects.iter().enumerate() {
            put32(&mut items, made_up(index) as usize);
            put32(&mut items, object.characters.unwrap_or(8 + 8 * object.slots.len() as u32) as usize);
            items.extend((u64::from(object.hash) << 32 | id(index)).to_le_bytes());
            put32(&mut items, object.native as usize);
            put32(&mut items, object.js as usize);
            memory.extend(made_up(object.class).to_le_bytes());
            for slot in object.slots.iter().filter(|_| object.characters.is_none()) {
                match *slot {
                    Slot::Ref(to) => memory.extend(made_up(to).to_le_bytes()),
                    Slot::Int(number) => {
                        memory.push(4);
                        memory.extend(number.to_le_bytes());
                    }
                    Slot::Weak(_) | Slot::Double(_) | Slot::Bits(_) => memory.push(0x22),
                }
            }
        }
        self.file(*b"2.0.0\0\0\0", &|index| made_up(index).to_le_bytes().to_vec(), &items, &memory)
    }

    fn file(&self, version: [u8; 8], of: &dyn Fn(usize) -> Vec<u8>, items: &[u8], memory: &[u8]) -> Vec<u8> {
        let mut out = version.to_vec();
        out.extend(1_234_567_890u64.to_le_bytes());
        for (text, bytes) in self.about.iter().flatten().zip([32, 16, 8]) {
            let end = out.len() + bytes;
            out.extend(text.as_bytes());
            out.resize(end, 0);
        }
        let mut sections = vec![out.len()];
        put32(&mut out, self.roots.len());
        put32(&mut out, of(0).len());
        self.roots.iter().for_each(|&root| out.extend(of(root)));
        sections.push(out.len() - sections[0]);
        for group in &self.groups {
            put32(&mut out, group.len());
            group.iter().for_each(|&root| out.extend(of(root)));
        }
        put32(&mut out, self.references.as_ref().map_or(u32::MAX as usize, Vec::len));
        for (at, object) in self.references.iter().flatten() {
            out.extend(at.to_le_bytes());
            out.extend(of(*object));
        }
        sections.push(out.len());
        let named = || self.objects.iter().enumerate().filter_map(|(index, object)| Some((index, object.name?)));
        put32(&mut out, named().count());
        put32(&mut out, 0);
        for (index, name) in named() {
            put32(&mut out, name.len());
            put32(&mut out, 1);
            out.extend(of(index));
            out.extend(name.as_bytes());
            out.push(0);
        }
        sections.push(out.len() - sections[2]);
        out.resize(out.len().next_multiple_of(8), 0);
        sections.push(out.len());
        put32(&mut out, self.objects.len());
        put32(&mut out, 24);
        out.extend(items);
        out.extend(memory);
        sections.push(out.len() - sections[4]);
        sections.iter().for_each(|&section| put32(&mut out, section));
        put32(&mut out, sections.len());
        put32(&mut out, 4);
        let body = out.len();
        out.extend(METADATA.as_bytes());
        put32(&mut out, body);
        put32(&mut out, METADATA.len());
        out
    }
}

/// Ids in the sequence of the runtime.
fn id(index: usize) -> u64 {
    2 * index as u64 + 3
}

/// Address of an object.
fn address(index: usize) -> u64 {
    0x1_0000_0000 + 0x1000 * index as u64
}

/// Region and offset.
fn made_up(index: usize) -> u32 {
    let region = index as u32 + 1;
    (8 * region) | (region << 17)
}
