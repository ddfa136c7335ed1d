//! Records of the static runtime.

/// Value with its type.
#[derive(Debug, Clone, Copy)]
pub enum TypedValue {
    /// A truth value.
    Bool(u8),
    /// A unit of UTF-16.
    Char(u16),
    /// Numbers.
    Float(f32),
    /// 64 bits of them.
    Double(f64),
    /// Integer.
    Int(i32),
    /// 64 bits of them.
    Long(i64),
    /// A reference.
    Object(u32),
    /// Tagged value, as bits.
    Tagged(u64),
    /// Weak reference.
    Weak(u32),
}

impl TypedValue {
    fn put(self, out: &mut Vec<u8>) {
        match self {
            Self::Bool(value) => out.extend([1, value]),
            Self::Char(unit) => out.extend([&[2][..], &unit.to_le_bytes()].concat()),
            Self::Float(number) => out.extend([&[3][..], &number.to_le_bytes()].concat()),
            Self::Double(number) => out.extend([&[4][..], &number.to_le_bytes()].concat()),
            Self::Int(number) => out.extend([&[7][..], &number.to_le_bytes()].concat()),
            Self::Long(number) => out.extend([&[8][..], &number.to_le_bytes()].concat()),
            Self::Object(id) => out.extend([&[9][..], &id.to_le_bytes()].concat()),
            Self::Tagged(bits) => out.extend([&[11][..], &bits.to_le_bytes()].concat()),
            Self::Weak(id) => out.extend([&[12][..], &id.to_le_bytes()].concat()),
        }
    }
}

/// A file of records.
#[derive(Debug, Clone)]
pub struct Static(Vec<u8>);

