//! Names that matter to DevTools rules, and names that are easily misinterpreted.

/// Objects by their constructors.
pub(super) const CLASSES: [&str; 26] = [
    "Array",
    "Array",
    "Map",
    "Set",
    "Window / https://shop.example",
    "Cart",
    "Cart",
    "Basket",
    "Function",
    "RegExp",
    "(array)",
    "Detached Cart",
    "Detached HTMLLIElement",
    "<div id=\"a\">",
    "<div id=\"b\">",
    "<div>",
    "Detached <span class=\"y\">",
    "Detached <span>",
    "<",
    "< a",
    "",
    "{a, b}",
    "caf\u{e9} \u{65e5}\u{672c}",
    "system / Context",
    "system / Context / scope @7",
    "system / Contexts",
];

/// Native nodes.
pub(super) const NATIVES: [&str; 14] = [
    "system / ExternalStringData",
    "system / JSArrayBufferData",
    "system / Map",
    "system / Context",
    "HTMLLIElement",
    "<div id=\"a\">",
    "<li>",
    "Detached <li class=\"z\">",
    "Detached HTMLLIElement",
    "Text",
    "InternalNode",
    "Array",
    "",
    "Window",
];

/// Hidden nodes.
pub(super) const HIDDEN: [&str; 5] =
    ["system / Map", "system / NativeContext", "system / FeedbackVector", "system / Context", ""];

/// Arrays.
pub(super) const ARRAYS: [&str; 4] = ["", "(object elements)", "(map descriptors)", "(object properties)"];

/// Functions.
pub(super) const FUNCTIONS: [&str; 5] = ["", "onClick", "Array", "get size", "V8EventListener"];

/// Texts, some of them more than once on purpose.
pub(super) const TEXTS: [&str; 9] = [
    "",
    "a",
    "b",
    "ab",
    "two\nlines",
    "\"quoted\" \\ / \u{8}\u{c}\u{1}\u{7f}",
    "\u{1f680} up",
    "\u{2028}",
    "\u{65e5}\u{672c}\u{8a9e}",
];

/// Names of properties. The rules quote those with marks in them.
pub(super) const PROPERTIES: [&str; 16] = [
    "a",
    "b",
    "c",
    "id",
    "name",
    "__proto__",
    "x, y",
    "it's",
    "{z}",
    "tab\t\"and\" \\",
    "",
    "10",
    "a property name of forty-five characters, oh!",
    "another_property_name_of_more_than_forty_units",
    "one_of_more_than_a_hundred_and_twenty_units_which_is_the_longest_that_the_name_of_an_interface_may_be_and_then_there_is_more",
    "\u{1f680}",
];

/// Shapes of plain objects.
pub(super) const SHAPES: [&[&str]; 12] = [
    &["a", "b"],
    &["b", "a"],
    &["a", "b", "c"],
    &["__proto__", "a", "b"],
    &["id", "name"],
    &["id", "name", "10", ""],
    &["x, y", "{z}"],
    &["it's", "\u{1f680}"],
    &["a", "a property name of forty-five characters, oh!", "another_property_name_of_more_than_forty_units", "b", "c"],
    &[
        "one_of_more_than_a_hundred_and_twenty_units_which_is_the_longest_that_the_name_of_an_interface_may_be_and_then_there_is_more",
        "a",
    ],
    &["__proto__"],
    &[],
];

/// Names of internal edges. Parts of a string are not among them: those are wired on purpose.
pub(super) const INTERNALS: [&str; 10] = [
    "map",
    "elements",
    "properties",
    "code",
    "context",
    "shared",
    "previous",
    "sloppy_function_map",
    "4 / part of key (odd @1)",
    "descriptors",
];
