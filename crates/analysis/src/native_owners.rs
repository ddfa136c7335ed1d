//! Who holds what is outside of the heap: for each direct buffer, mapped file, arena, array buffer, open file or socket, the
//! member of the source that keeps it.
//!
//! What refers to a buffer keeps it, except its cleaner. A buffer that several members keep is listed with the one that
//! keeps the most, because that is where one looks first; its bytes are counted as shared, too.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::answers::{DumpData, Question};
use crate::naming::Namer;
use crate::native_memory::keepers;
use crate::native_objects::native_objects;
use crate::structure::{Origin, ShortName};
use heaplens_base::{Bytes, Cancelled, Task, Unit};
use serde::{Deserialize, Serialize};

use heaplens_heap::ObjectId;
use heaplens_heap::native::{NativeKind, NativeMemory};

/// Maximum number of objects with native memory whose owners are looked for, the largest first.
const NAMED: usize = 20_000;
/// Maximum number of owners of one of them.
const OWNERS: usize = 4;
/// Maximum number of objects looked at on one level.
const NEAR: usize = 64;
/// Maximum number of views between a buffer and what holds it.
const LEVELS: usize = 4;
/// Classes of buffers of JavaScript and of views of them, besides typed arrays.
const BUFFERS: [&str; 7] =
    ["ArrayBuffer", "SharedArrayBuffer", "Buffer", "FastBuffer", "DataView", "Memory", "WebAssembly.Memory"];

/// What of one kind one member of the source keeps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NativeOwner {
    /// The name to show: `TileCache.tiles`. `None` for what nothing in the source names.
    pub name: Option<String>,
    /// The same with packages.
    pub qualified: Option<String>,
    /// The object that the member holds, such as the map; for what has no name, the largest object.
    pub object: ObjectId,
    /// The kind.
    pub kind: NativeKind,
    /// Number of objects that have it.
    pub objects: u64,
    /// Their native memory; 0 of a kind without [`NativeKind::has_bytes`].
    pub bytes: Bytes,
    /// Part of it that others keep, too.
    pub shared: Bytes,
    /// True if the owner is of the application or a library, not of the runtime.
    pub is_of_program: bool,
}

/// One part in so many of the heap: who holds as much outside of it is named beside findings about the heap.
const BESIDE_FINDINGS: u64 = 10;

impl NativeOwner {
    /// True if it belongs beside the findings about `heap`: none of them has its memory. More than the heap has belongs there
    /// even if only the runtime holds it, such as the buffers that the JDK keeps for each thread.
    pub fn is_beside_findings(&self, heap: Bytes) -> bool {
        self.is_much(heap, BESIDE_FINDINGS) || self.is_outside() && self.bytes > heap
    }

    /// True if the program or a library holds at least one part in `parts` of `heap` outside of it.
    pub fn is_much(&self, heap: Bytes, parts: u64) -> bool {
        self.is_outside() && self.is_of_program && self.bytes.0 >= heap.0.div_ceil(parts).max(1)
    }

    /// True if its memory is outside of the heap. Array buffers are inside of the sizes of a snapshot, and pages of mapped
    /// files belong to the files.
    fn is_outside(&self) -> bool {
        !matches!(self.kind, NativeKind::ArrayBuffer | NativeKind::MappedFile)
    }
}

/// Who holds native memory?
#[derive(Clone, PartialEq, Eq)]
pub struct NativeOwnersQuestion;

impl Question for NativeOwnersQuestion {
    type Answer = Vec<NativeOwner>;

    fn compute(&self, dump: DumpData<'_>, task: &Task) -> Result<Vec<NativeOwner>, Cancelled> {
        native_owners(dump.namer(task)?, task)
    }

    fn bytes(owners: &Vec<NativeOwner>) -> usize {
        owners.len() * size_of::<NativeOwner>()
    }
}

/// A member that keeps a buffer, and the object that it holds.
#[derive(Clone)]
struct Member {
    name: ShortName,
    object: ObjectId,
}

impl Member {
    fn key(&self) -> &str {
        &self.name.qualified
    }

    /// True if the application or a library has it.
    fn is_of_program(&self) -> bool {
        self.name.origin != Origin::Runtime
    }
}

/// What keeps a buffer: the nearest member, the member that keeps the object with that, and so on. Empty if nothing in the
/// source names it.
type Keeper = Vec<Member>;

