//! How much memory a test took.

/// Forgets the peak of resident memory so far, where the system can.
pub fn forget_peak_memory() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// Resident memory of this process in bytes: at its peak, and now; none where the system does not tell.
pub fn resident_memory() -> Option<(u64, u64)> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kib = |name: &str| -> Option<u64> {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().strip_suffix(" kB")?.parse().ok()
    };
    Some((kib("VmHWM:")? * 1024, kib("VmRSS:")? * 1024))
}

/// Fails if this process ever held more resident memory than so many MiB. Says nothing where the system does not
/// tell; run each test in a process of its own, as nextest does, to measure it alone.
#[track_caller]
pub fn check_peak_memory(limit_mib: u64) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let Some(peak_kib) = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok()) else {
        crate::skip("the system does not report peak memory");
        return;
    };
    eprintln!("peak memory: {} MiB", peak_kib / 1024);
    assert!(peak_kib / 1024 < limit_mib, "{} MiB of at most {limit_mib} MiB", peak_kib / 1024);
}
