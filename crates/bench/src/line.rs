//! The one line of JSON that the kit reads.

use serde_json::{Value, json};

use crate::measure::Cost;

/// Result of one operation: what it cost and what it computed.
pub struct Line {
    pub op: String,
    /// Side of the maps in cells.
    pub size: usize,
    /// Name of the damaged map.
    pub map: String,
    pub cost: Cost,
    /// Fields the kit compares with the peer's.
    pub value: Value,
}

impl Line {
    /// Writes the line to stdout.
    #[allow(clippy::print_stdout, reason = "the line is this program's result")]
    pub fn print(&self) {
        let line = json!({
            "op": self.op, "size": self.size, "map": self.map,
            "cpu_s": self.cost.cpu_s, "wall_s": self.cost.wall_s, "peak_mb": self.cost.peak_mb,
            "value": self.value,
        });
        println!("{line}");
    }
}
