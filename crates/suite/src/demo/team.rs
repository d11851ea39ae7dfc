//! The four teams of the demonstration: what each mapped, found and claimed.

use formats::{GeoTiffFrame, GeoTiffLayer, GeoTiffLayerPixels, write_geotiff};
use model::{CellClass, Grid, NavigationClass, Point2};
use sim::damage::{Bend, MissingWing, Noise, ThickWalls, bend, missing_wing, noise, thick_walls};

use super::arena::{RescueArena, labelled, lines, victim_layer, write_layer};
use crate::JobError;
use crate::contest::SHIPPED;
use crate::files::OutputFolder;

/// A submission.
pub(super) struct Team {
    name: &'static str,
    map: Grid,
    cleared: Cleared,
    victims: Vec<(String, Point2)>,
    hazards: Vec<(String, Point2)>,
    labels: Vec<(String, Point2)>,
    path: Vec<Point2>,
    responder_paths: Vec<(String, Vec<Point2>)>,
}

/// How much of the free cells a team promises to be searched.
#[derive(Clone, Copy)]
enum Cleared {
    /// All of them.
    Everything,
    /// Those within so many metres of the robot's path.
    NearPath(f64),
}

/// Radius of a victim's mark in the navigation layer, metres.
const VICTIM_MARK_M: f64 = 0.15;

/// A thorough team with a noisy map; one that never saw the east; one with two operators and a drifting robot; and one
/// that promises more than it saw.
pub(super) fn teams(arena: &RescueArena, seed: u64) -> Result<Vec<Team>, JobError> {
    let truth = &arena.truth;
    let noisy = noise(truth, &Noise { seed, ..Noise::default() })?;
    let wing = MissingWing { seed, missing_fraction: 0.35, ..MissingWing::default() };
    let drift = Bend { heading_drift_rad_per_m: 0.008, start_m: 2.0 };
    let plans = [
        ("Aurora", noisy, Cleared::NearPath(1.5), arena.victims.len(), 0.2),
        ("Borealis", missing_wing(truth, &wing)?, Cleared::NearPath(1.5), arena.victims.len(), 0.1),
        ("Cascade", bend(truth, &drift)?, Cleared::NearPath(1.0), arena.victims.len() - 1, 0.6),
        ("Dynamo", thick_walls(truth, &ThickWalls { growth_cells: 1 })?, Cleared::Everything, 2, 0.3),
    ];
    Ok(plans
        .into_iter()
        .map(|(name, map, cleared, max_found, off_m)| {
            team_with_map(arena, (name, map), cleared, max_found, off_m)
        })
        .collect())
}

