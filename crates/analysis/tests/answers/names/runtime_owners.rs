//! Memory of the runtime has no owner in the application because something there happens to lead to it.

use std::fmt::Write as _;

use super::Named;

/// A thread that was never started, a frame of reflection and a field of the application lead to objects of the runtime.
const IDLE: &str = r#"
class java.lang.ClassLoader
  field parent: object
  static scl: object = loader
class jdk.internal.loader.AppLoader extends java.lang.ClassLoader
  field ucp: object
class jdk.internal.loader.UrlPath
  field urls: object
class java.lang.ModuleLayer
  field modules: object
class java.lang.Module
  field readers: object
class java.lang.System
  static bootLayer: object = layer
  static props: object = props
class java.util.Properties
  field defaults: object
class java.lang.ThreadGroup
  field threads: object
class java.lang.Thread
  field name: object
  field contextClassLoader: object
  field group: object
  field target: object
class java.lang.reflect.Method
class java.util.ArrayList
  field elementData: object
  field size: int
class javax.swing.FocusManager
  static owner: object = panel
class javax.swing.JPanel
  field model: object
class a.Idle
  static SPARE: object = spare
  static PROPERTIES: object = props
  static ONE: object = shared
  static PANEL: object = panel
class a.Other
  static TWO: object = shared
loader@0x7000 = jdk.internal.loader.AppLoader ucp=ucp
ucp@0x7100 = jdk.internal.loader.UrlPath urls=urls
urls@0x7200 = java.lang.Object[] null null
layer = java.lang.ModuleLayer modules=modules
modules = java.lang.Module[] module
module@0x7300 = java.lang.Module
props@0x7400 = java.util.Properties
group@0x7500 = java.lang.ThreadGroup threads=threads
threads = java.lang.Thread[] main
spareName = "spare"
spare@0x7600 = java.lang.Thread name=spareName contextClassLoader=loader group=group target=task
task@0x7700 = java.util.ArrayList size=0
mainName = "main"
main = java.lang.Thread name=mainName contextClassLoader=loader group=group
shared@0x7800 = java.util.ArrayList elementData=array size=0
array@0x7900 = java.lang.Object[] null
panel@0x7a00 = javax.swing.JPanel model=model
model@0x7b00 = java.util.ArrayList size=0
trace 2 thread 1
  frame java.lang.reflect.Method.invoke (I)V Method.java 17
  frame a.Idle.main (I)V Idle.java 17
root main thread 1 trace 2
root module frame 1 0
root group global
root java.lang.ClassLoader class
root java.lang.System class
root javax.swing.FocusManager class
root a.Idle class
root a.Other class
"#;

#[test]
fn memory_of_the_runtime_has_no_owner_in_the_application() {
    let named = Named::sketched(IDLE);
    let owner = |id: &str| named.owner(named.dump.facts.heap.find(id).expect("an object"));
    // The loader and what it holds, a module, system properties, a thread group.
    for id in ["0x7000", "0x7100", "0x7200", "0x7300", "0x7400", "0x7500"] {
        assert_eq!(owner(id), None, "{id}");
    }
    // The thread itself and its task, a shared list and its array, a component that a toolkit holds, too, and its model.
    for (id, name) in [
        ("0x7600", "Idle.SPARE"),
        ("0x7700", "Idle.SPARE"),
        ("0x7800", "Idle.ONE + Other.TWO"),
        ("0x7900", "Idle.ONE + Other.TWO"),
        ("0x7a00", "Idle.PANEL"),
        ("0x7b00", "Idle.PANEL"),
    ] {
        assert_eq!(owner(id).as_deref(), Some(name), "{id}");
    }
}

/// Objects that too many others refer to for a search upwards: one of the runtime, and one that the application alone holds.
#[test]
fn memory_with_many_referrers_is_of_the_runtime_if_that_holds_one_of_them() {
    let cells = |name: &str| (0..600).map(|nth| format!("{name}{nth}")).collect::<Vec<_>>();
    let mut text = String::from(
        r"
class java.lang.System
  static table: object = table
class java.util.Properties
  field defaults: object
class java.util.HashMap$Node
  field value: object
class a.App
  static PROPERTIES: object = of-runtime
  static OWN: object = of-application
  static TABLE: object = own-table
of-runtime@0x7000 = java.util.Properties
of-application@0x7100 = java.util.Properties
root java.lang.System class
root a.App class
",
    );
    for (table, cell, value) in [("table", "cell", "of-runtime"), ("own-table", "own", "of-application")] {
        writeln!(text, "{table} = java.lang.Object[] {}", cells(cell).join(" ")).expect("a text");
        for cell in cells(cell) {
            writeln!(text, "{cell} = java.util.HashMap$Node value={value}").expect("a text");
        }
    }
    let named = Named::sketched(&text);
    let owner = |id: &str| named.owner(named.dump.facts.heap.find(id).expect("an object"));
    assert_eq!((owner("0x7000"), owner("0x7100").as_deref()), (None, Some("App.OWN")));
}
