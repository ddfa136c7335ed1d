//! Textual notation for small heaps.
//!
//! ```text
//! # A cart that is kept by a static of its class
//! class shop.Item
//!   field price: int
//! class shop.Cart extends shop.Item by loader
//!   field lines: object
//!   static current: object = cart
//! loader = java.lang.ClassLoader
//! cart = shop.Cart lines=items price=3
//! items = java.lang.Object[] cart null note shop.Item
//! note@0x7000 = "text of a string"
//! numbers = int[] 1 -2 3
//! root cart thread 1 trace 2
//! root items frame 1 0
//! root shop.Cart class
//! trace 2 thread 1
//!   frame shop.Cart.add (I)V Cart.java 17
//! ```
//!
//! Objects have labels; a class is also named by its name. Omitted fields are zero. Classes that are used but not
//! declared (`Object`, `Class`, `String`, arrays) are added. `strings as chars` before the first string gives strings
//! the `char[]` of JDK 8 instead of `byte[]` and `coder`.

use std::collections::BTreeMap;

use super::sketch::{AddressAllocator, Body, Class, Frame, Id, Object, RootRecord, Sketch, Trace, Type, Value};

/// Parses the heap described by `text`.
///
/// # Errors
/// Description of the first invalid line.
pub fn read(text: &str) -> Result<Sketch, String> {
    let lines: Vec<Vec<String>> = text.lines().map(words).filter(|words| !words.is_empty()).collect();
    let chars = lines.iter().any(|line| line.join(" ") == "strings as chars");
    let mut reader =
        Reader { sketch: Sketch::default(), space: AddressAllocator::new(0xe000_0000, 8), chars, class: None };
    // Names first, so that everything can refer to everything.
    reader.declare_names(&lines);
    for step in [Reader::declare_fields, Reader::declare_object, Reader::fill] {
        for line in &lines {
            let parts: Vec<&str> = line.iter().map(String::as_str).collect();
            step(&mut reader, &parts).map_err(|why| format!("{why}, in \"{}\"", line.join(" ")))?;
        }
    }
    Ok(reader.sketch)
}

/// Words of a line; a quoted string is one word that keeps its opening quote.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = line.trim();
    while !rest.is_empty() && !rest.starts_with('#') {
        let end = match rest.strip_prefix('"') {
            Some(quoted) => quoted.find('"').map_or(rest.len(), |end| end + 1),
            None => rest.find(char::is_whitespace).unwrap_or(rest.len()),
        };
        words.push(rest[..end].to_owned());
        rest = rest[end..].trim_start_matches('"').trim_start();
    }
    words
}

struct Reader {
    sketch: Sketch,
    space: AddressAllocator,
    /// True if strings have a `char[]`.
    chars: bool,
    /// Class whose fields and statics are being listed.
    class: Option<usize>,
}

impl Reader {
    fn declare_names(&mut self, lines: &[Vec<String>]) {
        let array = if self.chars { "char[]" } else { "byte[]" };
        let mut names = vec!["java.lang.Object", "java.lang.Class", "java.lang.String", array];
        for line in lines {
            match line.iter().map(String::as_str).collect::<Vec<_>>()[..] {
                ["class", name, ..] => names.push(name),
                [_, "=", class, ..] if !class.starts_with('"') => names.push(class),
                _ => {}
            }
        }
        for name in names {
            if self.sketch.class_named(name).is_none() {
                let superclass = self.sketch.class_named("java.lang.Object").map_or(0, |object| object.id);
                let id = self.space.take(96);
                self.sketch.classes.push(Class { id, name: name.to_owned(), superclass, ..Class::default() });
            }
        }
        let coder = if self.chars { None } else { Some(("coder", Type::Byte)) };
        let fields = [Some(("value", Type::Object)), coder, Some(("hash", Type::Int))].into_iter().flatten();
        if let Some(string) = self.sketch.classes.iter_mut().find(|class| class.name == "java.lang.String") {
            string.fields = fields.map(|(name, kind)| (name.to_owned(), kind)).collect();
        }
    }

    fn declare_fields(&mut self, line: &[&str]) -> Result<(), String> {
        match *line {
            ["class", name, ref more @ ..] => {
                let at = self.class_at(name)?;
                self.class = Some(at);
                if let ["extends", superclass, ..] = more {
                    self.sketch.classes[at].superclass = self.id(superclass)?;
                }
            }
            ["field", name, kind] => {
                let (name, kind) = (name.trim_end_matches(':').to_owned(), type_named(kind)?);
                self.current_class()?.fields.push((name, kind));
            }
            _ => {}
        }
        Ok(())
    }

    fn current_class(&mut self) -> Result<&mut Class, String> {
        let at = self.class.ok_or("there is no class above this")?;
        Ok(&mut self.sketch.classes[at])
    }

    fn class_at(&self, name: &str) -> Result<usize, String> {
        let index = self.sketch.classes.iter().position(|class| class.name == name);
        index.ok_or_else(|| format!("no class {name}"))
    }