fn words(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn values(of: &[TypedValue]) -> Vec<u8> {
    let mut out = Vec::new();
    of.iter().for_each(|value| value.put(&mut out));
    out
}

fn count(number: usize) -> [u8; 2] {
    (number as u16).to_le_bytes()
}

impl Static {
    /// Writes the header; `is_hybrid` if there is a second file of the dynamic runtime.
    pub fn begin(is_hybrid: bool) -> Self {
        let mut out = b"3.0.0\0\0\0".to_vec();
        out.extend(4u32.to_le_bytes());
        out.extend(99u64.to_le_bytes());
        out.push(1 + u8::from(is_hybrid));
        out.extend(words(&[33, 0, 0]));
        Self(out)
    }

    /// The bytes.
    pub fn bytes(&self) -> Vec<u8> {
        self.0.clone()
    }

    /// A record of items.
    pub fn record(&mut self, tag: u8, items: &[Vec<u8>]) -> &mut Self {
        let body = items.concat();
        self.0.push(tag);
        self.0.extend(1u64.to_le_bytes());
        self.0.extend(words(&[body.len() as u32, items.len() as u32]));
        self.0.extend(body);
        self
    }

    /// Strings, with ids from 1 on.
    pub fn strings(&mut self, texts: &[&str]) -> &mut Self {
        let item = |(id, text): (u32, &&str)| [words(&[id, text.len() as u32]), text.as_bytes().to_vec()].concat();
        let items: Vec<Vec<u8>> = (1..).zip(texts).map(item).collect();
        self.record(0x01, &items)
    }

    /// Names of classes: ids of class and string.
    pub fn names(&mut self, of: &[(u32, u32)]) -> &mut Self {
        let item = |&(class, name): &(u32, u32)| [words(&[1, class, 0, name]), vec![1, 0, 0, 0, 0]].concat();
        let items: Vec<Vec<u8>> = of.iter().map(item).collect();
        self.record(0x02, &items)
    }

    /// Adds a class: superclass, size of instances, names of static fields and their values, of fields, and of methods.
    pub fn class(
        &mut self,
        [id, above, size]: [u32; 3],
        statics: &[(u32, TypedValue)],
        fields: &[u32],
        methods: &[u32],
    ) -> &mut Self {
        let field = |name: u32| [words(&[name]), vec![9], words(&[0]), vec![0, 0]].concat();
        let of_class: Vec<TypedValue> = statics.iter().map(|&(_, value)| value).collect();
        let item = [
            words(&[id, 0, above, 0, size]),
            count(statics.len()).to_vec(),
            statics.iter().flat_map(|&(name, _)| field(name)).collect(),
            count(fields.len()).to_vec(),
            fields.iter().flat_map(|&name| field(name)).collect(),
            count(statics.len()).to_vec(),
            values(&of_class),
            count(methods.len()).to_vec(),
            words(methods),
        ];
        self.record(0x0b, &[item.concat()])
    }

    /// An instance: its id, class and size, and the values of its fields.
    pub fn instance(&mut self, [id, class, size]: [u32; 3], of: &[TypedValue]) -> &mut Self {
        self.record(0x14, &[[words(&[id, class, 0, size]), count(of.len()).to_vec(), values(of)].concat()])
    }

    /// An array: its id, class, size and length, the type of its elements, and those.
    pub fn array(&mut self, of: [u32; 4], kind: u8, elements: &[u8]) -> &mut Self {
        let [id, class, size, length] = of;
        self.record(0x15, &[[words(&[id, class, 0, size, length]), vec![kind], elements.to_vec()].concat()])
    }

    /// A text: its id, class and size.
    pub fn text(&mut self, [id, class, size]: [u32; 3], text: &str) -> &mut Self {
        self.record(0x16, &[[words(&[id, class, size, text.len() as u32]), text.as_bytes().to_vec()].concat()])
    }

    /// Roots.
    pub fn roots(&mut self, ids: &[u32]) -> &mut Self {
        let items: Vec<Vec<u8>> = ids.iter().map(|&id| [vec![0], words(&[id])].concat()).collect();
        self.record(0x10, &items)
    }

    /// Adds references between the runtimes: ids of both ends, and direction.
    pub fn crossings(&mut self, of: &[(u32, u32, u8)]) -> &mut Self {
        let item = |&(dynamic, fixed, direction): &(u32, u32, u8)| [words(&[dynamic, fixed]), vec![direction]].concat();
        let items: Vec<Vec<u8>> = of.iter().map(item).collect();
        self.record(0x30, &items)
    }

    /// Small heap with one of each structure. If it is hybrid, its other half is [`Heap::shop`].
    ///
    /// [`Heap::shop`]: super::Heap::shop
    pub fn shop(is_hybrid: bool) -> Self {
        use TypedValue::{Bool, Char, Double, Float, Int, Long, Object, Tagged, Weak};
        let mut file = Self::begin(is_hybrid);
        file.record(0xfe, &[vec![1, 2, 3]]);
        file.strings(&["Item", "Base", "next", "other", "superClass", "print", "Item[]", "std.core.String", "shared"]);
        // The class of an instance may come later.
        file.instance([20, 10, 32], &[Object(22), Weak(24), Object(12)]);
        file.instance([22, 10, 0], &[Object(0), Bool(1)]);
        file.instance([24, 98, 16], &[Object(20), Int(3), Weak(22), Object(0)]);
        // A class, as an instance of its own class.
        file.instance([10, 10, 64], &[Object(20), Int(5), Object(12)]);
        file.names(&[(10, 1), (12, 2), (14, 7), (16, 8)]);
        file.class([12, 0, 8], &[(9, Tagged(2)), (3, Weak(20))], &[], &[]);
        file.class([10, 12, 40], &[(9, Object(26))], &[3, 4, 5], &[6]);
        file.array([26, 14, 40, 3], 9, &words(&[20, 0, 22]));
        file.array([28, 14, 24, 2], 12, &words(&[22, 20]));
        let tagged = [Object(20), Weak(22), Long(-1), Tagged(0x0a), Double(0.25), Float(-1.5), Char(0xd83d)];
        file.array([30, 99, 90, 7], 11, &values(&tagged));
        file.array([32, 14, 16, 2], 6, &[7, 0, 0xff, 0xff]);
        file.text([34, 16, 30], "he\"llo 🐢");
        file.record(0x77, &[vec![9]]);
        file.roots(&[20, 10, 36]);
        if is_hybrid {
            file.crossings(&[(29, 20, 0), (35, 26, 1), (29, 34, 2), (9999, 20, 0)]);
        }
        file
    }
}
