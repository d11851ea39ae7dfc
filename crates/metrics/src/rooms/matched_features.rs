//! The features of both maps under the transform that they ask for and the walls allow: what eq. (7) and (8) start from.

use align::rooms::{Feature, FeatureMatcher, Matching, Placing, Refusal};
use model::{Grid, Similarity2};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{Case, Detail, Reason, Undefined};

/// What the walls have to say about a matching.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WallCheck {
    /// As `check`, and near the matching's transform the one that fits the walls best is taken.
    #[default]
    Refine,
    /// A transform that the walls contradict is not scored.
    Check,
    /// The cheapest matching counts, wherever it puts the map; as printed.
    Ignore,
}

/// Features of truth and map, and their matching.
pub(super) struct MatchedFeatures {
    pub(super) truth: Vec<Feature>,
    pub(super) map: Vec<Feature>,
    placing: Placing,
    walls: WallCheck,
}

impl MatchedFeatures {
    /// Finds and matches them.
    ///
    /// # Errors
    /// No two maps, maps too large, too few pairs, or a transform that the walls contradict.
    pub(super) fn of(
        case: &Case,
        matcher: &FeatureMatcher,
        walls: WallCheck,
        min_pairs: usize,
    ) -> Result<Self, Undefined> {
        if !matcher.rooms.is_finite() {
            return Err(Reason::NotFinite.into());
        }
        let grids = case.grids()?;
        let of = |grid: &Grid| matcher.features(grid).map_err(|_| Undefined::because(Reason::TooLarge));
        let (truth, map) = (of(&grids.truth)?, of(&grids.map)?);
        let placed = match walls {
            WallCheck::Refine | WallCheck::Check => {
                matcher.place([&grids.truth, &grids.map], [&truth, &map], &[Similarity2::IDENTITY])
            }
            WallCheck::Ignore => {
                let cheapest = matcher.matchings(&truth, &map).into_iter().next();
                let unchecked = |matching: Matching| Placing {
                    on_walls: matching.clone(),
                    matching,
                    wall_score: None,
                    contradicted: 0,
                };
                cheapest.map(unchecked).ok_or(Refusal::NoMatch)
            }
        };
        let counts = counts(&truth, &map);
        let placing = placed.map_err(|refusal| refused(refusal).with_all(counts.clone()))?;
        let found = Self { truth, map, placing, walls };
        let pairs = found.matching().pairs.len();
        if pairs < min_pairs {
            let pairs = crate::facts([("pairs", json!(pairs))]);
            return Err(Undefined::because(Reason::InsufficientPoints).with_all(counts).with_all(pairs));
        }
        Ok(found)
    }

    pub(super) const fn matching(&self) -> &Matching {
        match self.walls {
            WallCheck::Refine => &self.placing.on_walls,
            WallCheck::Check | WallCheck::Ignore => &self.placing.matching,
        }
    }

    /// Numbers of features, of pairs, and what the walls say.
    pub(super) fn facts(&self) -> Detail {
        let mut facts = counts(&self.truth, &self.map);
        facts.extend(crate::facts([
            ("pairs", json!(self.matching().pairs.len())),
            ("wall_score", json!(self.placing.wall_score)),
            ("contradicted", json!(self.placing.contradicted)),
        ]));
        facts
    }
}

fn counts(truth: &[Feature], map: &[Feature]) -> Detail {
    crate::facts([("rooms_truth", json!(truth.len())), ("rooms_map", json!(map.len()))])
}

fn refused(refusal: Refusal) -> Undefined {
    match refusal {
        Refusal::NoMatch => Undefined::because(Reason::NoMatch),
        Refusal::Contradicted { wall_score, best_wall_score } => {
            let facts =
                [("wall_score", json!(wall_score)), ("best_wall_score", json!(best_wall_score))];
            Undefined::because(Reason::WallsContradict).with_all(crate::facts(facts))
        }
    }
}
