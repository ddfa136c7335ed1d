//! A job that fails because of a bug or out of memory does not affect anything else. Runs in a separate process, since
//! running out of memory affects all tests of a process.

use std::sync::Arc;
use std::time::Duration;

use heaplens_base::storage::{MemoryBudget, OutOfMemory};
use heaplens_base::{Task, task};
use heaplens_session::{JobError, Jobs};

fn ended<T: Send + 'static>(jobs: &Jobs, work: fn(&Task) -> Result<T, JobError>) -> Result<T, JobError> {
    let job = jobs.start("a job", work);
    loop {
        match job.poll() {
            Some(ended) => return ended,
            None => std::thread::sleep(Duration::from_millis(1)),
        }
    }
}

#[test]
fn a_job_out_of_memory_fails_alone() {
    let jobs = Jobs::new(Arc::new(|| {}));
    let panics = |_: &Task| -> Result<u32, JobError> { panic!("a mistake of ours") };
    let failed = ended(&jobs, panics);
    assert_eq!(failed, Err(JobError::Failed("internal error: a mistake of ours".to_owned())));
    // More than any machine has.
    let greedy = |_: &Task| -> Result<usize, JobError> { Ok(MemoryBudget::default().scratch::<u8>(1 << 62).len()) };
    let failed = ended(&jobs, greedy);
    assert!(matches!(&failed, Err(JobError::Failed(why)) if why.contains("not enough memory")), "{failed:?}");
    let starves = |task: &Task| -> Result<u32, JobError> {
        task::starve();
        task.checkpoint()?;
        Ok(1)
    };
    assert_eq!(ended(&jobs, starves), Err(JobError::Failed(OutOfMemory::unknown().to_string())));
    // Later jobs have memory again.
    assert_eq!(ended(&jobs, |task: &Task| task.checkpoint().map(|()| 7).map_err(JobError::from)), Ok(7));
}
