//! Parser of the list: one rule a line, `#` after a blank begins a comment. An error names its line.

use super::rule::{
    EntryShape, FieldPath, FieldRole, ListedCollection, ListedNode, PathChoice, PathStep, RoleFields, SlotTest,
};
use crate::LogicalKind;

/// Maximum nesting of arrays in a path: vectors of Scala 2.13 have six.
const DEEPEST: usize = 6;

/// A line that is not blank.
#[derive(Debug, PartialEq)]
pub(super) enum Line {
    Collection(ListedCollection),
    Node(ListedNode),
}

/// Rules of a text, in its order.
pub(super) fn lines(text: &str) -> Result<Vec<Line>, String> {
    let numbered = (1..).zip(text.lines()).map(|(number, line)| {
        let parsed = line_of(without_comment(line));
        parsed.map_err(|why| format!("line {number}: {why}"))
    });
    numbered.filter_map(Result::transpose).collect()
}

/// The line before its comment. A `#` within a word begins none: private fields of JavaScript have it.
fn without_comment(line: &str) -> &str {
    let begins = |&(at, _): &(usize, &str)| at == 0 || line[..at].ends_with(char::is_whitespace);
    line.match_indices('#').find(begins).map_or(line, |(at, _)| &line[..at])
}

fn line_of(line: &str) -> Result<Option<Line>, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        [] => Ok(None),
        ["node", class, ref roles @ ..] => {
            let fields = node_fields(roles)?;
            Ok(Some(Line::Node(ListedNode { class: pattern(class)?, fields })))
        }
        [class, kind, shape, ref roles @ ..] => {
            collection(class, kind, shape, roles).map(|c| Some(Line::Collection(c)))
        }
        _ => Err("expected: CLASS KIND SHAPE ROLE=FIELDS …".to_owned()),
    }
}

fn node_fields(roles: &[&str]) -> Result<RoleFields, String> {
    let mut fields = RoleFields::default();
    for word in roles {
        let (role, value) = word.split_once('=').ok_or_else(|| format!("expected ROLE=FIELDS, not '{word}'"))?;
        add(&mut fields, role, value)?;
    }
    if let Some((role, _)) = fields.0.iter().find(|(role, _)| !role.is_of_node()) {
        return Err(format!("a node has no {}", name_of(*role)));
    }
    let roles = [FieldRole::Children, FieldRole::Pairs, FieldRole::Key, FieldRole::Value];
    if roles.iter().all(|&role| !fields.has(role)) {
        return Err("a node needs children, pairs, key or value".to_owned());
    }
    Ok(fields)
}

fn collection(class: &str, kind: &str, shape: &str, roles: &[&str]) -> Result<ListedCollection, String> {
    let kind = match kind {
        "map" => Some(LogicalKind::Map),
        "list" => Some(LogicalKind::List),
        "set" => Some(LogicalKind::Set),
        "same" => None,
        _ => return Err(format!("unknown kind '{kind}'; expected map, list, set or same")),
    };
    let shape_named = EntryShape::NAMES.iter().find(|(name, _)| *name == shape).map(|&(_, shape)| shape);
    let shape_named = shape_named.ok_or_else(|| {
        let names: Vec<&str> = EntryShape::NAMES.iter().map(|&(name, _)| name).collect();
        format!("unknown shape '{shape}'; expected one of {}", names.join(", "))
    })?;
    let mut rule = ListedCollection {
        class: pattern(class)?,
        kind,
        shape: shape_named,
        fields: RoleFields::default(),
        skip: Box::default(),
        test: SlotTest::default(),
        has_head: false,
    };
    for word in roles {
        match word.split_once('=') {
            None if *word == "head" && shape_named == EntryShape::Links => rule.has_head = true,
            None => return Err(format!("expected ROLE=FIELDS, not '{word}'")),
            Some(("skip", classes)) if !classes.is_empty() => rule.skip = classes.split(',').map(Box::from).collect(),
            Some(("test", test)) if shape_named == EntryShape::Slots => {
                let named = SlotTest::NAMES.iter().find(|(name, _)| *name == test).map(|&(_, test)| test);
                rule.test = named.ok_or_else(|| format!("unknown test '{test}'; expected keys, values or first"))?;
            }
            Some((role, value)) => add(&mut rule.fields, role, value)?,
        }
    }
    check(&rule, shape)?;
    if kind.is_none() && rule.shape != EntryShape::Within {
        return Err("only a collection within another may be of the same kind".to_owned());
    }
    Ok(rule)
}

