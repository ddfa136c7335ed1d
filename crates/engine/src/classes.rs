//! Questions about all objects of a class, a package, a class loader, and about the dominator tree.

use crate::Dump;
pub use heaplens_analysis::grouping::{GroupBy, GroupRow};
pub use heaplens_analysis::histogram::{ClassFigures, ClassOrder, Histogram, HistogramRow};
pub use heaplens_analysis::retained::RetainedSet;
use heaplens_analysis::{dominator_tree, grouping, histogram, retained};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ClassId, ObjectId};

impl Dump {
    /// Number, shallow and retained size of the reachable objects of each class, largest shallow size first.
    ///
    /// ```
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// let dump = heaplens_engine::open(file)?;
    /// let histogram = dump.histogram();
    /// for row in histogram.rows.iter().take(10) {
    ///     println!("{}: {} objects, {}", dump.class_name(row.class), row.objects, row.shallow);
    /// }
    /// assert_eq!(histogram.shallow, dump.reachable_bytes());
    /// # Ok::<(), heaplens_engine::OpenError>(())
    /// ```
    pub fn histogram(&self) -> Histogram {
        histogram::histogram(self.data())
    }

    /// [`Self::histogram`] in another order.
    ///
    /// ```
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// use heaplens_engine::classes::ClassOrder;
    ///
    /// let dump = heaplens_engine::open(file)?;
    /// let histogram = dump.histogram_by(ClassOrder::Retained);
    /// assert!(histogram.rows.is_sorted_by(|one, other| one.retained >= other.retained));
    /// # Ok::<(), heaplens_engine::OpenError>(())
    /// ```
    pub fn histogram_by(&self, order: ClassOrder) -> Histogram {
        let mut histogram = self.histogram();
        histogram.rows.sort_by(|one, other| one.compare(other, self.heap(), (order, false)));
        histogram
    }

    /// The reachable objects of a class, without those of its subclasses.
    ///
    /// ```
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// use heaplens_engine::Task;
    ///
    /// let dump = heaplens_engine::open(file)?;
    /// let threads = dump.class_named("java.lang.Thread").expect("every JVM has threads");
    /// assert!(!dump.objects_of_class(threads, &Task::new())?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the task is cancelled.
    pub fn objects_of_class(&self, class: ClassId, task: &Task) -> Result<Vec<ObjectId>, Cancelled> {
        histogram::objects_of(self.data(), class, task)
    }

    /// The histogram by package, class loader or superclass.
    ///
    /// ```
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// use heaplens_engine::{Task, classes::GroupBy};
    ///
    /// let dump = heaplens_engine::open(file)?;
    /// for row in dump.groups(GroupBy::Package, &Task::new())? {
    ///     println!("{}: {}", row.name, row.retained);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the task is cancelled.
    pub fn groups(&self, by: GroupBy, task: &Task) -> Result<Vec<GroupRow>, Cancelled> {
        grouping::groups(self.data(), by, task)
    }

    /// Objects whose immediate dominator is `object`, largest retained size first; those without a dominator for `None`:
    /// a level of the dominator tree.
    ///
    /// ```
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// use heaplens_engine::Task;
    ///
    /// let dump = heaplens_engine::open(file)?;
    /// let mut next = None;
    /// for level in 0..3 {
    ///     let Some(&largest) = dump.dominated_by(next, &Task::new())?.first() else { break };
    ///     println!("{:level$}{} {}", "", dump.class_name(dump.class_of(largest)), dump.retained_size(largest));
    ///     next = Some(largest);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the task is cancelled.
    pub fn dominated_by(&self, object: Option<ObjectId>, task: &Task) -> Result<Vec<ObjectId>, Cancelled> {
        let order = (dominator_tree::LevelOrder::default(), false);
        dominator_tree::level(self.data(), object, |_| true, order, task)
    }

    /// What several objects retain together: more than the sum of their retained sizes where they share objects.
    ///
    /// ```
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// use heaplens_engine::Task;
    ///
    /// let dump = heaplens_engine::open(file)?;
    /// let largest = dump.largest(1)[0];
    /// let set = dump.retained_set(&[largest], &Task::new())?;
    /// assert_eq!(set.retained, dump.retained_size(largest));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the task is cancelled.
    pub fn retained_set(&self, objects: &[ObjectId], task: &Task) -> Result<RetainedSet, Cancelled> {
        retained::retained_set(self.data(), objects, task)
    }
}
