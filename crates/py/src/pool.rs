//! Work outside of the interpreter's lock, on threads of our own.
//!
//! The threads of a process do not exist in its forked children, so that a child which waits for them waits for ever. A
//! pool is therefore kept with the process that made it; another process makes its own and forgets the old one.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use mapjudge::Stop;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::errors::internal;

/// As large as that of a main thread: commands run on it.
const STACK_BYTES: usize = 8 << 20;
/// Python looks at Ctrl-C this often.
const LOOK: Duration = Duration::from_millis(50);
/// After Ctrl-C the work gets this long to end between two metrics; then it goes on alone, and nobody waits for it.
const GRACE: Duration = Duration::from_millis(800);

/// A pool that works for nobody, or the one that calls without a number of threads share.
struct Kept {
    process: u32,
    threads: usize,
    pool: Arc<ThreadPool>,
}

static POOLS: Mutex<Vec<Kept>> = Mutex::new(Vec::new());

/// A pool with so many threads; 0 for one per core. That of all cores is shared; a call that names a number has its threads
/// for itself, so that two threads of Python do not wait for each other.
fn take_pool(threads: usize) -> Result<Arc<ThreadPool>, String> {
    let process = std::process::id();
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    if pools.iter().any(|kept| kept.process != process) {
        // Its threads are not here: dropping it would wait for them.
        std::mem::forget(std::mem::take(&mut *pools));
    }
    if let Some(index) = pools.iter().position(|kept| kept.threads == threads) {
        let is_shared = threads == 0;
        return Ok(if is_shared { Arc::clone(&pools[index].pool) } else { pools.swap_remove(index).pool });
    }
    let builder = ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK_BYTES);
    let pool = builder.thread_name(|index| format!("mapjudge-{index}")).build();
    let pool = Arc::new(pool.map_err(|error| error.to_string())?);
    if threads == 0 {
        pools.push(Kept { process, threads, pool: Arc::clone(&pool) });
    }
    Ok(pool)
}

/// Keeps a pool for later calls once its work is done.
fn give_back(threads: usize, pool: Arc<ThreadPool>) {
    if threads > 0 {
        let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
        pools.push(Kept { process: std::process::id(), threads, pool });
    }
}

/// Lets later calls have other threads than those that go on with work nobody waits for.
fn abandon(pool: &Arc<ThreadPool>) {
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    pools.retain(|kept| !Arc::ptr_eq(&kept.pool, pool));
}

/// Does work on a pool while other threads of Python run. Ctrl-C asks it to stop.
pub fn without_lock<T: Send + 'static>(
    py: Python<'_>,
    threads: usize,
    stop: &Stop,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let pool = py.detach(|| take_pool(threads)).map_err(|error| internal(py, &error))?;
    let (send, receive) = sync_channel(1);
    pool.spawn(move || {
        // Nobody listens any more after Ctrl-C.
        let _ = send.send(catch_unwind(AssertUnwindSafe(work)));
    });
    let receive = Mutex::new(receive);
    let wait = |time: Duration| {
        let receive = receive.lock().unwrap_or_else(PoisonError::into_inner);
        receive.recv_timeout(time)
    };
    loop {
        match py.detach(|| wait(LOOK)) {
            Ok(Ok(value)) => {
                give_back(threads, pool);
                return Ok(value);
            }
            Ok(Err(panic)) => {
                give_back(threads, pool);
                return Err(internal(py, &words_of(panic.as_ref())));
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(internal(py, "a thread ended without a result"));
            }
            Err(RecvTimeoutError::Timeout) => {
                if let Err(interrupt) = py.check_signals() {
                    stop.ask();
                    match py.detach(|| wait(GRACE)) {
                        Ok(_) => give_back(threads, pool),
                        Err(_) => abandon(&pool),
                    }
                    return Err(interrupt);
                }
            }
        }
    }
}

fn words_of(panic: &(dyn Any + Send)) -> String {
    let words = panic.downcast_ref::<String>().cloned();
    let words = words.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
    words.unwrap_or_else(|| "a fault without words".to_owned())
}