/// Checks that a rule has the roles of its shape and no others.
fn check(rule: &ListedCollection, shape: &str) -> Result<(), String> {
    use FieldRole::{
        Elements, End, First, Focus, Key, Keys, Left, Next, Of, Right, Root, Size, Start, Table, Threads, Used, Value,
        Values, Zero, ZeroValue,
    };
    // Required roles, one of these at least, and optional roles.
    let (all, any, more): (&[FieldRole], &[FieldRole], &[FieldRole]) = match rule.shape {
        EntryShape::Array => (&[Elements], &[], &[Size, Start, End, Key, Value]),
        EntryShape::Slots => (&[], &[Keys, Elements], &[Values, Used, Size, Zero, ZeroValue]),
        EntryShape::Pairs => (&[Table], &[], &[Size, Zero, ZeroValue]),
        EntryShape::Chains => (&[Table], &[Key, Value], &[Next, Size]),
        EntryShape::Links => (&[First, Next], &[Key, Value], &[Size]),
        EntryShape::Tree => (&[Root, Left, Right], &[Key, Value], &[Size, Threads]),
        EntryShape::Trie => (&[Root], &[], &[Size, Zero, ZeroValue]),
        EntryShape::Radix => (&[Elements, Start, End, Focus], &[], &[]),
        EntryShape::Within => (&[Of], &[], &[]),
        EntryShape::Own => (&[], &[Keys, Values, Elements], &[]),
        EntryShape::Empty => (&[], &[], &[]),
    };
    if let Some(&lacking) = all.iter().find(|&&role| !rule.fields.has(role)) {
        return Err(format!("{shape} needs {}", name_of(lacking)));
    }
    if !any.is_empty() && !any.iter().any(|&role| rule.fields.has(role)) {
        let names: Vec<&str> = any.iter().map(|&role| name_of(role)).collect();
        return Err(format!("{shape} needs {}", names.join(" or ")));
    }
    let is_known = |role: &FieldRole| all.contains(role) || any.contains(role) || more.contains(role);
    if let Some((role, _)) = rule.fields.0.iter().find(|(role, _)| !is_known(role)) {
        return Err(format!("{shape} has no {}", name_of(*role)));
    }
    if rule.kind == Some(LogicalKind::Map) {
        let (keys, values) = (rule.fields.of(Keys).len(), rule.fields.of(Values).len());
        if rule.shape == EntryShape::Own && keys != values {
            return Err("a map needs as many keys as values".to_owned());
        }
    }
    Ok(())
}

fn name_of(role: FieldRole) -> &'static str {
    FieldRole::NAMES.iter().find(|(_, of)| *of == role).map_or("", |&(name, _)| name)
}

fn add(fields: &mut RoleFields, role: &str, value: &str) -> Result<(), String> {
    let named = FieldRole::NAMES.iter().find(|(name, _)| *name == role).map(|&(_, role)| role);
    let named = named.ok_or_else(|| {
        let names: Vec<&str> = FieldRole::NAMES.iter().map(|&(name, _)| name).collect();
        format!("unknown role '{role}'; expected one of {}", names.join(", "))
    })?;
    if fields.has(named) {
        return Err(format!("{role} is given twice"));
    }
    let choices: Result<Box<[PathChoice]>, String> = value.split(',').map(choice).collect();
    fields.0.push((named, choices?));
    Ok(())
}

