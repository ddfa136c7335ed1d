//! The short name of an object: the text that one searches the source for.

use std::fmt;

use heaplens_base::invisible::one_line;
use heaplens_heap::{ObjectId, split_class};

/// Stands for what was cut off.
const CUT: char = '…';
/// Stands for an entry of a collection or an element of an array.
pub(super) const ENTRY: &str = "[…]";
/// Fewest characters of a holder that tell anything.
const LEAST: usize = 3;

/// Whose code has the member of a name, nearest to the application first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// The application.
    Application,
    /// A library, which no member of the application leads to.
    Library,
    /// The runtime: the virtual machine or the engine with their libraries.
    Runtime,
}

/// The name of an object or a structure by the member that holds it: a field, a static field, a variable, as the source
/// has it: `SessionCache.ENTRIES`, `PriceFeed._events`, `mongoose/lib/index.js connections`, `Agent[kClients]`,
/// `my.ns/cache`. It is no path: a path starts at a GC root, and a name at what an engineer would change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShortName {
    /// What has the member: a class without its package, a file of JavaScript, a function, a namespace; of a thread or a
    /// class, its name.
    pub holder: String,
    /// The member with what separates it from the holder: `.ENTRIES`, ` connections`, `[kClients]`. Empty if the holder is
    /// named itself.
    pub member: String,
    /// Steps from there to the object: `["user-17"]`, `.cache`. Empty if the member holds it.
    pub steps: String,
    /// Holder and member as the dump has them, with the package: `desk.SessionCache.ENTRIES`.
    pub qualified: String,
    /// Package of the class: `desk.`. Empty if there is none.
    pub(crate) package: String,
    /// Other members that lead to the object just as well, or to other parts of what is named.
    pub others: Vec<ShortName>,
    /// The object that has the member: an instance, a class, a scope of JavaScript.
    pub object: ObjectId,
    /// Whose code has the member.
    pub origin: Origin,
    /// The package of the member, or the path of its file as far as it does not depend on the machine, in JavaScript:
    /// others may have a member of this name.
    pub source: Option<String>,
    /// All steps from the member to the object, also those that `steps` leaves out.
    pub(crate) all_steps: String,
}

impl ShortName {
    /// The name of what has a name of its own, such as a thread or a class.
    pub(crate) fn of_itself(object: ObjectId, (text, qualified): (String, String), origin: Origin) -> Self {
        Self {
            holder: text,
            member: String::new(),
            steps: String::new(),
            package: split_class(&qualified).0.to_owned(),
            qualified,
            others: Vec::new(),
            object,
            origin,
            source: None,
            all_steps: String::new(),
        }
    }

    /// The name in at most so many characters, if its last part is not longer: the holder is cut first, which may be that
    /// of many, then the steps, never the member.
    pub fn within(&self, characters: usize) -> String {
        let text = self.to_string();
        let length = |text: &str| text.chars().count();
        let over = length(&text).saturating_sub(characters);
        if over == 0 || !self.others.is_empty() {
            return text;
        }
        let Some(shown) = length(&self.holder).checked_sub(over + 1).filter(|&left| left >= LEAST) else {
            let steps = if self.steps.is_empty() { String::new() } else { CUT.to_string() };
            let without = format!("{CUT}{}{steps}", one_line(&self.member));
            return if self.member.is_empty() { text } else { without };
        };
        let end: String = self.holder.chars().skip(length(&self.holder) - shown).collect();
        format!("{CUT}{}{}{}", one_line(&end), one_line(&self.member), one_line(&self.steps))
    }

    /// What it is known by in later dumps of the program: without keys and indices, which differ from dump to dump, and
    /// without what libraries write behind the names of classes that they make.
    pub(crate) fn key(&self) -> String {
        let source = self.source.as_ref().map(|source| format!("{source}\n")).unwrap_or_default();
        let own = format!("{source}{}{}{}{}", self.package, self.holder, without_line(&self.member), self.all_steps);
        self.others.iter().fold(own, |key, other| key + " + " + &other.key())
    }

    /// Holder and member with the package, as the dump has them, and the steps.
    pub fn qualified_text(&self) -> String {
        let own = self.qualified.clone() + &self.steps;
        self.others.iter().fold(own, |text, other| text + " + " + &other.qualified + &other.steps)
    }

    /// Holder and member alone: the name of what holds the object, whichever entry it is.
    #[must_use]
    pub fn without_steps(self) -> Self {
        Self { steps: String::new(), all_steps: String::new(), ..self }
    }

    /// The name of the collection or array whose entry has this name.
    pub(crate) fn of_collection(mut self) -> Self {
        self.steps.truncate(self.steps.strip_suffix(ENTRY).map_or(self.steps.len(), str::len));
        self
    }

    /// The member alone, as the owner of the object. `None` of a member of the runtime, which owns nothing.
    #[must_use]
    pub fn owner(self) -> Option<Self> {
        (self.origin != Origin::Runtime).then(|| self.without_steps())
    }

    /// True if both begin with one member.
    pub(crate) fn has_member_of(&self, other: &Self) -> bool {
        (&self.package, &self.holder, &self.member) == (&other.package, &other.holder, &other.member)
            && self.source == other.source
    }

    /// True if a member of the application or a library holds the object of this name, or is the object, as a variable of
    /// Clojure. False of a class or a thread, which is named itself: its label says it.
    pub fn is_of_member(&self, object: ObjectId) -> bool {
        (self.object != object || !self.member.is_empty()) && self.origin != Origin::Runtime
    }

    /// True if a member of the application begins the name.
    pub fn is_of_application(&self) -> bool {
        self.origin == Origin::Application
    }
}

/// The file of a closure, ` (heartbeat.js:7)`, without the line, which changes as the file is written.
fn without_line(member: &str) -> &str {
    let position = member.strip_suffix(')').filter(|member| member.starts_with(" ("));
    let parts = position.and_then(|position| position.rsplit_once(':'));
    let is_line = |line: &str| !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit());
    parts.filter(|(_, line)| is_line(line)).map_or(member, |(file, _)| file)
}

impl fmt::Display for ShortName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&one_line(&format!("{}{}{}", self.holder, self.member, self.steps)))?;
        self.others.iter().try_for_each(|other| write!(f, " + {other}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closure_is_known_by_its_file_without_the_line() {
        for (member, known_by) in [
            (" (heartbeat.js:7)", " (heartbeat.js"),
            (" (C:/a.js:120)", " (C:/a.js"),
            (" (heartbeat.js)", " (heartbeat.js)"),
            (".carts", ".carts"),
            ("[kClients:7]", "[kClients:7]"),
        ] {
            assert_eq!(without_line(member), known_by);
        }
    }
}
