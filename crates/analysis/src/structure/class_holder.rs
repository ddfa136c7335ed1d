//! Members of classes as the beginning of a name: of the Java virtual machine with all its languages, and of classes of
//! JavaScript.

use super::short_name::{Origin, ShortName};
use super::source;
use super::start::{Named, Start, Step, member_text};
use crate::answers::DumpData;
use crate::naming::{Namer, field, is_function_of_clojure, is_singleton, short_class};
use heaplens_heap::{ClassId, ObjectId, split_class};

/// Endings of the names of classes that are collections, whoever wrote them: the object that has one tells more.
const COLLECTIONS: [&str; 8] = ["Map", "Set", "List", "Queue", "Deque", "Table", "Bag", "Multimap"];
/// Class of the variables of Clojure, with the fields for its symbol and namespace, and those of both for the text.
const VARIABLE: &str = "clojure.lang.Var";
const SYMBOL: &str = "sym";
const NAMESPACE: &str = "ns";
const NAME: &str = "name";
/// Namespaces of Clojure itself.
const OF_CLOJURE: &str = "clojure.";
/// Behind the class that has a lambda expression: what it captured has no name in a dump.
const LAMBDA: &str = " lambda";

/// The field of an object or the static field of a class.
pub(super) fn of_fields(namer: Namer<'_>, (above, class): (ObjectId, ClassId), name: &str, origin: Origin) -> Named {
    let Namer { dump: DumpData { heap, contents, .. }, index } = namer;
    let row = heap.classes.get(class);
    let qualified_class = index.class(heap, class);
    let of_class = heap.classes.of_object(above).is_some();
    let in_source = row.made_at.and_then(|position| contents.source_location(position));
    let holder = in_source.as_ref().and_then(|source| source.name.clone());
    let texts = (holder.unwrap_or_else(|| short_class(heap, class)), qualified_class);
    let mut short = ShortName::of_itself(above, texts, origin);
    let mut step = member_text(namer, name);
    if of_class && is_singleton(&row.name, name) {
        // The object of Scala is known by its class.
        step = String::new();
    } else if heap.snapshot().is_some() {
        short.member.clone_from(&step);
    } else {
        let member = index.source_member(heap, class, name);
        if let Some(declared_by) = member.declared_by {
            let (package, simple) = split_class(&declared_by);
            (short.package, short.holder) = (package.to_owned(), simple.to_owned());
            short.qualified = declared_by;
        }
        step = field(&member.name);
        let of_clojure = is_function_of_clojure(heap, class);
        short.member = if of_clojure { format!(" {}", member.name) } else { plain_field(&member.name) };
    }
    short.qualified.push_str(&if heap.snapshot().is_some() { step.clone() } else { field(name) });
    if step.is_empty() {
        short.qualified = index.class(heap, class);
    }
    let script = || row.made_at.and_then(|position| contents.script_name(position.script));
    let script = in_source.map(|source| source.file).or_else(script);
    short.source = script.and_then(|path| source::package_of(&path));
    let step = Step { text: step, is_shown: origin == Origin::Application };
    let start = Start::new(short, step);
    let is_weak = COLLECTIONS.iter().any(|ending| row.name.ends_with(ending));
    let is_last = start.is_last || of_class;
    Named::start(Start { is_weak, is_last, ..start })
}

/// A field behind its class. Signs of Scala need no quotes.
fn plain_field(name: &str) -> String {
    let is_plain = !name.is_empty() && !name.contains([' ', '"', '.']) && name != "class";
    if is_plain && !name.starts_with('[') { format!(".{name}") } else { field(name) }
}

/// What a lambda expression captured: its class has no names for that.
pub(super) fn of_lambda(namer: Namer<'_>, above: ObjectId, class: ClassId) -> Named {
    let Namer { dump: DumpData { heap, .. }, index } = namer;
    if !index.is_application(class) {
        return Named::Nothing;
    }
    let qualified = index.class(heap, class);
    let mut name = ShortName::of_itself(above, (short_class(heap, class), qualified), Origin::Application);
    LAMBDA.clone_into(&mut name.member);
    let start = Start::new(name, Step { text: String::new(), is_shown: false });
    Named::start(Start { is_weak: true, is_last: false, ..start })
}

/// The name of a variable of Clojure: `my.ns/cache`.
pub(super) fn of_variable(namer: Namer<'_>, object: ObjectId) -> Option<ShortName> {
    let dump = namer.dump;
    if &*dump.heap.class(object).name != VARIABLE {
        return None;
    }
    let text = |symbol: ObjectId| dump.short_text(dump.field(symbol, NAME)?.object()?);
    let symbol = text(dump.field(object, SYMBOL)?.object()?)?;
    let namespace = dump.field(object, NAMESPACE)?.object()?;
    let namespace = text(dump.field(namespace, NAME)?.object()?)?;
    let origin = if namespace.starts_with(OF_CLOJURE) { Origin::Library } else { Origin::Application };
    let member = format!("/{symbol}");
    let qualified = format!("{namespace}{member}");
    let named = ShortName::of_itself(object, (namespace, qualified), origin);
    Some(ShortName { member, package: String::new(), ..named })
}
