//! Knowledge about objects of Android and its libraries: whether they are leaking, and labels that help to understand
//! them. A table with a line for each class; verdicts and wording are Shark's. A missing field gives no verdict.

mod animators;
mod contexts;
mod fragments;
mod inspector_context;
mod java;
mod libraries;
mod messages;
mod views;

pub(super) use self::inspector_context::{InspectorContext, Remarks};

use rustc_hash::FxHashMap;

use super::watched::WatchedObject;
use crate::android::android_heap::AndroidHeap;
use heaplens_heap::{ObjectId, Value};

/// Adds remarks about an object.
type Inspection = fn(&InspectorContext<'_>, ObjectId, &mut Remarks);

/// Role of a line of the table in finding leaking objects.
#[derive(Clone, Copy)]
enum LeakRole {
    /// It only labels objects on a path.
    LabelsOnly,
    /// All objects that it reports as leaking are leaks.
    AllLeaking,
    /// Only those objects are leaks for which the function returns true.
    SomeLeaking(fn(&InspectorContext<'_>, ObjectId) -> bool),
}

/// A line of the table.
struct Inspector {
    /// Instances of this class and of those below; empty for any object.
    class: &'static str,
    inspection: Inspection,
    role: LeakRole,
}

const fn says(class: &'static str, inspection: Inspection) -> Inspector {
    Inspector { class, inspection, role: LeakRole::LabelsOnly }
}

const fn finds(class: &'static str, inspection: Inspection) -> Inspector {
    Inspector { class, inspection, role: LeakRole::AllLeaking }
}

const FRAGMENT: &str = "android.app.Fragment";
const SUPPORT: &str = "android.support.v4.app.Fragment";

/// Inspectors in the order in which they run.
const INSPECTORS: &[Inspector] = &[
    finds("", java::watched),
    says("java.lang.ClassLoader", java::loader),
    says("", java::class),
    says("", java::anonymous),
    says("java.lang.Thread", java::thread),
    Inspector { class: "android.view.View", inspection: views::view, role: LeakRole::SomeLeaking(views::is_lost_root) },
    Inspector {
        class: "android.widget.Editor",
        inspection: views::editor,
        role: LeakRole::SomeLeaking(views::edits_lost_root),
    },
    finds("android.app.Activity", contexts::activity),
    finds("android.app.Service", contexts::service),
    says("", contexts::in_fields),
    finds("android.content.ContextWrapper", contexts::wrapper),
    says("android.app.ApplicationPackageManager", contexts::package_manager),
    finds("android.app.ContextImpl", |scene, context, to| contexts::outer(scene, context, "ContextImpl", to)),
    says("android.app.Dialog", views::dialog),
    says("android.app.ActivityThread", |_, _, to| to.is_fine("ActivityThread is a singleton")),
    says("android.app.Application", |_, _, to| to.is_fine("Application is a singleton")),
    says("android.view.inputmethod.InputMethodManager", |_, _, to| to.is_fine("InputMethodManager is a singleton")),
    finds(FRAGMENT, |scene, fragment, to| fragments::by_manager(scene, fragment, FRAGMENT, to)),
    finds(SUPPORT, |scene, fragment, to| fragments::by_manager(scene, fragment, SUPPORT, to)),
    finds("androidx.fragment.app.Fragment", fragments::of_androidx),
    finds("android.os.MessageQueue", messages::queue),
    says("android.app.LoadedApk", messages::receivers),
    says("mortar.Presenter", libraries::presenter),
    finds("mortar.MortarScope", libraries::scope),
    says("com.squareup.coordinators.Coordinator", libraries::coordinator),
    finds("android.view.ViewRootImpl", views::root),
    finds("android.view.Window", views::window),
    says("android.os.Message", messages::message),
    finds("android.widget.Toast", views::toast),
    says("androidx.compose.runtime.Recomposer", libraries::recomposer),
    says("androidx.compose.runtime.CompositionImpl", libraries::composition),
    says("android.animation.Animator", animators::listeners),
    says("android.animation.ObjectAnimator", animators::object),
    says("androidx.lifecycle.LifecycleRegistry", fragments::lifecycle),
    says("android.os.Binder", messages::binder),
    // Not in Shark. All but the first only add labels: verdicts would change fingerprints.
    finds("androidx.lifecycle.ViewModel", fragments::view_model),
    says("kotlinx.coroutines.JobSupport", libraries::job),
    says("android.media.MediaPlayer", libraries::player),
    says("android.webkit.WebView", views::web_view),
    says("androidx.recyclerview.widget.RecyclerView$Adapter", views::adapter),
    says("android.app.Dialog", views::shown_too_long),
    says("androidx.fragment.app.Fragment", fragments::bindings),
];

impl<'a> InspectorContext<'a> {
    pub(super) fn new(phone: &'a AndroidHeap<'a>, watched: Vec<WatchedObject>, dumped_at: Option<i64>) -> Self {
        let mut by_object: FxHashMap<ObjectId, Vec<WatchedObject>> = FxHashMap::default();
        for watched in watched {
            by_object.entry(watched.object).or_default().push(watched);
        }
        let (services, resources) = (contexts::running_services(phone), resources(phone).unwrap_or_default());
        Self { phone, watched: by_object, services, dumped_at, resources }
    }

    /// Remarks about an object.
    pub(super) fn remarks(&self, object: ObjectId) -> Remarks {
        let mut remarks = Remarks::default();
        let fits = |inspector: &&Inspector| inspector.class.is_empty() || self.phone.is_a(object, inspector.class);
        INSPECTORS.iter().filter(fits).for_each(|inspector| (inspector.inspection)(self, object, &mut remarks));
        remarks
    }

    /// By class, the lines of the table that may find its instances leaking.
    pub(super) fn finders(&self) -> Vec<Box<[u8]>> {
        let classes = &self.phone.heap.classes;
        let mut finders: Vec<Vec<u8>> = vec![Vec::new(); classes.len()];
        for (line, inspector) in (0..).zip(INSPECTORS) {
            let meant = self.phone.classes(inspector.class);
            if matches!(inspector.role, LeakRole::LabelsOnly) || meant.is_empty() {
                continue;
            }
            for (is_below, finders) in classes.all_below(meant).into_iter().zip(&mut finders) {
                finders.extend(is_below.then_some(line));
            }
        }
        finders.into_iter().map(Into::into).collect()
    }

    /// True if a line of the table finds an object leaking.
    pub(super) fn is_leaking(&self, line: u8, object: ObjectId) -> bool {
        let Some(inspector) = INSPECTORS.get(usize::from(line)) else { return false };
        match inspector.role {
            LeakRole::LabelsOnly => false,
            LeakRole::SomeLeaking(is_leaking) => is_leaking(self, object),
            LeakRole::AllLeaking => {
                let mut remarks = Remarks::default();
                (inspector.inspection)(self, object, &mut remarks);
                !remarks.leaking.is_empty()
            }
        }
    }
}

/// Resource names that LeakCanary leaves in the heap for analysis tools.
fn resources(phone: &AndroidHeap<'_>) -> Option<FxHashMap<i64, String>> {
    let class = "shark.AndroidResourceIdNames";
    let holder = phone.static_field(class, "holderField")?.object()?;
    let numbers = phone.elements(phone.object(holder, class, "resourceIds")?);
    let names = phone.elements(phone.object(holder, class, "names")?);
    let pairs = numbers.into_iter().zip(names);
    let named = pairs.filter_map(|(number, name)| {
        let Value::Int(number) = number else { return None };
        Some((number.into(), phone.text_of(name.object()?)?))
    });
    Some(named.collect())
}
