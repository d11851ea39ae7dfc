//! Where a robot was when: rows of `from_s,to_s,region[,ground]`, for errors by region and by ground.

use std::path::Path;

use metrics::trajectory::relation_groups::TimedRegion;

use super::loader::Loader;
use crate::JobError;

/// Larger files are no list of regions.
const MAX_REGIONS_BYTES: u64 = 1 << 20;
const COLUMNS: &str = "from_s,to_s,region,ground";

/// Reads the intervals of a file, in its order.
///
/// # Errors
/// The file cannot be read, a row has other fields, or an interval is empty or lies in another one.
pub fn read_regions(path: &Path) -> Result<Vec<TimedRegion>, JobError> {
    let text = Loader::default().text(path, MAX_REGIONS_BYTES)?.value;
    let wrong = |line: usize, message: String| JobError::JobFile {
        path: format!("{}:{line}", path.display()),
        message: format!("{message}; expected {COLUMNS}"),
    };
    let mut regions: Vec<TimedRegion> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line_number = index + 1;
        if line.trim().is_empty() || line.starts_with('#') || line.starts_with("from_s") {
            continue;
        }
        let region = region(line).map_err(|message| wrong(line_number, message))?;
        let is_shared = |other: &TimedRegion| region.from_s < other.to_s && other.from_s < region.to_s;
        if let Some(other) = regions.iter().find(|other| is_shared(other)) {
            let message = format!("the interval overlaps {} to {} s", other.from_s, other.to_s);
            return Err(wrong(line_number, message));
        }
        regions.push(region);
    }
    if regions.is_empty() {
        return Err(wrong(1, "found no interval".to_owned()));
    }
    Ok(regions)
}

fn region(line: &str) -> Result<TimedRegion, String> {
    let fields: Vec<&str> = line.split(',').map(str::trim).collect();
    let (from, to, region, ground) = match fields[..] {
        [from, to, region] => (from, to, region, None),
        [from, to, region, ground] => (from, to, region, Some(ground)),
        _ => return Err(format!("found {} fields", fields.len())),
    };
    let time = |text: &str| match text.parse::<f64>() {
        Ok(time_s) if time_s.is_finite() => Ok(time_s),
        _ => Err(format!("'{text}' is no time in seconds")),
    };
    let (from_s, to_s) = (time(from)?, time(to)?);
    if from_s >= to_s {
        return Err(format!("the interval from {from_s} to {to_s} s is empty"));
    }
    if region.is_empty() {
        return Err("the region has no name".to_owned());
    }
    let ground = ground.filter(|ground| !ground.is_empty()).map(str::to_owned);
    Ok(TimedRegion { from_s, to_s, region: region.to_owned(), ground })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<TimedRegion>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("regions.csv");
        std::fs::write(&path, text).unwrap();
        read_regions(&path).map_err(|error| error.to_string())
    }

    #[test]
    fn rows_are_read_with_and_without_ground() {
        let found =
            read("from_s,to_s,region,ground\n0,10,hall,flat\n10, 20, maze, ramp\n20,30,yard\n").unwrap();
        assert_eq!(
            (found.len(), found[1].region.as_str(), found[1].ground.as_deref()),
            (3, "maze", Some("ramp"))
        );
        assert_eq!(found[2].ground, None);
    }

    #[test]
    fn bad_rows_are_refused_with_their_line() {
        for (text, expected) in [
            ("0,10,hall\n5,20,maze\n", "overlaps 0 to 10 s"),
            ("0,10\n", "found 2 fields"),
            ("0,x,hall\n", "'x' is no time"),
            ("10,10,hall\n", "is empty"),
            ("0,1,\n", "no name"),
            ("# nothing\n", "found no interval"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
