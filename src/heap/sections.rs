//! The names of the columns in a stored analysis.

use crate::graph::degrees::Names;
use crate::graph::links::LinkNames;
use crate::graph::sums::SumNames;

pub(super) const ADDRESS_FOLDERS: &str = "address.folders";
pub(super) const ADDRESS_PAGES: &str = "address.pages";
pub(super) const ADDRESS_LINES: &str = "address.lines";
pub(super) const ADDRESS_BASES: &str = "address.bases";
pub(super) const ADDRESS_LIST: &str = "address.list";
pub(super) const CLASS: &str = "object.class";
pub(super) const SHALLOW: &str = "object.shallow";
pub(super) const WIDE_ROWS: &str = "object.shallow.wide.rows";
pub(super) const WIDE_SIZES: &str = "object.shallow.wide.sizes";
pub(super) const PLACE_LOW: &str = "object.place.low";
pub(super) const PLACE_HIGH: &str = "object.place.high";
pub(super) const REGION: &str = "object.region";
pub(super) const NATIVE_ROWS: &str = "object.native.rows";
pub(super) const NATIVE_BYTES: &str = "object.native.bytes";
pub(super) const REFERENTS: &str = "references.referents";
pub(super) const REFERENCES: LinkNames = LinkNames {
    starts: Names {
        degrees: "references.degrees",
        bases: "references.bases",
        long_rows: "references.long.rows",
        long_degrees: "references.long.degrees",
    },
    targets: "references.targets",
};
pub(super) const RETAINERS: LinkNames = LinkNames {
    starts: Names {
        degrees: "retainers.degrees",
        bases: "retainers.bases",
        long_rows: "retainers.long.rows",
        long_degrees: "retainers.long.degrees",
    },
    targets: "retainers.sources",
};
pub(super) const DISTANCE: &str = "ways.distance";
pub(super) const KEPT_WAYS: &str = "ways.kept.objects";
pub(super) const KEPT_BEFORE: &str = "ways.kept.before";
pub(super) const ONLY_LOOSELY: &str = "ways.only-loosely";
pub(super) const LOOSE_STRENGTHS: &str = "ways.only-loosely.strengths";
/// Shallow sizes by place in the dominator tree, and of those what lies in each kind of region, in their order.
pub(super) const SUMS: SumNames = SumNames { bases: "sums.bases", inside: "sums.inside", wide: "sums.inside.wide" };
pub(super) const REGION_SUMS: [SumNames; 5] = [
    SumNames { bases: "sums.app.bases", inside: "sums.app.inside", wide: "sums.app.inside.wide" },
    SumNames { bases: "sums.zygote.bases", inside: "sums.zygote.inside", wide: "sums.zygote.inside.wide" },
    SumNames { bases: "sums.image.bases", inside: "sums.image.inside", wide: "sums.image.inside.wide" },
    SumNames { bases: "sums.default.bases", inside: "sums.default.inside", wide: "sums.default.inside.wide" },
    SumNames { bases: "sums.other.bases", inside: "sums.other.inside", wide: "sums.other.inside.wide" },
];
pub(super) const NATIVE_SUMS: SumNames =
    SumNames { bases: "sums.native.bases", inside: "sums.native.inside", wide: "sums.native.inside.wide" };