fn choice(text: &str) -> Result<PathChoice, String> {
    text.split('|').map(path).collect()
}

fn path(text: &str) -> Result<FieldPath, String> {
    if text == "." {
        return Ok(FieldPath::default());
    }
    let steps = text.split('.').map(|step| {
        let field = step.trim_end_matches("[]");
        let depth = (step.len() - field.len()) / 2;
        if field.is_empty() || field.contains(['[', ']', '*', '=']) || depth > DEEPEST {
            return Err(format!("'{text}' is no path of fields, such as segments[].table"));
        }
        Ok(PathStep { field: field.into(), depth: depth as u8 })
    });
    steps.collect()
}

/// A class name, or a pattern of which the first two parts are fixed.
fn pattern(class: &str) -> Result<Box<str>, String> {
    let fixed = class.split('*').next().unwrap_or("");
    if class.contains('*') && fixed.bytes().filter(|&byte| byte == b'.').count() < 2 {
        return Err(format!("'{class}': * may come after the second dot only"));
    }
    if class.contains(['=', '/', '[']) {
        return Err(format!("'{class}' is no class name, such as org.acme.Cache"));
    }
    Ok(class.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_line_is_an_error_with_its_number() {
        for (text, error) in [
            ("org.acme.Cache", "line 1: expected: CLASS KIND SHAPE ROLE=FIELDS …"),
            (
                "\n# well\norg.acme.Cache bag array elements=a",
                "line 3: unknown kind 'bag'; expected map, list, set or same",
            ),
            ("org.acme.Cache map array", "line 1: array needs elements"),
            ("org.acme.Cache map chains table=t next=n", "line 1: chains needs key or value"),
            ("org.acme.Cache map array elements=a root=r", "line 1: array has no root"),
            ("org.acme.Cache map array elements=a elements=b", "line 1: elements is given twice"),
            ("org.acme.Cache map array elements=a..b", "line 1: 'a..b' is no path of fields, such as segments[].table"),
            ("org.acme.Cache map array elements=[]", "line 1: '[]' is no path of fields, such as segments[].table"),
            ("org.*.Cache map array elements=a", "line 1: 'org.*.Cache': * may come after the second dot only"),
            ("org.acme.Cache map array elements", "line 1: expected ROLE=FIELDS, not 'elements'"),
            ("org.acme.Cache map own keys=a,b values=c", "line 1: a map needs as many keys as values"),
            (
                "org.acme.Cache same array elements=a",
                "line 1: only a collection within another may be of the same kind",
            ),
            ("node org.acme.Node next=n", "line 1: a node needs children, pairs, key or value"),
            ("node org.acme.Node table=n", "line 1: a node has no table"),
        ] {
            assert_eq!(lines(text), Err(error.to_owned()), "{text}");
        }
        let unknown = lines("org.acme.Cache map arrays").expect_err("no such shape");
        assert!(unknown.starts_with("line 1: unknown shape 'arrays'; expected one of array, slots, "), "{unknown}");
    }

    #[test]
    fn a_path_has_fields_arrays_choices_and_several_ends() {
        let parsed = lines("org.acme.Map map chains table=segments[].table,rest next=n key=key|referent value=.");
        let parsed = parsed.expect("a rule");
        let Some(Line::Collection(rule)) = parsed.first() else { panic!("no collection: {parsed:?}") };
        let step = |field: &str, depth| PathStep { field: field.into(), depth };
        let tables = rule.fields.of(FieldRole::Table);
        assert_eq!(tables.len(), 2);
        assert_eq!(*tables[0][0], [step("segments", 1), step("table", 0)]);
        assert_eq!(rule.fields.one(FieldRole::Key).map(<[FieldPath]>::len), Some(2));
        assert_eq!(rule.fields.one(FieldRole::Value).map(|choice| choice[0].len()), Some(0));
    }
}
