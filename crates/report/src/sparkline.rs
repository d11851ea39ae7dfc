//! Numbers as a line of block characters, for tables and comments that can show no figure.

const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// What stands for a number that is missing.
const GAP: char = '·';

/// One character per value, the lowest block for the smallest; equal values are a line at half height.
pub(crate) fn sparkline(values: &[Option<f64>]) -> String {
    let finite = |value: &Option<f64>| value.filter(|value| value.is_finite());
    let low = values.iter().filter_map(finite).fold(f64::INFINITY, f64::min);
    let high = values.iter().filter_map(finite).fold(f64::NEG_INFINITY, f64::max);
    let block = |value: f64| {
        let share = if high > low { (value - low) / (high - low) } else { 0.4 };
        BLOCKS[((share * BLOCKS.len() as f64) as usize).min(BLOCKS.len() - 1)]
    };
    values.iter().map(|value| finite(value).map_or(GAP, block)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_runs_from_the_lowest_to_the_highest_block() {
        assert_eq!(sparkline(&[Some(0.0), None, Some(0.5), Some(1.0)]), "▁·▅█");
        assert_eq!(sparkline(&[Some(7.0), Some(7.0)]), "▄▄");
        assert_eq!(sparkline(&[None, Some(f64::NAN)]), "··");
        assert_eq!(sparkline(&[]), "");
    }
}
