//! Lines as IBM's HeapRoots prints them: the level, two blanks for each, the
//! total size between marks, then address, size and name as the dump has it.

use heaplens_analysis::ownership::listing::{Line, Mark};
use heaplens_base::Count;
use heaplens_heap::{Heap, IdStyle, ObjectId};

/// Maximum number of indented levels: a list of millions is as deep.
const INDENTED: u32 = 256;

/// Line format of a dump.
pub struct Style<'a> {
    heap: &'a Heap,
    /// True if arrays are named `array of X`, as in early text dumps, which do not distinguish primitive arrays
    /// further.
    says_array_of: bool,
}

impl<'a> Style<'a> {
    /// Line format for a dump.
    pub fn of(heap: &'a Heap) -> Self {
        Self { heap, says_array_of: heap.classes.named("primitive array").is_some() }
    }

    /// A line of a listing.
    pub fn line(&self, line: &Line) -> String {
        let indent = "  ".repeat(line.depth.min(INDENTED) as usize);
        let total = Count(line.total.0);
        let total = match line.mark {
            Mark::Owned => format!("[{total}]"),
            Mark::SameTree => format!("{{{total}}}"),
            Mark::OtherTree(root) => format!("<{total} root:{}>", self.id(root)),
        };
        let (id, size) = (self.id(line.object), Count(self.heap.shallow(line.object).0));
        format!("<{}> {indent}{total} {id} [{size}] {}", line.depth, self.name(line.object))
    }

    /// An address of 8 digits, of 64-bit machines 16.
    fn id(&self, object: ObjectId) -> String {
        let address = self.heap.address(object).0;
        match (self.heap.origin.ids, self.heap.origin.id_bytes) {
            (IdStyle::Number, _) => self.heap.id_text(object),
            (IdStyle::Address, 8) => format!("0x{address:016x}"),
            (IdStyle::Address, _) => format!("0x{address:08x}"),
        }
    }

    /// Name of an object in JVM notation: `java/lang/String`, `[C`, `class java/lang/String`.
    pub fn name(&self, object: ObjectId) -> String {
        let class = &self.heap.class(object).name;
        if self.heap.origin.ids == IdStyle::Number {
            return class.to_string();
        }
        match (self.heap.classes.of_object(object), class.strip_suffix("[]")) {
            (Some(class), _) => format!("class {}", internal_name(&self.heap.classes.get(class).name)),
            (None, Some(of)) if self.says_array_of => format!("array of {}", internal_name(of)),
            (None, _) => internal_name(class),
        }
    }
}

/// Class name in JVM notation.
fn internal_name(name: &str) -> String {
    let element = name.trim_end_matches("[]");
    let dimensions = (name.len() - element.len()) / 2;
    let inner = match element {
        _ if dimensions == 0 => element.replace('.', "/"),
        "boolean" => "Z".to_owned(),
        "char" => "C".to_owned(),
        "float" => "F".to_owned(),
        "double" => "D".to_owned(),
        "byte" => "B".to_owned(),
        "short" => "S".to_owned(),
        "int" => "I".to_owned(),
        "long" => "J".to_owned(),
        // Placeholder of a reader for an unknown class name.
        unnamed if unnamed.contains(' ') => unnamed.to_owned(),
        class => format!("L{};", class.replace('.', "/")),
    };
    "[".repeat(dimensions) + &inner
}

#[cfg(test)]
mod tests {
    use super::internal_name;

    #[test]
    fn names_are_those_of_the_jvm() {
        let of = ["java.lang.String", "char[]", "int[][]", "java.lang.Object[]", "K", "primitive array"];
        let names = ["java/lang/String", "[C", "[[I", "[Ljava/lang/Object;", "K", "primitive array"];
        assert_eq!(of.map(internal_name), names);
    }
}
