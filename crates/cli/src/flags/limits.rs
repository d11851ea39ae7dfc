//! How much memory and time a command may take.

use std::time::Duration;

use mapjudge::files::contest::WorkerLimits;
use model::MemoryLimit;

/// For one submission of a contest, where nothing else is said.
const SUBMISSION_SECONDS: f64 = 120.0;

/// Limits of a run, whatever its files ask for.
#[derive(clap::Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Limits")]
pub struct LimitFlags {
    /// Memory that maps may take: a number of bytes, or such as 512MiB or 4GiB [default: 2GiB]. A map that would need more
    /// is refused before it is read, a metric that would is undefined.
    #[arg(long, global = true, value_name = "SIZE", value_parser = parse_size, help_heading = "Of every command")]
    pub max_memory: Option<u64>,
    /// Seconds after which the command gives up with exit code 2 [default: none]. For `contest`, seconds of one submission,
    /// after which it is broken and the others are judged [default: 120].
    #[arg(long, global = true, value_name = "S", value_parser = parse_seconds, help_heading = "Of every command")]
    pub max_seconds: Option<f64>,
}

/// Bytes per unit; the first that fits counts.
const UNITS: [(&str, u64); 8] = [
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("TiB", 1 << 40),
    ("kB", 1000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("B", 1),
];
/// Less does not hold the program itself.
const MIN_BYTES: u64 = 64 << 20;

/// A size in bytes: a number with or without a unit.
///
/// # Errors
/// No number, an unknown unit, or less than 64 MiB.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let expected = || format!("'{text}': expected a size of at least 64MiB, such as 512MiB or 2GiB");
    bytes_of(text).filter(|bytes| *bytes >= MIN_BYTES).ok_or_else(expected)
}

/// Room in bytes, which may be none: a number with or without a unit.
///
/// # Errors
/// No number, or an unknown unit.
pub fn parse_room(text: &str) -> Result<u64, String> {
    bytes_of(text).ok_or_else(|| format!("'{text}': expected a size such as 256MB, or 0"))
}

fn bytes_of(text: &str) -> Option<u64> {
    let (number, unit) =
        UNITS.iter().find_map(|(name, bytes)| Some((text.strip_suffix(name)?, *bytes))).unwrap_or((text, 1));
    number.trim().parse::<u64>().ok()?.checked_mul(unit)
}

/// Seconds above 0.
///
/// # Errors
/// No number, or one out of range.
pub fn parse_seconds(text: &str) -> Result<f64, String> {
    const MAX_S: f64 = 1e7;
    let seconds = text.parse().ok().filter(|seconds| (0.001..=MAX_S).contains(seconds));
    seconds.ok_or_else(|| format!("'{text}': expected a number of seconds above 0, at most {MAX_S}"))
}

impl LimitFlags {
    /// The limit of memory in bytes.
    pub fn max_memory_bytes(&self) -> u64 {
        self.max_memory.unwrap_or(MemoryLimit::DEFAULT.bytes())
    }

    /// What judging one submission of a contest may take.
    pub fn of_submission(&self) -> WorkerLimits {
        let max_time = Duration::from_secs_f64(self.max_seconds.unwrap_or(SUBMISSION_SECONDS));
        WorkerLimits { max_memory_bytes: self.max_memory_bytes(), max_time }
    }

    /// Puts the limit of memory into force for this process.
    pub fn enforce_memory(&self) {
        MemoryLimit::set(self.max_memory_bytes());
    }

    /// Puts the limit of time into force for this process; `expired` is called once it is over, from a thread of its own.
    pub fn enforce_time(&self, expired: impl FnOnce(f64) + Send + 'static) {
        if let Some(seconds) = self.max_seconds {
            std::thread::spawn(move || {
                std::thread::sleep(Duration::from_secs_f64(seconds));
                expired(seconds);
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        assert_eq!(parse_size("2GiB"), Ok(2 << 30));
        assert_eq!(parse_size("512 MiB"), Ok(512 << 20));
        assert_eq!(parse_size("3GB"), Ok(3_000_000_000));
        assert_eq!(parse_size("134217728"), Ok(1 << 27));
        for wrong in ["", "2", "GiB", "-1GiB", "1.5GiB", "2gb", "18446744073709551615GiB", "1MiB"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn room_may_be_none() {
        assert_eq!((parse_room("0"), parse_room("256MB")), (Ok(0), Ok(256_000_000)));
        assert!(parse_room("-1").is_err() && parse_room("much").is_err());
    }

    #[test]
    fn seconds_are_above_0() {
        assert_eq!(parse_seconds("0.5"), Ok(0.5));
        for wrong in ["0", "-1", "NaN", "inf", "1e300", "x"] {
            assert!(parse_seconds(wrong).is_err(), "{wrong}");
        }
    }
}
