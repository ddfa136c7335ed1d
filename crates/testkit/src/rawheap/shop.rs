//! Small heap with one of each structure.

use super::{Heap, Object, Slot};
use Slot::{Bits, Double, Int, Ref, Weak};

/// Types, by index in the metadata.
const STRING: u32 = 1;
const OBJECT: u32 = 2;
const WRAPPED: u32 = 3;
const CLASS: u32 = 4;
const ARRAY: u32 = 5;
const DICTIONARY: u32 = 6;
const ENVIRONMENT: u32 = 7;
const POINTER: u32 = 8;

const UNDEFINED: Slot = Bits(2);
const NULL: Slot = Bits(3);
const HOLE: Slot = Bits(5);

/// An object of a class.
fn object(class: usize, js: u32, slots: &[Slot]) -> Object {
    Object { class, js, name: None, hash: 0, native: 0, characters: None, slots: slots.to_vec() }
}

fn named(name: &'static str, of: Object) -> Object {
    Object { name: Some(name), ..of }
}

/// Hidden class for objects of a type: `count` properties as described by `layout`, `inside` of them in the object
/// after `words` words.
fn class(of: u32, layout: Slot, [count, words, inside]: [u64; 3]) -> Object {
    let bits = (words + inside) << 15 | words << 10 | count;
    object(0, CLASS, &[Bits(u64::from(of) | bits << 32), NULL, layout])
}

fn string(characters: u32) -> Object {
    Object { characters: Some(characters), ..object(1, STRING, &[]) }
}

fn array(values: &[Slot]) -> Object {
    let mut slots = vec![Bits(values.len() as u64)];
    slots.extend(values);
    object(3, ARRAY, &slots)
}

impl Heap {
    /// Objects with properties inside and outside, a dictionary, arrays, values of each kind, weak ones,
    /// native memory, a hash, all groups of roots, and a global reference.
    pub fn shop() -> Self {
        let none = [0, 4, 0];
        let objects = vec![
            class(CLASS, NULL, none),
            class(STRING, NULL, none),
            class(OBJECT, Ref(12), [3, 4, 2]),
            class(ARRAY, NULL, none),
            class(DICTIONARY, NULL, none),
            class(OBJECT, NULL, none),
            class(POINTER, NULL, none),
            class(ENVIRONMENT, NULL, none),
            class(WRAPPED, NULL, [0, 5, 0]),
            named("first", string(5)),
            named("se\"cond\nżółw", string(6)),
            // Key without its text.
            string(300),
            array(&[Ref(9), Bits(0x10), Ref(10), Bits(0x10), Ref(11), Bits(0)]),
            Object { hash: 99, ..named("Shop", object(2, OBJECT, &[Int(0), Ref(14), Ref(15), Int(7), Weak(16)])) },
            array(&[Double(1.5)]),
            array(&[Bits(7), HOLE, Ref(16), Weak(13), NULL, UNDEFINED, Bits(10), Bits(6), Int(7)]),
            named("Bag", object(5, OBJECT, &[Int(0), Ref(17), Ref(20)])),
            object(
                4,
                DICTIONARY,
                &[
                    Bits(13),
                    Int(3),
                    Int(0),
                    Int(3),
                    Int(0),
                    Ref(9),
                    Ref(13),
                    Int(0),
                    HOLE,
                    HOLE,
                    Int(0),
                    Ref(10),
                    Weak(18),
                    Int(0),
                ],
            ),
            Object { native: 4096, ..object(6, POINTER, &[Bits(0xdead_beef), Bits(0), Bits(0), Bits(4096)]) },
            object(8, WRAPPED, &[Int(0), Ref(20), Ref(20), Ref(21)]),
            array(&[]),
            array(&[Ref(18)]),
            named("app_GLOBAL", object(7, ENVIRONMENT, &[Ref(13), HOLE, Ref(22), Ref(19)])),
        ];
        Self {
            objects,
            roots: vec![22],
            groups: [vec![13], vec![16, 13], vec![], vec![18]],
            references: Some(vec![(0xaaa0, 16), (0xbbb0, 19)]),
            about: Some(["LocalSpace", "local heap", "dynamic"]),
            claims: None,
        }
    }
}
