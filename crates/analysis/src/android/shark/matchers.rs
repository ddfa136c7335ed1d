//! References of Android that are known to leak, or that are ignored: lines of
//! a text file, so that users can add to them.
//!
//! ```text
//! library  field  android.app.Activity$1#this$0; api 29      # held by another process
//! ignored  local  main                                       # changes all the time
//! ```

use rustc_hash::FxHashMap;

use super::device::Device;

/// Built-in patterns.
const BUILT_IN: &str = include_str!("../../../assets/android-matchers.txt");

/// Kind of reference a pattern matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A field, by class and name.
    Field,
    /// A static, by class and name.
    Static,
    /// An object that native code holds, by its class.
    Native,
    /// Local variables of a thread, by its name.
    Local,
}

/// One pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matcher {
    /// Kind of reference.
    pub kind: Kind,
    /// Class, or thread name.
    pub of: String,
    /// The field.
    pub field: String,
    /// True if the reference is ignored; otherwise it is a known leak of Android or a library.
    pub is_ignored: bool,
    /// Explanation of the leak.
    pub cause: String,
    api: Option<(i64, i64)>,
    makers: Vec<String>,
    build: Option<String>,
}

/// All patterns; those read last come first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matchers(Vec<Matcher>);

/// Patterns that apply to a device, indexed by what they match.
#[derive(Default)]
pub(super) struct Applied<'a> {
    all: Vec<&'a Matcher>,
    /// For each kind by class or thread, then by field.
    by_place: [FxHashMap<&'a str, FxHashMap<&'a str, u32>>; 4],
}

impl Default for Matchers {
    /// Built-in patterns.
    fn default() -> Self {
        // A test parses every line.
        Self(read(BUILT_IN).unwrap_or_default())
    }
}

impl Matchers {
    /// Adds the patterns of a text; they take precedence over existing ones.
    ///
    /// # Errors
    /// A message with the number of the invalid line.
    pub fn add(&mut self, text: &str) -> Result<(), String> {
        let mut added = read(text)?;
        added.append(&mut self.0);
        self.0 = added;
        Ok(())
    }

    /// An empty list.
    pub fn none() -> Self {
        Self(Vec::new())
    }

    /// All patterns.
    pub fn all(&self) -> &[Matcher] {
        &self.0
    }

    /// Patterns that apply to a device.
    pub(super) fn of(&self, device: &Device) -> Applied<'_> {
        let mut applied = Applied::default();
        for matcher in self.0.iter().filter(|matcher| matcher.applies(device)) {
            let of_place = applied.by_place[matcher.kind as usize].entry(&*matcher.of).or_default();
            of_place.entry(&*matcher.field).or_insert(applied.all.len() as u32);
            applied.all.push(matcher);
        }
        applied
    }
}

impl<'a> Applied<'a> {
    /// Pattern by index.
    pub(super) fn get(&self, number: u32) -> Option<&'a Matcher> {
        self.all.get(number as usize).copied()
    }

    /// Patterns of a kind for a class or thread.
    pub(super) fn at(&self, kind: Kind, of: &str) -> Option<&FxHashMap<&'a str, u32>> {
        self.by_place[kind as usize].get(of)
    }

    /// Pattern for one field.
    pub(super) fn find(&self, kind: Kind, of: &str, field: &str) -> Option<u32> {
        self.at(kind, of)?.get(field).copied()
    }
}

impl Matcher {
    /// Text form as in Shark, which is hashed for the fingerprint.
    pub fn pattern(&self) -> String {
        let Self { of, field, .. } = self;
        match self.kind {
            Kind::Field => format!("instance field {of}#{field}"),
            Kind::Static => format!("static field {of}#{field}"),
            Kind::Native => format!("native global variable referencing {of}"),
            Kind::Local => format!("local variable on thread {of}"),
        }
    }

    /// Unknown device data counts as a match: reporting a system leak as an application leak costs
    /// more than the opposite, and most of these fields exist only on their devices.
    fn applies(&self, device: &Device) -> bool {
        let api = self.api.zip(device.api).is_none_or(|((from, to), api)| (from..=to).contains(&api));
        let is_one = |maker: &String| self.makers.is_empty() || self.makers.contains(maker);
        let build = self.build.as_ref().zip(device.build.as_ref()).is_none_or(|(wanted, build)| wanted == build);
        api && device.manufacturer.as_ref().is_none_or(is_one) && build
    }
}