/// Members of the keepers of all buffers.
#[derive(Default)]
struct Members {
    /// By key, an object that has the member, and whether others have it, too.
    objects: HashMap<String, (ObjectId, bool)>,
}

impl Members {
    fn add(&mut self, keeper: &Keeper) {
        for member in keeper {
            let entry = self.objects.entry(member.key().to_owned()).or_insert((member.name.object, false));
            entry.1 |= entry.0 != member.name.object;
        }
    }

    /// The member to name: the nearest that one object has. A field of many objects says less than what keeps these.
    fn named<'a>(&self, keeper: &'a Keeper) -> Option<&'a Member> {
        let is_of_one = |member: &&Member| self.objects.get(member.key()).is_some_and(|&(_, several)| !several);
        keeper.iter().find(is_of_one).or(keeper.first())
    }
}

/// Owners of what the live objects have outside of the heap, most bytes first, then most objects.
pub fn native_owners(namer: Namer<'_>, task: &Task) -> Result<Vec<NativeOwner>, Cancelled> {
    let mut owned = native_objects(namer.dump, task)?;
    owned.sort_by_key(|owned| (std::cmp::Reverse(owned.bytes), owned.object));
    owned.truncate(NAMED);
    task.step("Looking for owners of native memory", Unit::Objects, owned.len() as u64);
    let (mut names, mut members) = (HashMap::new(), Members::default());
    let mut keepers: Vec<Vec<Keeper>> = Vec::with_capacity(owned.len());
    for one in &owned {
        task.checkpoint()?;
        let of_one = keepers_of(namer, *one, &mut names, task)?;
        of_one.iter().for_each(|keeper| members.add(keeper));
        keepers.push(of_one);
        task.advance(1);
    }
    let named: Vec<Vec<&Member>> = keepers.iter().map(|of_one| distinct(of_one, &members)).collect();
    let mut by_name: HashMap<&str, (u64, u64)> = HashMap::new();
    for (one, of_one) in owned.iter().zip(&named) {
        for member in of_one {
            let sum = by_name.entry(member.key()).or_default();
            *sum = (sum.0 + one.bytes.0, sum.1 + 1);
        }
    }
    let mut owners: BTreeMap<(String, NativeKind), NativeOwner> = BTreeMap::new();
    for (one, of_one) in owned.iter().zip(&named) {
        // The member of the program that keeps most; of equals the first by name.
        let most = of_one
            .iter()
            .max_by_key(|member| (member.is_of_program(), by_name.get(member.key()), std::cmp::Reverse(member.key())));
        let name = most.map(|member| &member.name);
        let key = most.map(|member| member.key().to_owned()).unwrap_or_default();
        let owner = owners.entry((key, one.kind)).or_insert_with(|| NativeOwner {
            name: name.map(|name| name.clone().without_steps().to_string()),
            qualified: name.map(|name| name.clone().without_steps().qualified_text()),
            object: most.map_or(one.object, |member| member.object),
            kind: one.kind,
            objects: 0,
            bytes: Bytes(0),
            shared: Bytes(0),
            is_of_program: most.is_some_and(|member| member.is_of_program()),
        });
        owner.objects += 1;
        owner.bytes += one.bytes;
        owner.shared += if of_one.len() > 1 { one.bytes } else { Bytes(0) };
    }
    let mut owners: Vec<NativeOwner> = owners.into_values().collect();
    owners.sort_by_key(|owner| std::cmp::Reverse((owner.bytes, owner.objects)));
    Ok(owners)
}

/// The members to name of some keepers, each once.
fn distinct<'a>(keepers: &'a [Keeper], members: &Members) -> Vec<&'a Member> {
    let mut named: Vec<&Member> = Vec::new();
    for member in keepers.iter().filter_map(|keeper| members.named(keeper)) {
        if named.iter().all(|other| other.key() != member.key()) {
            named.push(member);
        }
    }
    named
}

/// Names by object, of what was named before.
type Names = HashMap<ObjectId, Option<ShortName>>;

