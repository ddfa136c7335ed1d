//! What rows of the dominator tree and cells of its chart lead with.

use super::Named;
use super::short::timers;
use heaplens_analysis::dominator_tree::{Lead, lead_of_object};
use heaplens_base::Task;

/// What the objects of a class lead with.
fn leads(named: &Named, class: &str) -> Vec<String> {
    let lead = |object| lead_of_object(named.dump.data(), object, &Task::new()).expect("not cancelled");
    named.instances(class).into_iter().map(|object| lead(object).as_ref().map(Lead::text).unwrap_or_default()).collect()
}

#[test]
fn fields_are_those_of_the_source() {
    let named = Named::sketched(
        "class desk.Audited$Trait$FieldHelper\nclass desk.Ledger\n  field desk_Audited__changes: object\n  \
         field log$delegate: object\n  field open: object\n  static ledger: object = ledger\nroot desk.Ledger class\n\
         class desk.Change\nclass desk.Log\nclass desk.Page\n\
         ledger = desk.Ledger desk_Audited__changes=change log$delegate=log open=page\n\
         change = desk.Change\nlog = desk.Log\npage = desk.Page\n",
    );
    // The row above shows the class, which is not the one that declares a field of a trait.
    assert_eq!(leads(&named, "desk.Change"), ["Audited.changes"]);
    assert_eq!(leads(&named, "desk.Log"), [".log"]);
    assert_eq!(leads(&named, "desk.Page"), [".open"]);
    assert_eq!(leads(&named, "desk.Ledger"), [".ledger"]);
}

#[test]
fn variables_have_the_name_of_their_file() {
    // The row above is the scope, which has no name.
    assert_eq!(leads(&timers(1, true), "Visit"), ["heartbeat.js visit"]);
    // What many scopes of one function hold has the name of the function.
    assert_eq!(leads(&timers(12, false), "Visit"), ["beat (heartbeat.js:7)"; 12]);
}

#[test]
fn variables_of_clojure_have_their_names() {
    let named = Named::sketched(
        "class clojure.lang.Var\n  field sym: object\n  field ns: object\n  field root: object\n\
         class clojure.lang.Symbol\n  field name: object\nclass clojure.lang.Namespace\n  field name: object\n\
         class shop.Visit\nvar = clojure.lang.Var sym=symbol ns=namespace root=visit\nvisit = shop.Visit\n\
         symbol = clojure.lang.Symbol name=symbolName\nsymbolName = \"visits\"\n\
         namespace = clojure.lang.Namespace name=space\nspace = clojure.lang.Symbol name=spaceName\n\
         spaceName = \"shop.core\"\nroot var global\n",
    );
    assert_eq!(leads(&named, "clojure.lang.Var"), ["shop.core/visits"]);
    assert_eq!(leads(&named, "shop.Visit"), [".root"]);
}

#[test]
fn constants_of_a_class_are_called_so() {
    let named = Named::sketched(
        "class desk.Desk\n  static <resolved_references>: object = constants\nroot desk.Desk class\n\
         constants = java.lang.Object[] literal null\nliteral = \"status: placed\"\n",
    );
    assert_eq!(leads(&named, "java.lang.Object[]"), ["constants"]);
    assert_eq!(leads(&named, "java.lang.String"), ["[0]"]);
}