fn read(text: &str) -> Result<Vec<Matcher>, String> {
    let mut matchers = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim_start().starts_with('#') {
            continue;
        }
        // `#` also separates class and field, but there without a space before it.
        let (rule, cause) = line.split_once(" #").map_or((line, ""), |(rule, cause)| (rule, cause.trim()));
        if !rule.trim().is_empty() {
            matchers.push(matcher(rule, cause).map_err(|why| format!("line {number}: {why}"))?);
        }
    }
    Ok(matchers)
}

fn matcher(rule: &str, cause: &str) -> Result<Matcher, String> {
    let mut parts = rule.split(';').map(str::trim);
    let head = parts.next().unwrap_or_default();
    let (word, rest) = head.split_once(char::is_whitespace).unwrap_or((head, ""));
    let (kind, pattern) = rest.trim().split_once(char::is_whitespace).unwrap_or((rest.trim(), ""));
    let is_ignored = match word {
        "library" => false,
        "ignored" => true,
        _ => return Err(format!("'{word}' is not a rule: begin the line with library or ignored")),
    };
    let kind = match kind {
        "field" => Kind::Field,
        "static" => Kind::Static,
        "native" => Kind::Native,
        "local" => Kind::Local,
        _ => return Err(format!("'{kind}' is not a reference kind: use field, static, native or local")),
    };
    let pattern = pattern.trim();
    let (of, field) = match kind {
        Kind::Field | Kind::Static => pattern
            .rsplit_once('#')
            .filter(|(of, field)| !of.is_empty() && !field.is_empty())
            .ok_or_else(|| format!("'{pattern}' is not of the form CLASS#FIELD"))?,
        Kind::Native | Kind::Local if pattern.is_empty() => return Err("class or thread name is missing".to_owned()),
        Kind::Native | Kind::Local => (pattern, ""),
    };
    let mut matcher = Matcher {
        kind,
        of: of.to_owned(),
        field: field.to_owned(),
        is_ignored,
        cause: cause.to_owned(),
        api: None,
        makers: Vec::new(),
        build: None,
    };
    for part in parts.filter(|part| !part.is_empty()) {
        match part.split_once(' ') {
            Some(("api", range)) => matcher.api = Some(api(range.trim())?),
            Some(("by", makers)) => matcher.makers = makers.split('/').map(|maker| maker.trim().to_owned()).collect(),
            Some(("build", build)) => matcher.build = Some(build.trim().to_owned()),
            _ => return Err(format!("'{part}' is not a condition: use api, by or build")),
        }
    }
    Ok(matcher)
}

/// `19`, `19-23`, `30+`.
fn api(range: &str) -> Result<(i64, i64), String> {
    let number =
        |text: &str| text.parse().map_err(|_no_number| format!("'{range}' is not a range such as 19-23 or 30+"));
    if let Some(from) = range.strip_suffix('+') {
        return Ok((number(from)?, i64::MAX));
    }
    match range.split_once('-') {
        Some((from, to)) => Ok((number(from)?, number(to)?)),
        None => Ok((number(range)?, number(range)?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_line_is_a_matcher() {
        let all = read(BUILT_IN).expect("lines that are matchers");
        assert!(all.len() > 100 && all.iter().all(|matcher| !matcher.cause.is_empty()));
        assert_eq!(all.iter().filter(|matcher| matcher.is_ignored).count(), 18);
    }

    #[test]
    fn conditions_apply_unless_the_dump_contradicts() {
        let mut matchers = Matchers::none();
        matchers.add("library static a.B#c; api 19-21; by samsung/HMD Global # kept").expect("a matcher");
        let device = |api, maker: Option<&str>| Device { api, manufacturer: maker.map(str::to_owned), build: None };
        for (device, applies) in [
            (device(Some(20), Some("samsung")), true),
            (device(Some(21), Some("HMD Global")), true),
            (device(Some(22), Some("samsung")), false),
            (device(Some(19), Some("Samsung")), false),
            (device(None, Some("samsung")), true),
            (device(Some(19), None), true),
        ] {
            let matcher = matchers.of(&device).find(Kind::Static, "a.B", "c");
            assert_eq!(matcher.is_some(), applies, "{device:?}");
        }
        assert_eq!(matchers.all()[0].pattern(), "static field a.B#c");
        for wrong in [
            "known field a.B#c",
            "library fields a.B#c",
            "library field a.B",
            "library native",
            "ignored local x; on 3",
        ] {
            assert!(matchers.add(wrong).is_err_and(|why| why.starts_with("line 1: ")), "{wrong}");
        }
        assert_eq!(matchers.all().len(), 1);
    }
}