/// What keeps an object with native memory. If nothing of the program is near, the objects of the runtime that keep it may
/// be kept by several: a file of classes is in a table of the runtime, and in the loader that reads it.
fn keepers_of(namer: Namer<'_>, owned: NativeMemory, names: &mut Names, task: &Task) -> Result<Vec<Keeper>, Cancelled> {
    let (dump, runtime) = (namer.dump, namer.dump.answers.runtime_classes());
    let is_of_program = |keeper: &Keeper| keeper.iter().any(Member::is_of_program);
    let mut near = nearest_keepers(dump, owned.object);
    let first = named_keepers(namer, &near, names, task)?;
    if first.iter().any(is_of_program) || names.len() > 2 * NAMED {
        return Ok(first);
    }
    let mut seen: HashSet<ObjectId> = near.iter().copied().collect();
    for _ in 0..LEVELS {
        near.retain(|&object| runtime.contains(&dump.heap.class(object).name));
        let above = near.iter().flat_map(|&object| keepers(dump, object).0);
        near = above.filter(|&object| seen.insert(object)).take(NEAR).collect();
        let named = named_keepers(namer, &near, names, task)?;
        if named.iter().any(is_of_program) {
            return Ok(named);
        }
    }
    Ok(first)
}

/// The members that keep some objects, each once.
fn named_keepers(
    namer: Namer<'_>,
    near: &[ObjectId],
    names: &mut Names,
    task: &Task,
) -> Result<Vec<Keeper>, Cancelled> {
    let mut keepers: Vec<Keeper> = Vec::new();
    for &from in near {
        let keeper = members_above(namer, from, names, task)?;
        let key = |keeper: &Keeper| keeper.first().map(|member| member.key().to_owned());
        if !keeper.is_empty() && keepers.iter().all(|other| key(other) != key(&keeper)) {
            keepers.push(keeper);
        }
        if keepers.len() >= OWNERS {
            break;
        }
    }
    Ok(keepers)
}

/// The member that keeps an object, the one that keeps the object with that member, and so on.
fn members_above(namer: Namer<'_>, object: ObjectId, names: &mut Names, task: &Task) -> Result<Keeper, Cancelled> {
    let (mut keeper, mut at) = (Keeper::new(), object);
    for _ in 0..LEVELS {
        let known = names.get(&at).cloned();
        let name = match known {
            Some(name) => name,
            None => {
                let name = namer.short_name(at, task)?;
                names.insert(at, name.clone());
                name
            }
        };
        let Some(name) = name else { break };
        let above = name.object;
        let is_known = keeper.iter().any(|member: &Member| member.name.object == above);
        keeper.push(Member { object: held_by(namer.dump, above, at), name });
        if is_known || above == at {
            break;
        }
        at = above;
    }
    Ok(keeper)
}

/// The objects that keep an object, the nearest to a GC root first, which names it best. For a view of a buffer, and for what
/// the engine puts between a buffer and its owner, these are the objects that keep that.
fn nearest_keepers(dump: DumpData<'_>, object: ObjectId) -> Vec<ObjectId> {
    let (mut holding, mut at) = (Vec::new(), vec![object]);
    for _ in 0..LEVELS {
        let mut views = Vec::new();
        for below in std::mem::take(&mut at) {
            let (mut keeping, _) = keepers(dump, below);
            keeping.sort_by_key(|&from| (dump.analysis.distance(from), from));
            keeping.truncate(4 * OWNERS);
            for from in keeping {
                if is_view(dump, from) { views.push(from) } else { holding.push(from) }
            }
        }
        views.sort_unstable();
        views.dedup();
        views.truncate(4 * OWNERS);
        at = views;
    }
    holding.extend(at);
    holding.sort_by_key(|&from| (dump.analysis.distance(from), from));
    holding.dedup();
    holding
}

/// True of a buffer, or a view of one.
fn is_view(dump: DumpData<'_>, object: ObjectId) -> bool {
    let class = &*dump.heap.class(object).name;
    match dump.heap.snapshot() {
        Some(_) => BUFFERS.contains(&class) || class.ends_with("Array") && class != "Array",
        None => class.starts_with("java.nio.") && class.contains("Buffer"),
    }
}

/// The object below `holder` on the way down the dominator tree to `object`: what the member of the holder refers to.
fn held_by(dump: DumpData<'_>, holder: ObjectId, object: ObjectId) -> ObjectId {
    const STEPS: usize = 1 << 12;
    let mut at = object;
    for _ in 0..STEPS {
        match dump.analysis.immediate_dominator(at) {
            Some(above) if above == holder => return at,
            Some(above) => at = above,
            None => return object,
        }
    }
    object
}
