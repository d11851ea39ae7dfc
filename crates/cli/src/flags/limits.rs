//! `--max-memory` and `--max-seconds`: what one submission may use.

/// What one submission may use.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Limits")]
pub struct LimitFlags {
    /// Memory for judging one submission: a number with KiB, MiB or GiB behind it. A submission that needs more is broken, and
    /// the others are judged.
    #[arg(long, default_value = "2GiB", value_name = "SIZE", value_parser = parse_bytes)]
    pub max_memory: u64,
    /// Seconds for judging one submission. One that takes longer is broken, and the others are judged.
    #[arg(long, default_value_t = 120.0, value_name = "S", value_parser = parse_seconds)]
    pub max_seconds: f64,
}

/// A size such as `2GiB`, `512 MiB`, `1.5GiB` or `1000000`.
fn parse_bytes(text: &str) -> Result<u64, String> {
    let expected = || "expected a size such as 2GiB or 512MiB, of at least 64MiB".to_owned();
    let number: String = text.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    let unit: f64 = match text[number.len()..].trim().to_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" | "kib" => 1024.0,
        "m" | "mb" | "mib" => 1_048_576.0,
        "g" | "gb" | "gib" => 1_073_741_824.0,
        _ => return Err(expected()),
    };
    let bytes = number.parse::<f64>().map_err(|_| expected())? * unit;
    // Below, the program itself does not start; above, no address has so many bits.
    let is_possible = (67_108_864.0..=1e15).contains(&bytes);
    if is_possible { Ok(bytes as u64) } else { Err(expected()) }
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.01..=1e6).contains(seconds));
    seconds.ok_or_else(|| "expected seconds, 0.01 to 1000000".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_with_their_unit() {
        let read = [("2GiB", 2 << 30), ("512 MiB", 512 << 20), ("1.5g", 3 << 29), ("100000000", 100_000_000)];
        for (text, bytes) in read {
            assert_eq!(parse_bytes(text), Ok(bytes), "{text}");
        }
        for text in ["", "GiB", "-1GiB", "2 XiB", "1", "1e9", "nan", "inf GiB", "99999999999999GiB", "2GiBé"]
        {
            assert!(parse_bytes(text).is_err(), "{text}");
        }
        assert!(parse_seconds("0").is_err() && parse_seconds("inf").is_err());
    }
}
