//! The lines of a javacore.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Frame, Javacore, Loader, Thread};
use crate::class_names::of_class_file;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::threads::DumpCause;

/// Number of lines in which a javacore must be recognizable.
const FIRST: usize = 200;

impl Javacore<u64> {
    /// Parses a text; `None` if it is not a javacore.
    pub(crate) fn read(text: &[u8], task: &Task) -> Result<Option<Self>, Cancelled> {
        let text = String::from_utf8_lossy(text);
        let is_known = |line: &str| line.starts_with("0SECTION") || line.starts_with("1TISIGINFO");
        if !text.lines().take(FIRST).any(is_known) {
            return Ok(None);
        }
        let mut javacore =
            Self { threads: Vec::new(), monitors: Vec::new(), loaders: Vec::new(), cause: None, current: None };
        let mut current_is_next = false;
        // The thread that requested the dump is listed twice: first separately, then among all.
        let mut goes_on = false;
        for (number_of_line, line) in text.lines().enumerate() {
            task.checkpoint_at(number_of_line)?;
            let (tag, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let rest = rest.trim();
            match tag {
                "1TISIGINFO" => javacore.cause = javacore.cause.take().or_else(|| cause(rest)),
                "1XMCURTHDINFO" => current_is_next = true,
                "3XMTHREADINFO" => {
                    let thread = thread(rest);
                    if std::mem::take(&mut current_is_next) {
                        javacore.current = thread.as_ref().and_then(|thread| thread.native);
                    }
                    goes_on = thread.is_some();
                    javacore.threads.extend(thread);
                }
                "3XMJAVALTHREAD" if goes_on => {
                    if let Some(thread) = javacore.threads.last_mut() {
                        thread.id = after(rest, "getId:0x").and_then(|id| i64::from_str_radix(word(id), 16).ok());
                        thread.daemon = after(rest, "isDaemon:").and_then(|yes| word(yes).parse().ok());
                    }
                }
                "4XESTACKTRACE" if goes_on => {
                    if let (Some(thread), Some(frame)) = (javacore.threads.last_mut(), rest.strip_prefix("at ")) {
                        thread.frames.push(Frame { text: frame_text(frame), locks: Vec::new() });
                    }
                }
                "5XESTACKTRACE" if goes_on => {
                    let frame = javacore.threads.last_mut().and_then(|thread| thread.frames.last_mut());
                    if let (Some(frame), Some(lock)) = (frame, after(rest, "entered lock: ")) {
                        frame.locks.extend(after(lock, "@0x").and_then(number));
                    }
                }
                "3LKMONOBJECT" if !rest.contains("<unowned>") => {
                    javacore.monitors.extend(after(rest, "@0x").and_then(number));
                }
                "2CLTEXTCLLOADER" | "2CLTEXTCLLOAD" => javacore.loaders.extend(loader(rest)),
                "3CLTEXTCLASS" => {
                    if let (Some(loader), Some((name, _))) = (javacore.loaders.last_mut(), rest.split_once('(')) {
                        loader.classes.push(of_class_file(name));
                    }
                }
                _ => {}
            }
        }
        javacore.drop_repeated();
        Ok(Some(javacore))
    }

    /// Removes duplicates: keeps the entry of a thread with the longer stack, and that of a loader with classes.
    fn drop_repeated(&mut self) {
        let mut threads: Vec<Thread<u64>> = Vec::new();
        let mut known = FxHashMap::default();
        for thread in self.threads.drain(..) {
            let at = thread.native.map(|native| *known.entry(native).or_insert(threads.len()));
            match at.and_then(|at| threads.get_mut(at)) {
                Some(before) if before.frames.len() < thread.frames.len() => *before = thread,
                Some(_) => {}
                None => threads.push(thread),
            }
        }
        self.threads = threads;
        // Loaders are also listed twice: in a summary, then with their classes.
        let with_classes = self.loaders.iter().filter(|loader| !loader.classes.is_empty());
        let named: FxHashSet<Option<u64>> = with_classes.map(|loader| loader.object).collect();
        let mut seen = FxHashSet::default();
        self.loaders.retain(|loader| {
            !loader.classes.is_empty() || !named.contains(&loader.object) && seen.insert(loader.object)
        });
    }
}

/// `Dump Event "systhrow" (00040000) Detail "java/lang/OutOfMemoryError" "Java heap space" received`
fn cause(rest: &str) -> Option<DumpCause> {
    let mut quoted = after(rest, "Detail \"")?.split('"');
    let class = of_class_file(quoted.next()?);
    let message = quoted.nth(1).map(str::to_owned).filter(|message| !message.is_empty());
    Some(DumpCause { class, message })
}

/// `"main" J9VMThread:0x2D00500, …, java/lang/Thread:0xFFB23D90, state:R, prio=5`
fn thread(rest: &str) -> Option<Thread<u64>> {
    let (name, rest_of_line) = rest.strip_prefix('"')?.rsplit_once('"')?;
    Some(Thread {
        name: name.to_owned(),
        native: after(rest_of_line, "J9VMThread:0x").or_else(|| after(rest_of_line, "TID:0x")).and_then(number),
        object: after(rest_of_line, "java/lang/Thread:0x").and_then(number).filter(|&object| object != 0),
        state: after(rest_of_line, "state:").map(word).unwrap_or_default().to_owned(),
        priority: after(rest_of_line, "prio=").and_then(|priority| word(priority).parse().ok()),
        daemon: None,
        id: None,
        frames: Vec::new(),
    })
}

/// `p---st-- Loader *System*(0xFFB03EE8), Parent *none*(0x0)`
fn loader(rest: &str) -> Option<Loader<u64>> {
    let (name, address) = after(rest, "Loader ")?.split_once("(0x")?;
    Some(Loader {
        is_bootstrap: name == "*System*",
        object: number(address).filter(|&object| object != 0),
        classes: Vec::new(),
    })
}

/// `java.io.FileInputStream.read(FileInputStream.java:272)` of `java/io/FileInputStream.read(FileInputStream.java:272(Compiled Code))`
fn frame_text(frame: &str) -> String {
    let (method, source) = frame.split_once('(').unwrap_or((frame, ""));
    let source = source.replace("(Compiled Code)", "");
    format!("{}({}", method.replace('/', "."), source)
}

fn after<'a>(text: &'a str, words: &str) -> Option<&'a str> {
    text.split_once(words).map(|(_, rest)| rest)
}

