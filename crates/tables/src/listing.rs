//! Where help, man pages and the manual list a command: below the job that it does, among the common ones or among the
//! others. A command declares it where it is declared.

/// Job of commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Job {
    /// Answers about a dump.
    Dump,
    /// Answers about some objects.
    Objects,
    /// Memory that holds no useful data.
    Waste,
    /// Answers about several dumps.
    Comparison,
    /// Processes: dumps of running ones, and the memory around a heap.
    Process,
    /// Files and answers for others.
    Sharing,
    /// The program itself.
    Program,
}

impl Job {
    /// All, in the order of the lists.
    pub const ALL: [Self; 7] =
        [Self::Dump, Self::Objects, Self::Waste, Self::Comparison, Self::Process, Self::Sharing, Self::Program];

    /// Heading of its commands.
    pub fn title(self) -> &'static str {
        match self {
            Self::Dump => "Look at a dump",
            Self::Objects => "Examine objects",
            Self::Waste => "Find wasted memory",
            Self::Comparison => "Compare dumps",
            Self::Process => "Look at a process",
            Self::Sharing => "Share and export",
            Self::Program => "Set up heaplens",
        }
    }

    /// Listing of a command that the help shows first.
    pub const fn common(self) -> Listing {
        Listing { job: self, is_common: true }
    }

    /// Listing of another command, which the help shows on request.
    pub const fn more(self) -> Listing {
        Listing { job: self, is_common: false }
    }
}

/// Where a command is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listing {
    /// What the command is for.
    pub job: Job,
    /// True if the help shows it first.
    pub is_common: bool,
}

/// Order of the first listing: greater than any order that clap gives by itself.
const FIRST: usize = 1_000;

impl Listing {
    /// Its order among all listings: by job, common commands first.
    pub const fn order(self) -> usize {
        FIRST + 2 * self.job as usize + !self.is_common as usize
    }

    /// The listing with an order; `None` if none has it.
    pub fn of_order(order: usize) -> Option<Self> {
        let all = Job::ALL.into_iter().flat_map(|job| [job.common(), job.more()]);
        all.into_iter().find(|listing| listing.order() == order)
    }
}
