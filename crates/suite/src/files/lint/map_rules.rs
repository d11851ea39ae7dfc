//! Rules for any map: does it show something, and is its scale believable?

use model::{CellClass, Finding, Grid, Level};

/// Findings about the cells and the geometry of a map.
pub fn check(grid: &Grid) -> Vec<Finding> {
    let [free, unknown, occupied] = grid.class_counts();
    let cell_size_m = grid.geometry().cell_size_m();
    let mut findings = Vec::new();
    if occupied == 0 {
        let message = "the map has no occupied cell; walls may have been lost when it was saved";
        findings.push(Finding::warning("NO_WALLS", message).hint("check thresholds and negate"));
    }
    if free == 0 {
        let message = "the map has no free cell; nothing in it can be driven";
        findings.push(Finding::warning("NO_FREE_SPACE", message).hint("check thresholds and negate"));
    }
    if unknown == 0 && free > 0 && occupied > 0 {
        let message = "the map knows every cell; unknown may have been lost when it was saved";
        findings.push(Finding::new(Level::Info, "NO_UNKNOWN", message));
    }
    if occupied > free && free > 0 {
        let message = format!("{occupied} cells are occupied and only {free} free; the map may be negated");
        findings.push(Finding::new(Level::Info, "MORE_WALLS_THAN_SPACE", message).hint("check negate"));
    }
    if !(0.005..=0.5).contains(&cell_size_m) {
        let message = format!("cells of {cell_size_m} m are unusual; maps have 0.01 to 0.1 m");
        findings
            .push(Finding::new(Level::Info, "UNUSUAL_CELL_SIZE", message).hint("check that it is in metres"));
    }
    let open = open_border_cells(grid);
    if open > 0 {
        let message =
            format!("{open} free cells touch the border of the image; the map may have been cut off");
        findings.push(Finding::new(Level::Info, "FREE_AT_BORDER", message));
    }
    findings
}

fn open_border_cells(grid: &Grid) -> usize {
    let (width, height) = (grid.geometry().width(), grid.geometry().height());
    let at_border = |index: &usize| {
        let (row, column) = (index / width, index % width);
        row == 0 || row + 1 == height || column == 0 || column + 1 == width
    };
    let free = grid.classes().iter().enumerate().filter(|(_, class)| **class == CellClass::Free);
    free.map(|(index, _)| index).filter(at_border).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(rows: &[&str]) -> Vec<String> {
        let grid = testkit::grid_at(rows, 0.05, model::Pose2::IDENTITY);
        check(&grid).iter().map(|finding| finding.code.to_string()).collect()
    }

    #[test]
    fn a_closed_room_with_unknown_around_is_fine() {
        let room = [
            "???????", "?#####?", "?#...#?", "?#...#?", "?#...#?", "?#...#?", "?#...#?", "?.....?", "???????",
        ];
        assert_eq!(codes(&room), [] as [&str; 0]);
    }

    #[test]
    fn empty_negated_and_cut_maps_are_noticed() {
        assert_eq!(codes(&["???", "?.?", "???"]), ["NO_WALLS"]);
        assert_eq!(codes(&["###"]), ["NO_FREE_SPACE"]);
        assert_eq!(codes(&["#.#", "..#"]), ["NO_UNKNOWN", "FREE_AT_BORDER"]);
    }
}
