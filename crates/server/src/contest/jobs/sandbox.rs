//! A process that shuts itself in before it opens a file of a stranger: limits of the system, and where the kernel has
//! Landlock (Linux 5.13), no file but those of its scratch folder and no connection.
//!
//! It must be called before the process starts threads: what holds for a thread holds for those that it starts.

use std::path::Path;

use super::task::ChildLimits;

/// Open files: the scratch folder is read file by file.
#[cfg(unix)]
const MAX_OPEN_FILES: u64 = 64;
/// Seconds of CPU beyond those of the clock, so that the clock decides first.
#[cfg(unix)]
const CPU_MARGIN_S: u64 = 5;

/// How far a process is shut in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enclosure {
    /// Limits, and no file but those of its folder.
    Files,
    /// Limits alone: the kernel has no more to offer.
    LimitsAlone,
}

/// Shuts this process in.
///
/// # Errors
/// The system refuses a limit.
#[cfg(unix)]
pub fn shut_in(scratch: &Path, limits: &ChildLimits) -> Result<Enclosure, String> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let cpu_s = (limits.max_time.as_secs() + 1) * limits.threads.max(1) as u64 + CPU_MARGIN_S;
    let all = [
        (Resource::As, limits.max_memory_bytes),
        (Resource::Cpu, cpu_s),
        // It writes to a pipe, and to no file.
        (Resource::Fsize, 0),
        (Resource::Core, 0),
        (Resource::Nofile, MAX_OPEN_FILES),
    ];
    for (resource, limit) in all {
        let limit = Rlimit { current: Some(limit), maximum: Some(limit) };
        setrlimit(resource, limit).map_err(|error| format!("a limit of the process: {error}"))?;
    }
    landlocked(scratch)
}

/// Other systems have no such limits.
#[cfg(not(unix))]
pub fn shut_in(_: &Path, _: &ChildLimits) -> Result<Enclosure, String> {
    Ok(Enclosure::LimitsAlone)
}

#[cfg(target_os = "linux")]
fn landlocked(scratch: &Path) -> Result<Enclosure, String> {
    use landlock::{
        ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetStatus,
        path_beneath_rules,
    };
    // What an older kernel does not know is left out.
    let abi = ABI::V5;
    let failed = |error: landlock::RulesetError| format!("landlock: {error}");
    let status = Ruleset::default()
        .handle_access(AccessFs::from_all(abi))
        .and_then(|rules| rules.handle_access(AccessNet::from_all(abi)))
        .and_then(Ruleset::create)
        .and_then(|rules| {
            rules.add_rules(path_beneath_rules([scratch], AccessFs::ReadFile | AccessFs::ReadDir))
        })
        .and_then(landlock::RulesetCreated::restrict_self)
        .map_err(failed)?;
    let is_shut_in = status.ruleset != RulesetStatus::NotEnforced;
    Ok(if is_shut_in { Enclosure::Files } else { Enclosure::LimitsAlone })
}

#[cfg(all(unix, not(target_os = "linux")))]
fn landlocked(_: &Path) -> Result<Enclosure, String> {
    Ok(Enclosure::LimitsAlone)
}
