//! Image similarity Psi: for each colour, how far its cells lie from the same colour in the other map, in both directions.
//!
//! ```text
//! psi(a, b, c) = 1/#c(a) Σ min |p - q|₁      over cells p of a with colour c, q of b with colour c
//! Psi = Σ over colours c of psi(G, M, c) + psi(M, G, c)
//! ```
//!
//! Unit: cells. Range: 0 upwards. Better: lower.
//! Paper: Pellenz 2008, IV-C, equations 5 and 6 (Varsadan et al. 2008, after Birk 1996).
//! Departure: raw grey levels are first reduced to free, unknown and occupied; otherwise nearly every grey level
//! would be missing in the other image. A colour that one map lacks is not treated by the papers: `missing = max` (ours)
//! charges the largest distance of the window for each of its cells, `skip` leaves it out, `inf` makes the value undefined.
//! Unknown: a colour of its own; where only one map has it, it costs in proportion to its share of the cells.
//! Variants: `colours = occupied` compares walls alone (as `picture_distance`, but adding the two means instead of
//! pooling them); `distance = l2` is Euclidean; `layer = navigation` uses the five classes of a navigation layer.
//! Known bias: includes any misalignment, and rewards explored wall.
//! Sees: noise, shift, rotate, bend, cut, missing_wing, thick_walls, unseen, ghost_walls, blur, resolution, scale,
//! mirror; late: moved_room, closed_door, opened_wall. Damage of docs/lab.md, five generated floors.
//! Undefined: without a cell, or with `missing = inf` where one map lacks a colour.

use serde_json::json;

use super::colour_terms::{CellDistance, ColourTerms, Layer, Missing, colour_terms};
use crate::prelude::*;

/// Which colours are summed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Colours {
    /// All that occur in either map.
    #[default]
    All,
    /// All but unknown.
    Known,
    /// Occupied alone.
    Occupied,
}

impl Colours {
    fn contains(self, colour: &ColourTerms) -> bool {
        match self {
            Self::All => true,
            Self::Known => !colour.is_unknown,
            Self::Occupied => ["occupied", "untraversable", "victim"].contains(&colour.name),
        }
    }
}

/// Parameters of the image similarity.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ImageSimilarity {
    /// Which colours are summed. Default `all`, from the paper.
    pub colours: Colours,
    /// Distance between cells. Default `l1`, from the paper.
    pub distance: CellDistance,
    /// What a colour costs that only one map has. Default `max`, ours: the papers are silent.
    pub missing: Missing,
    /// Which classes are the colours. Default `cells`, ours: every map has them.
    pub layer: Layer,
}

impl Metric for ImageSimilarity {
    const SPEC: MetricSpec =
        MetricSpec::new(Family::Distance, "image_similarity", "M-PSI", "Image similarity Psi")
            .measured_in(Unit::Cells, Better::Lower)
            .best(0.0)
            .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let grids = case.grids()?;
        let terms = colour_terms(case, self.layer, self.distance)?;
        let mut score = Score::new(0.0);
        for colour in &terms {
            let value = colour.value(self.missing, grids);
            if self.colours.contains(colour) {
                score.value += value.ok_or(Reason::MissingColour)?;
                score = score.warn_if(colour.is_missing(), Reason::MissingColour);
            }
            let both = json!({
                "value": value,
                "truth_to_map": colour.truth_to_map.map(|d| d.facts()),
                "map_to_truth": colour.map_to_truth.map(|d| d.facts()),
            });
            score = score.with(colour.name, both);
        }
        let metres = score.value * grids.geometry().cell_size_m();
        Ok(score.with("value_m", metres).with("coverage", case.coverage()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{case, nearly};

    fn psi(params: &ImageSimilarity, truth: &[&str], map: &[&str]) -> Result<Score, Undefined> {
        Metric::evaluate(params, &case(truth, map))
    }

    fn occupied() -> ImageSimilarity {
        ImageSimilarity { colours: Colours::Occupied, ..Default::default() }
    }

    const G: [&str; 4] = ["#####", "#...#", "#...#", "#####"];
    const M: [&str; 4] = ["####.", "#...#", "#..#.", "####."];

    #[test]
    fn e1_terms_and_sum() {
        let score = psi(&ImageSimilarity::default(), &G, &M).unwrap();
        nearly(score.value, 3.0 / 14.0 + 1.0 / 12.0 + 1.0 / 6.0 + 5.0 / 8.0, 1e-12);
        let term = |colour: &str, way: &str| score.detail[colour][way]["mean"].as_f64().unwrap();
        nearly(term("occupied", "truth_to_map"), 0.214286, 5e-7);
        nearly(term("occupied", "map_to_truth"), 0.083333, 5e-7);
        nearly(term("free", "truth_to_map"), 0.166667, 5e-7);
        nearly(term("free", "map_to_truth"), 0.625, 5e-7);
        nearly(psi(&occupied(), &G, &M).unwrap().value, 0.297619, 5e-7);
    }

    #[test]
    fn e4_one_cell_moved_by_three() {
        let (g, m) = (["#....", ".....", "....."], ["...#.", ".....", "....."]);
        assert_eq!(psi(&occupied(), &g, &m).unwrap().value, 6.0);
        nearly(psi(&ImageSimilarity::default(), &g, &m).unwrap().value, 6.0 + 2.0 / 14.0, 1e-12);
    }

    #[test]
    fn e6_the_two_means_are_added() {
        let (g, m) = (["#..", "...", "..#"], ["###", "...", "..."]);
        assert_eq!(psi(&occupied(), &g, &m).unwrap().value, 2.0);
    }

    #[test]
    fn a_missing_wall_colour_costs_the_largest_distance() {
        let (g, m) = (["#....", ".....", "....."], [".....", ".....", "....."]);
        let score = psi(&occupied(), &g, &m).unwrap();
        assert_eq!(score.value, 6.0, "5 + 3 - 2");
        assert_eq!(score.warnings, [Reason::MissingColour]);
        let with = |missing| psi(&ImageSimilarity { missing, ..occupied() }, &g, &m);
        assert_eq!(with(Missing::Inf).unwrap_err().reasons, [Reason::MissingColour]);
        assert_eq!(with(Missing::Skip).unwrap().value, 0.0);
    }

    #[test]
    fn a_few_unknown_cells_cost_little() {
        let score = psi(&ImageSimilarity::default(), &["#.#.", "...."], &["#.#.", "...?"]).unwrap();
        // unknown: (4 + 2 - 2) * 1/8; free: the truth's free cell under it is one step from a free one, 1/6
        nearly(score.value, 0.5 + 1.0 / 6.0, 1e-12);
        assert_eq!(score.warnings, [Reason::MissingColour]);
    }

    #[test]
    fn euclidean_distances_are_shorter_on_the_diagonal() {
        let (g, m) = (["#..", "...", "..."], ["...", ".#.", "..."]);
        let l2 = ImageSimilarity { distance: CellDistance::L2, ..occupied() };
        nearly(psi(&l2, &g, &m).unwrap().value, 2.0 * 2.0f64.sqrt(), 1e-12);
        assert_eq!(psi(&occupied(), &g, &m).unwrap().value, 4.0);
    }

    #[test]
    fn maps_without_a_navigation_layer_say_so() {
        let params = ImageSimilarity { layer: Layer::Navigation, ..Default::default() };
        assert_eq!(psi(&params, &G, &M).unwrap_err().reasons, [Reason::NoNavigation]);
    }
}