/// What a team with this map hands in: the first so many victims that its map reaches, each a little off.
fn team_with_map(
    arena: &RescueArena,
    (name, map): (&'static str, Grid),
    cleared: Cleared,
    max_found: usize,
    off_m: f64,
) -> Team {
    let knows = |at: &Point2| {
        let cell = map.geometry().cell_at(*at);
        cell.is_some_and(|cell| map.classes()[map.geometry().index_of(cell)] != CellClass::Unknown)
    };
    // Signs are seen from near: their places are twenty times better than those of victims.
    let seen = |places: &[(String, Point2)]| {
        let known = places.iter().filter(|(_, at)| knows(at)).enumerate();
        known.map(|(index, (name, at))| (name.clone(), displaced(*at, index, off_m / 20.0))).collect()
    };
    let found: Vec<(usize, Point2)> =
        arena.victims.iter().copied().enumerate().filter(|(_, at)| knows(at)).take(max_found).collect();
    let moved = |(index, at): (usize, Point2)| (format!("V{}", index + 1), displaced(at, index, off_m));
    let mut stops = vec![arena.start];
    stops.extend(found.iter().map(|(_, at)| *at));
    stops.extend(arena.labels.iter().chain(&arena.hazards).map(|(_, at)| *at).filter(knows));
    let responder_paths = found
        .iter()
        .take(max_found - 1)
        .map(|(index, at)| (format!("V{}", index + 1), arena.path(&[arena.start, *at])))
        .collect();
    Team {
        name,
        path: arena.path(&stops),
        responder_paths,
        victims: found.into_iter().map(moved).collect(),
        hazards: seen(&arena.hazards),
        labels: seen(&arena.labels),
        map,
        cleared,
    }
}

/// A place so far from another one, each in another direction, by the golden angle.
fn displaced(at: Point2, index: usize, off_m: f64) -> Point2 {
    let (sin, cos) = (index as f64 * 2.399_963).sin_cos();
    Point2::new(at.x_m + off_m * cos, at.y_m + off_m * sin)
}

impl Team {
    /// Writes the submission: navigation layer and vector layers.
    pub fn write(&self, folder: &OutputFolder) -> Result<(), JobError> {
        let place = folder.below(&self.name.to_lowercase());
        let cells = self.navigation();
        let layers = [GeoTiffLayer { name: "navigation", pixels: GeoTiffLayerPixels::Navigation(&cells) }];
        let frame = GeoTiffFrame::Local("rescue arena".to_owned());
        let bytes = write_geotiff(self.map.geometry(), &frame, &layers)
            .map_err(|error| JobError::contest(self.name, error.to_string(), "choose another seed"))?;
        place.write("nav.tif", &bytes)?;
        write_layer(&place, &victim_layer(&self.victims))?;
        write_layer(&place, &labelled("hazards", &self.hazards))?;
        write_layer(&place, &labelled("labels", &self.labels))?;
        let path = [("robot".to_owned(), self.path.clone())];
        write_layer(&place, &lines("robot_path", &["ROBOT", "T0", "T1"], &path))?;
        write_layer(&place, &lines("responder_path", &["VICTIM"], &self.responder_paths))
    }

    fn navigation(&self) -> Vec<NavigationClass> {
        let geometry = self.map.geometry();
        let found: Vec<Point2> = self.victims.iter().map(|(_, at)| *at).collect();
        let near = |points: &[Point2], at: Point2, radius_m: f64| {
            points.iter().any(|p| (p.x_m - at.x_m).hypot(p.y_m - at.y_m) <= radius_m)
        };
        let class = |(index, class): (usize, &CellClass)| {
            let at = geometry.center_of(geometry.cell_of(index));
            if near(&found, at, VICTIM_MARK_M) {
                return NavigationClass::Victim;
            }
            match (class, self.cleared) {
                (CellClass::Occupied, _) => NavigationClass::Untraversable,
                (CellClass::Unknown, _) => NavigationClass::Unknown,
                (CellClass::Free, Cleared::NearPath(radius_m)) if !near(&self.path, at, radius_m) => {
                    NavigationClass::Uncleared
                }
                (CellClass::Free, _) => NavigationClass::Cleared,
            }
        };
        self.map.classes().iter().enumerate().map(class).collect()
    }
}

/// The contest of the four teams.
pub(super) fn contest_file(start: Point2) -> String {
    let mut text = format!(
        "# The contest of the demonstration: mapjudge contest contest.toml --out result\n\
         title = \"Rescue arena\"\n\
         profile = \"rules.toml\"\n\
         start = [{:?}, {:?}]    # where robots and responders enter\n\n\
         [truth]\n\
         map = \"truth/truth.yaml\"\n\
         victims = \"truth/victims.geojson\"\n\
         annotations = [\"truth/hazards.geojson\", \"truth/labels.geojson\"]\n\
         layout = \"truth/layout.toml\"\n\n\
         [files]\n\
         map = \"nav.tif\"\n\
         annotations = \"*.geojson\"\n",
        start.x_m, start.y_m
    );
    for (name, operators) in [("Aurora", 1), ("Borealis", 1), ("Cascade", 2), ("Dynamo", 1)] {
        let folder = name.to_lowercase();
        text.push_str(&format!(
            "\n[[teams]]\nname = \"{name}\"\nfolder = \"{folder}\"\noperators = {operators}\n"
        ));
    }
    text
}

/// The rules: those of 2008, with the barrels in place of the rooms that a maze does not have.
pub(super) fn rules() -> String {
    let text = SHIPPED.iter().find(|(name, _)| *name == "vr-2008").map_or("", |(_, text)| text);
    text.replace("name = \"vr-2008\"", "name = \"rescue-arena\"")
        .replace(
            "title = \"Virtual Robots Competition 2008\"",
            "title = \"Rescue arena, after the rules of 2008\"",
        )
        .replace(
            "{ name = \"grouping\", value = \"grouping_quality\" }",
            "{ name = \"fiducials\", value = \"fiducial_score\" }",
        )
}