    /// Assigns label and address to every object.
    fn declare_object(&mut self, line: &[&str]) -> Result<(), String> {
        let [label, "=", what, more @ ..] = line else { return Ok(()) };
        let bytes = match what.strip_prefix('"') {
            Some(text) => 24 + 16 + 2 * text.encode_utf16().count() as u64,
            None => 16 + 8 * (more.len() as u64).max(self.fields_of(what)?.len() as u64),
        };
        let (label, id) = match label.split_once('@') {
            Some((label, at)) => (label, number(at)?),
            None => (*label, self.space.take(bytes)),
        };
        match self.sketch.labels.insert(label.to_owned(), id) {
            Some(_) => Err(format!("{label} is there twice")),
            None => Ok(()),
        }
    }

    fn fields_of(&self, class: &str) -> Result<Vec<(String, Type)>, String> {
        let class = self.sketch.classes[self.class_at(class)?].id;
        Ok(self.sketch.line_of(class).into_iter().flat_map(|class| class.fields.clone()).collect())
    }

    fn fill(&mut self, line: &[&str]) -> Result<(), String> {
        match *line {
            ["strings", "as", "chars"] | ["field", ..] => {}
            ["class", name, ref more @ ..] => {
                self.class = Some(self.class_at(name)?);
                if let [.., "by", loader] = more {
                    let loader = self.id(loader)?;
                    self.current_class()?.loader = loader;
                }
            }
            ["static", name, kind, "=", value] => {
                let value = self.value(type_named(kind)?, value)?;
                self.current_class()?.statics.push((name.trim_end_matches(':').to_owned(), value));
            }
            [label, "=", what, ref more @ ..] => {
                let id = self.sketch.labels[label.split('@').next().unwrap_or(label)];
                self.object(id, what, more)?;
            }
            ["root", object, ref why @ ..] => {
                let (object, why) = (self.id(object)?, root(why)?);
                self.sketch.roots.push((object, why));
            }
            ["trace", trace, "thread", thread] => {
                let (number, thread) = (number(trace)?, number(thread)?);
                self.sketch.traces.push(Trace { number, thread, frames: Vec::new() });
            }
            ["frame", method, signature, source, line] => {
                let (class, method) = method.rsplit_once('.').ok_or("a method has a class before its dot")?;
                let frame = Frame {
                    method: method.to_owned(),
                    signature: signature.to_owned(),
                    source: source.to_owned(),
                    class: self.id(class)?,
                    line: number(line)?,
                };
                self.sketch.traces.last_mut().ok_or("a frame before every trace")?.frames.push(frame);
            }
            _ => return Err("this says nothing".to_owned()),
        }
        Ok(())
    }

    fn object(&mut self, id: Id, what: &str, more: &[&str]) -> Result<(), String> {
        if let Some(text) = what.strip_prefix('"') {
            self.sketch.objects.extend(string(&self.sketch, id, text, self.chars));
            return Ok(());
        }
        let class = self.id(what)?;
        let body = match what.strip_suffix("[]") {
            None => {
                let given = more.iter().map(|field| field.split_once('=').ok_or(format!("{field} is no field=value")));
                let given = given.collect::<Result<BTreeMap<_, _>, _>>()?;
                let fields = self.fields_of(what)?;
                if let Some(stranger) = given.keys().find(|name| !fields.iter().any(|(field, _)| field == *name)) {
                    return Err(format!("{what} has no field {stranger}"));
                }
                let value = |(name, kind): (String, Type)| self.value(kind, given.get(name.as_str()).unwrap_or(&"0"));
                Body::Instance { class, fields: fields.into_iter().map(value).collect::<Result<_, _>>()? }
            }
            Some(element) => {
                if let Some(kind) = Type::named(element) {
                    let elements = more.iter().map(|value| self.value(kind, value)).collect::<Result<_, _>>()?;
                    Body::Primitives { kind, elements }
                } else {
                    let elements = more.iter().map(|label| self.id(label)).collect::<Result<_, _>>()?;
                    Body::Objects { class, elements }
                }
            }
        };
        self.sketch.objects.push(Object { id, body });
        Ok(())
    }

    fn id(&self, name: &str) -> Result<Id, String> {
        if name == "null" || name.starts_with(|c: char| c.is_ascii_digit()) {
            return if name == "null" { Ok(0) } else { number(name) };
        }
        let class = || self.sketch.class_named(name).map(|class| class.id);
        self.sketch.labels.get(name).copied().or_else(class).ok_or_else(|| format!("nothing is called {name}"))
    }

    fn value(&self, kind: Type, text: &str) -> Result<Value, String> {
        let float = || text.parse::<f64>().map_err(|error| format!("{text}: {error}"));
        Ok(match kind {
            Type::Object => Value::Object(self.id(text)?),
            Type::Boolean => Value::Boolean(text == "true"),
            Type::Char => Value::Char(number(text)?),
            Type::Float => Value::Float(float()? as f32),
            Type::Double => Value::Double(float()?),
            Type::Byte => Value::Byte(number(text)?),
            Type::Short => Value::Short(number(text)?),
            Type::Int => Value::Int(number(text)?),
            Type::Long => Value::Long(number(text)?),
        })
    }
}

