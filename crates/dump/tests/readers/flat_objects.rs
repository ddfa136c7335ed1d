//! Value objects that are stored in their holders (JEP 401): a dump written as HotSpot's dumper writes it, with objects
//! laid out as HotSpot lays them out.

use heaplens_dump::{Dump, OpenOptions};
use heaplens_heap::{Address, NoteTopic, ObjectId};
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::sketch::{AddressAllocator, Body, Class, Id, Object, RootRecord, Sketch, Type, Value};

/// Numbers of flat objects: those of addresses are left out.
struct Numbers(Id);

impl Numbers {
    fn take(&mut self) -> Id {
        self.0 += if (self.0 + 1).is_multiple_of(8) { 2 } else { 1 };
        self.0
    }
}

struct Made {
    sketch: Sketch,
    addresses: AddressAllocator,
    numbers: Numbers,
}

impl Made {
    fn class(&mut self, name: &str, fields: &[(&str, Type)]) -> Id {
        let id = self.addresses.take(128);
        let fields = fields.iter().map(|&(field, kind)| (field.to_owned(), kind)).collect();
        let superclass = self.sketch.class_named("java.lang.Object").map_or(0, |class| class.id);
        self.sketch.classes.push(Class { id, name: name.to_owned(), superclass, fields, ..Class::default() });
        id
    }

    /// An object at an address, of this true size.
    fn object(&mut self, size: u64, body: Body) -> Id {
        let id = self.addresses.take(size);
        self.sketch.objects.push(Object { id, body });
        self.sketch.roots.push((id, RootRecord::Unknown));
        id
    }

    /// The record of a flat object: it follows that of its holder.
    fn flat(&mut self, id: Id, class: Id, fields: Vec<Value>) {
        self.sketch.objects.push(Object { id, body: Body::Instance { class, fields } });
    }
}

/// Ids of what the tests look at.
struct Ids {
    item: Id,
    price: Id,
    label: Id,
    prices: Id,
    first: Id,
    nested: Id,
}

fn made() -> (Vec<u8>, Ids) {
    let addresses = AddressAllocator::new(0x7000_0000, 8);
    let mut made = Made { sketch: Sketch::default(), addresses, numbers: Numbers(0) };
    made.class("java.lang.Object", &[]);
    made.class("java.lang.Class", &[("cachedConstructor", Type::Object), ("classData", Type::Object)]);
    made.class("int[]", &[]);
    // 6 bytes and one for null: 8.
    let money = made.class("shop.Money", &[("cents", Type::Int), ("currency", Type::Short)]);
    // 1 byte and one for null: 2.
    let flag = made.class("shop.Flag", &[("on", Type::Boolean)]);
    // A flag of 2 bytes, 1 byte, and one for null: 4.
    let state = made.class("shop.State", &[("flag", Type::Object), ("level", Type::Byte)]);
    let item = made.class("shop.Item", &[("price", Type::Object), ("label", Type::Object), ("count", Type::Int)]);
    let order = made.class("shop.Order", &[("state", Type::Object), ("paid", Type::Object), ("time", Type::Long)]);
    let array = made.class("shop.Money[]", &[]);
    let mut ids = Ids { item: 0, price: 0, label: 0, prices: 0, first: 0, nested: 0 };
    for nth in 0..40_i32 {
        // Header and length: 16 bytes.
        let elements = vec![Value::Int(nth); nth as usize];
        ids.label = made.object(16 + 4 * nth as u64, Body::Primitives { kind: Type::Int, elements });
    }
    for nth in 0..30_i32 {
        // Header 12, count 4, price 8, label 4: 28, up to 32. Some prices are null.
        let price = if nth % 5 == 4 { 0 } else { made.numbers.take() };
        let fields = vec![Value::Object(price), Value::Object(ids.label), Value::Int(nth)];
        let id = made.object(32, Body::Instance { class: item, fields });
        if price != 0 {
            (ids.item, ids.price) = (id, price);
            made.flat(price, money, vec![Value::Int(100), Value::Short(1)]);
        }
    }
    for _ in 0..20 {
        // Header 12, state 4, time 8, paid 2: 26, up to 32.
        let (state_id, paid) = (made.numbers.take(), made.numbers.take());
        let nested = made.numbers.take();
        let fields = vec![Value::Object(state_id), Value::Object(paid), Value::Long(7)];
        made.object(32, Body::Instance { class: order, fields });
        made.flat(state_id, state, vec![Value::Object(nested), Value::Byte(2)]);
        made.flat(paid, flag, vec![Value::Boolean(true)]);
        made.flat(nested, flag, vec![Value::Boolean(false)]);
        ids.nested = nested;
    }
    for length in 1..9 {
        let numbers: Vec<Id> = (0..length).map(|_| made.numbers.take()).collect();
        ids.prices = made.object(16 + 8 * length, Body::Objects { class: array, elements: numbers.clone() });
        ids.first = numbers[0];
        numbers.into_iter().for_each(|id| made.flat(id, money, vec![Value::Int(5), Value::Short(2)]));
    }
    (write(&made.sketch, Form::MODERN), ids)
}

fn at(dump: &Dump, id: Id) -> ObjectId {
    dump.facts.heap.at(Address(id)).unwrap_or_else(|| panic!("no object {id:#x}"))
}

#[test]
fn holders_have_their_true_sizes_and_value_objects_none() {
    let (bytes, ids) = made();
    let dump = crate::open_bytes(&bytes, &OpenOptions::default());
    let heap = &dump.facts.heap;
    let layout = heap.notes.iter().find(|note| note.topic == NoteTopic::MeasuredLayout).map(|note| &note.message);
    assert!(layout.is_some_and(|layout| layout.contains("matches")), "{layout:?}");
    for object in heap.objects() {
        let expected = match &*heap.class(object).name {
            "shop.Item" | "shop.Order" => 32,
            "shop.Money" | "shop.Flag" | "shop.State" => 0,
            _ => continue,
        };
        assert_eq!(heap.shallow(object).0, expected, "{}", heap.class(object).name);
    }
    assert_eq!(heap.shallow(at(&dump, ids.prices)).0, 16 + 8 * 8);
    let note = heap.notes.iter().find(|note| note.message.contains("stored in their holders")).expect("a note");
    assert_eq!(note.count, 24 + 60 + 36);
}

#[test]
fn value_objects_are_inside_their_holders() {
    let (bytes, ids) = made();
    let dump = crate::open_bytes(&bytes, &OpenOptions::default());
    let (heap, contents) = (&dump.facts.heap, &dump.facts.contents);
    assert_eq!(dump.analysis.immediate_dominator(at(&dump, ids.price)), Some(at(&dump, ids.item)));
    assert_eq!(dump.analysis.immediate_dominator(at(&dump, ids.first)), Some(at(&dump, ids.prices)));
    let state = dump.analysis.immediate_dominator(at(&dump, ids.nested)).expect("its holder");
    assert_eq!(&*heap.class(state).name, "shop.State");
    let fields = contents.fields(heap, at(&dump, ids.price)).expect("fields");
    let fields: Vec<String> = fields.iter().map(|field| format!("{}={}", field.name, field.value)).collect();
    assert_eq!(fields, ["cents=100", "currency=1"]);
    let name = contents.reference_names(heap, at(&dump, ids.item), at(&dump, ids.price), 1)[0].text.clone();
    assert_eq!(name, "price");
}
