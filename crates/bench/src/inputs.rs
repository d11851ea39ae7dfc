//! State planes that the kit counts as given: read before the clock starts.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// Why an operation could not be run.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// The operation is not one of ours.
    #[error("operation {0}: expected one of {1}")]
    UnknownOperation(String, String),
    /// An input could not be opened.
    #[error("{}: {source}", path.display())]
    Open {
        /// File.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// An input is not what the kit makes.
    #[error("{}: {reason}", path.display())]
    Content {
        /// File.
        path: PathBuf,
        /// Expected and found.
        reason: String,
    },
}

/// A plane of cell states: 0 free, 1 unknown, 2 occupied, in image order.
pub struct States {
    /// One byte per cell.
    pub cells: Vec<u8>,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
}

/// Reads `folder/name.png` and classifies it with the kit's thresholds.
pub fn states(folder: &Path, name: &str) -> Result<States, BenchError> {
    let path = folder.join(format!("{name}.png"));
    let file = File::open(&path).map_err(|source| BenchError::Open { path: path.clone(), source })?;
    let content = |reason: String| BenchError::Content { path: path.clone(), reason };
    let mut reader =
        png::Decoder::new(BufReader::new(file)).read_info().map_err(|e| content(e.to_string()))?;
    let size = reader.output_buffer_size().ok_or_else(|| content("too large".to_owned()))?;
    let mut cells = vec![0; size];
    let frame = reader.next_frame(&mut cells).map_err(|e| content(e.to_string()))?;
    let (width, height) = (frame.width as usize, frame.height as usize);
    if frame.buffer_size() != width * height {
        return Err(content("expected 8-bit greyscale".to_owned()));
    }
    cells.truncate(width * height);
    let states: [u8; 256] = std::array::from_fn(|byte| state_of(byte as u8));
    cells.iter_mut().for_each(|cell| *cell = states[usize::from(*cell)]);
    Ok(States { cells, width, height })
}

/// The kit's thresholds: occupied above 0.65, free below 0.196.
fn state_of(byte: u8) -> u8 {
    let p = (255.0 - f64::from(byte)) / 255.0;
    if p > 0.65 {
        2
    } else if p < 0.196 {
        0
    } else {
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_bytes_have_their_states() {
        assert_eq!([254, 205, 0].map(state_of), [0, 1, 2]);
    }
}