/// Adds a string and its array: Latin-1 bytes or native UTF-16 by `coder`, or `char[]`.
pub fn string(sketch: &Sketch, id: Id, text: &str, chars: bool) -> [Object; 2] {
    let class = sketch.id("java.lang.String");
    let units: Vec<u16> = text.encode_utf16().collect();
    let wide = units.iter().any(|&unit| unit > 0xff);
    let byte = |byte: u8| Value::Byte(byte.cast_signed());
    let (kind, elements) = match (chars, wide) {
        (true, _) => (Type::Char, units.iter().map(|&unit| Value::Char(unit)).collect()),
        (false, true) => (Type::Byte, units.iter().flat_map(|unit| unit.to_le_bytes()).map(byte).collect()),
        (false, false) => (Type::Byte, units.iter().map(|&unit| byte(unit as u8)).collect()),
    };
    let array = Object { id: id + 24, body: Body::Primitives { kind, elements } };
    let mut fields = vec![Value::Object(array.id), Value::Int(0)];
    if !chars {
        fields.insert(1, Value::Byte(i8::from(wide)));
    }
    [Object { id, body: Body::Instance { class, fields } }, array]
}

fn type_named(name: &str) -> Result<Type, String> {
    Type::named(name).ok_or_else(|| format!("{name} is no type"))
}

/// Parses digits, `-` digits, or `0x…` as a number of the required type.
fn number<T: TryFrom<i64>>(text: &str) -> Result<T, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(hex) => i64::from_str_radix(hex, 16),
        None => text.parse(),
    };
    let parsed = parsed.map_err(|error| format!("{text}: {error}"))?;
    T::try_from(parsed).ok().ok_or_else(|| format!("{text} does not fit"))
}

fn root(why: &[&str]) -> Result<RootRecord, String> {
    let n = number;
    Ok(match *why {
        [] => RootRecord::Unknown,
        ["global"] => RootRecord::JniGlobal,
        ["local", thread, frame] => RootRecord::JniLocal { thread: n(thread)?, frame: n(frame)? },
        ["frame", thread, frame] => RootRecord::JavaFrame { thread: n(thread)?, frame: n(frame)? },
        ["native", thread] => RootRecord::NativeStack { thread: n(thread)? },
        ["class"] => RootRecord::StickyClass,
        ["block", thread] => RootRecord::ThreadBlock { thread: n(thread)? },
        ["monitor"] => RootRecord::MonitorUsed,
        ["thread", thread] => RootRecord::Thread { thread: n(thread)?, trace: 0 },
        ["thread", thread, "trace", trace] => RootRecord::Thread { thread: n(thread)?, trace: n(trace)? },
        _ => return Err("this is no kind of root".to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cart_is_read() {
        let sketch = read(
            "class shop.Item
               field price: int
             class shop.Cart extends shop.Item by loader
               field lines: object
               static current: object = cart
             loader = java.lang.ClassLoader   # a comment
             cart = shop.Cart lines=items price=3
             items = java.lang.Object[] cart null note shop.Item
             note@0x7000 = \"two words\"
             root cart thread 1 trace 2
             trace 2 thread 1
               frame shop.Cart.add (I)V Cart.java 17",
        )
        .expect("a heap");
        let cart = sketch.class_named("shop.Cart").expect("declared");
        assert_eq!(cart.loader, sketch.id("loader"));
        assert_eq!(cart.statics, [("current".to_owned(), Value::Object(sketch.id("cart")))]);
        let body = |label: &str| &sketch.objects.iter().find(|o| o.id == sketch.id(label)).expect("there").body;
        let fields = vec![Value::Object(sketch.id("items")), Value::Int(3)];
        assert_eq!(*body("cart"), Body::Instance { class: cart.id, fields });
        let elements = vec![sketch.id("cart"), 0, 0x7000, sketch.id("shop.Item")];
        assert_eq!(*body("items"), Body::Objects { class: sketch.id("java.lang.Object[]"), elements });
        assert_eq!(sketch.roots, [(sketch.id("cart"), RootRecord::Thread { thread: 1, trace: 2 })]);
        assert_eq!(sketch.traces[0].frames[0].line, 17);
    }

    #[test]
    fn malformed_notation_is_named() {
        for (text, why) in [
            ("a = Foo x=1", "Foo has no field x, in \"a = Foo x=1\""),
            ("hello", "this says nothing, in \"hello\""),
            ("root nobody", "nothing is called nobody, in \"root nobody\""),
            ("a = int[] 1\na = int[] 2", "a is there twice, in \"a = int[] 2\""),
            ("field x: int", "there is no class above this, in \"field x: int\""),
        ] {
            assert_eq!(read(text).err().as_deref(), Some(why));
        }
    }
}
