//! Names of the columns in a stored analysis.

use heaplens_graph::{degrees::DegreeNames, links::LinkNames, sparse_sums::SparseNames, sums::SumNames};

pub(super) const ADDRESS_FOLDERS: &str = "address.folders";
pub(super) const ADDRESS_PAGES: &str = "address.pages";
pub(super) const ADDRESS_LINES: &str = "address.lines";
pub(super) const ADDRESS_BASES: &str = "address.bases";
pub(super) const ADDRESS_LIST: &str = "address.list";
pub(super) const ID_LOW: &str = "id.low";
pub(super) const ID_HIGH: &str = "id.high";
pub(super) const CLASS: &str = "object.class";
pub(super) const SHALLOW: &str = "object.shallow";
pub(super) const WIDE_ROWS: &str = "object.shallow.wide.rows";
pub(super) const WIDE_SIZES: &str = "object.shallow.wide.sizes";
pub(super) const OFFSET_LOW: &str = "object.place.low";
pub(super) const OFFSET_HIGH: &str = "object.place.high";
pub(super) const REGION: &str = "object.region";
pub(super) const NATIVE_ROWS: &str = "object.native.rows";
pub(super) const NATIVE_BYTES: &str = "object.native.bytes";
pub(super) const NATIVE_KINDS: &str = "object.native.kinds";
pub(super) const REFERENTS: &str = "references.referents";
pub(super) const REFERENCES: LinkNames = LinkNames {
    starts: DegreeNames {
        degrees: "references.degrees",
        bases: "references.bases",
        long_rows: "references.long.rows",
        long_degrees: "references.long.degrees",
    },
    targets: "references.targets",
};
pub(super) const RETAINERS: LinkNames = LinkNames {
    starts: DegreeNames {
        degrees: "retainers.degrees",
        bases: "retainers.bases",
        long_rows: "retainers.long.rows",
        long_degrees: "retainers.long.degrees",
    },
    targets: "retainers.sources",
};
pub(super) const NON_RETAINING: LinkNames = LinkNames {
    starts: DegreeNames {
        degrees: "beside.degrees",
        bases: "beside.bases",
        long_rows: "beside.long.rows",
        long_degrees: "beside.long.degrees",
    },
    targets: "beside.targets",
};
pub(super) const NON_RETAINING_REFERRERS: LinkNames = LinkNames {
    starts: DegreeNames {
        degrees: "beside.retainers.degrees",
        bases: "beside.retainers.bases",
        long_rows: "beside.retainers.long.rows",
        long_degrees: "beside.retainers.long.degrees",
    },
    targets: "beside.retainers.sources",
};
pub(super) const NON_RETAINING_KINDS: &str = "beside.kinds";
pub(super) const DETACHED: &str = "snapshot.detached";
pub(super) const DISTANCE: &str = "ways.distance";
pub(super) const KEPT_WAYS: &str = "ways.kept.objects";
pub(super) const KEPT_BEFORE: &str = "ways.kept.before";
pub(super) const ONLY_LOOSELY: &str = "ways.only-loosely";
pub(super) const LOOSE_STRENGTHS: &str = "ways.only-loosely.strengths";
/// Shallow sizes by position in the dominator tree.
pub(super) const SUMS: SumNames = SumNames { bases: "sums.bases", inside: "sums.inside", wide: "sums.inside.wide" };
/// The same for each kind of region, in order, and for native memory.
pub(super) const REGION_SUMS: [SparseNames; 5] = [
    SparseNames { starts: "sums.app.starts", preorders: "sums.app.places", sums: "sums.app" },
    SparseNames { starts: "sums.zygote.starts", preorders: "sums.zygote.places", sums: "sums.zygote" },
    SparseNames { starts: "sums.image.starts", preorders: "sums.image.places", sums: "sums.image" },
    SparseNames { starts: "sums.default.starts", preorders: "sums.default.places", sums: "sums.default" },
    SparseNames { starts: "sums.other.starts", preorders: "sums.other.places", sums: "sums.other" },
];
pub(super) const NATIVE_SUMS: SparseNames =
    SparseNames { starts: "sums.native.starts", preorders: "sums.native.places", sums: "sums.native" };