/// Text up to a delimiter of such lines.
fn word(text: &str) -> &str {
    text.split([',', ' ', ')', ':']).next().unwrap_or(text)
}

/// Hexadecimal number at the beginning of a text.
fn number(text: &str) -> Option<u64> {
    let end = text.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(text.len());
    u64::from_str_radix(text.get(..end)?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::super::ThreadTable;
    use super::*;
    use heaplens_heap::ObjectId;

    const TEXT: &str = "0SECTION       TITLE subcomponent dump routine\r
3LKMONOBJECT       java/util/TaskQueue@0x00000000FFC5AE60: <unowned>\r
3LKMONOBJECT       shop/Queue@0x10: owner \"main\" (J9VMThread:0x1), entry count 1\r
3XMTHREADINFO      Anonymous native thread\r
4XESTACKTRACE                at not/A.thread(Native Method)\r
3XMTHREADINFO      \"a \"quoted\" name\" J9VMThread:0x1, java/lang/Thread:0x20, state:CW, prio=7\r
3XMJAVALTHREAD            (java/lang/Thread getId:0x14, isDaemon:true)\r
4XESTACKTRACE                at shop/Cart.add(Cart.java:17(Compiled Code))\r
5XESTACKTRACE                   (entered lock: shop/Cart@0x00000030, entry count: 1)\r
4XESTACKTRACE                at shop/Main.main(Native Method)\r
3XMTHREADINFO      \"old\" TID:0x01F58F00, j9thread_t:0x026E0704, state:R, prio=10\r
2CLTEXTCLLOADER\t\tp---st-- Loader *System*(0x40)\r
2CLTEXTCLLOADER\t\t-----ta- Loader shop/Loader(0x50), Parent *none*(0x0)\r
2CLTEXTCLLOAD  \t\tLoader *System*(0x40)\r
3CLTEXTCLASS   \t\t\tjava/lang/String(0x99)\r
2CLTEXTCLLOAD  \t\tLoader shop/Loader(0x50)\r
3CLTEXTCLASS   \t\t\t[Lshop/Cart;(0x98)\r
";

    fn javacore(text: &str) -> Javacore<u64> {
        Javacore::read(text.as_bytes(), &Task::new()).expect("nobody cancels").expect("a javacore")
    }

    #[test]
    fn the_event_and_its_thread_are_read() {
        let event = "1TISIGINFO     Dump Event \"systhrow\" (00040000) Detail \"java/lang/OutOfMemoryError\" \"Java heap space\" received";
        let current = "1XMCURTHDINFO  Current thread\n3XMTHREADINFO      \"main\" J9VMThread:0x7, java/lang/Thread:0x20, state:R, prio=5";
        let other = "3XMTHREADINFO      \"other\" J9VMThread:0x8, java/lang/Thread:0x28, state:R, prio=5";
        let read = javacore(&[event, current, other].join("\n"));
        let message = Some("Java heap space".to_owned());
        assert_eq!(read.cause, Some(DumpCause { class: "java.lang.OutOfMemoryError".to_owned(), message }));
        assert_eq!((read.current, read.threads.len()), (Some(7), 2));
        let owners = ThreadTable::from(read.of_heap(|id| ObjectId::from_raw(id as u32)).expect("of the heap")).owners();
        assert_eq!(owners.iter().map(|owner| owner.out_of_memory).collect::<Vec<_>>(), [true, false]);
        assert_eq!(
            javacore("0SECTION       TITLE\n1TISIGINFO     Dump Event \"user\" (00004000) received").cause,
            None
        );
    }

    #[test]
    fn threads_stacks_monitors_and_loaders() {
        let read = javacore(TEXT);
        assert_eq!(read.monitors, [0x10]);
        let [quoted, old] = &read.threads[..] else { panic!("{:?}", read.threads) };
        assert_eq!((&*quoted.name, quoted.object, &*quoted.state), ("a \"quoted\" name", Some(0x20), "CW"));
        assert_eq!((quoted.priority, quoted.daemon, quoted.id), (Some(7), Some(true), Some(20)));
        let frames: Vec<_> = quoted.frames.iter().map(|frame| (&*frame.text, &frame.locks[..])).collect();
        assert_eq!(frames, [("shop.Cart.add(Cart.java:17)", &[0x30][..]), ("shop.Main.main(Native Method)", &[])]);
        assert_eq!((old.object, old.frames.len()), (None, 0));
        let loaders: Vec<_> = read.loaders.iter().map(|l| (l.is_bootstrap, l.object, l.classes.join(" "))).collect();
        let expected = [(true, Some(0x40), "java.lang.String"), (false, Some(0x50), "shop.Cart[]")];
        assert_eq!(loaders, expected.map(|(is, object, classes)| (is, object, classes.to_owned())));
        assert_eq!(Javacore::read(b"a text of another kind", &Task::new()), Ok(None));
    }

    #[test]
    fn one_of_another_process_is_refused() {
        let read = || javacore(TEXT);
        assert!(read().of_heap(|_| None).is_none());
        let object = |address: u64| heaplens_heap::ObjectId::new(address as usize);
        assert_eq!(read().of_heap(object).map(|javacore| javacore.threads()), Some((2, 1)));
    }
}
