//! Fields of an object as JSON: class that declares a field, values that are unknown.

use heaplens_analysis::object::{FieldRow, describe};
use heaplens_tables::export::json::ObjectField;

use crate::sketched;

#[test]
fn a_field_of_the_same_name_has_its_class() {
    let dump = sketched(
        "class a.Base
           field kept: object
         class a.Derived extends a.Base
           field kept: object
           field other: object
         it = a.Derived
         root it",
    );
    let heap = &*dump.facts.heap;
    let it = heap.objects().find(|&object| &*heap.class(object).name == "a.Derived").expect("an object");
    let details = describe(dump.data(), it, 100);
    let rows = details.fields.iter().map(|row| ObjectField::of_field(heap, row));
    let classes: Vec<_> = rows.map(|row| (row.name, row.declared_by)).collect();
    let is = |name: &str, class: Option<&str>| (name.to_owned(), class.map(str::to_owned));
    assert_eq!(classes, [is("kept", Some("a.Derived")), is("other", None), is("kept", Some("a.Base"))]);
}

/// JSON distinguishes it from null; text says that it is unknown.
#[test]
fn a_value_that_is_unknown_is_not_null() {
    let dump =
        sketched("class a.Node\n  field left: object\n  field right: object\nhalf = a.Node right=half\nroot half");
    let facts = dump.facts.without_file().expect("contents without values");
    let (heap, contents) = (&*facts.heap, &*facts.contents);
    let half = heap.objects().find(|&object| &*heap.class(object).name == "a.Node").expect("an object");
    let field = contents.fields(heap, half).expect("known or unknown").swap_remove(0);
    let row = FieldRow { name: field.name.clone(), source_name: None, field, class: None, label: None, retained: None };
    let exported = ObjectField::of_field(heap, &row);
    assert_eq!(exported.text(), "not available");
    let json = serde_json::to_string(&exported).expect("json");
    assert_eq!(json, r#"{"name":"left","type":"object","value":null,"available":false}"#);
}
