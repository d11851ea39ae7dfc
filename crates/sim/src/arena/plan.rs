//! The plan of an arena: a TOML text that a judge can read and change in an editor (X-ARENA).
//!
//! Lengths in metres, angles in degrees, x to the right, y up, the origin at the lower-left corner of the drawing.

use serde::Deserialize;

use super::drawing::Drawing;
use crate::SimError;

/// Larger plans are refused before they are parsed.
pub const MAX_PLAN_BYTES: usize = 1 << 20;
/// More walls, barrels or marks than this are refused.
const MAX_ITEMS: usize = 20_000;
/// Longest side of an arena.
const MAX_SIDE_M: f64 = 1000.0;

/// What an arena should be like.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Plan {
    /// Name of the arena. Default `arena`.
    pub name: String,
    /// Side of a pallet, 0.1 to 10 m. Default 1.2 (X-ARENA); 1.22 and 1.10 are in use today.
    pub pallet_m: f64,
    /// Height of the walls. Default 1.2 (X-ARENA).
    pub wall_height_m: f64,
    /// Thickness of the boards, which tells apart the halves of a split barrel. Default 0.01 (rescue league); walls
    /// themselves are planes.
    pub wall_thickness_m: f64,
    /// Slope of `>` `<` `^` `v`. Default 10 (PEL).
    pub ramp_deg: f64,
    /// Slope of `>>` `<<` `^^` `vv`. Default 15 (KLE).
    pub steep_ramp_deg: f64,
    /// Height of the highest post of a step field. Default 0.2 (orange arena).
    pub step_m: f64,
    /// Height of the roof over tunnels. Default 0.8; ours, the robot of KLE (0.762 m) fits.
    pub tunnel_m: f64,
    /// Width of the openings `- -` and `:`. Default 0.8; ours, a narrow door.
    pub opening_m: f64,
    /// Edge of a cell of the truth grids. Default 0.05 (spec 09).
    pub cell_size_m: f64,
    /// Unknown border around the arena in the truth grids. Default 0.5; ours, so that a bent map stays on the grid.
    pub margin_m: f64,
    /// Heights of the truth grids. Default 0.3 (the scanner of 09-E8) and 1.0 (the lower slice of the league).
    pub slice_heights_m: Vec<f64>,
    /// The pallets; see [`Drawing`].
    pub drawing: String,
    /// Width and height of an arena without a drawing.
    pub size_m: Option<[f64; 2]>,
    /// Where the robot starts; without it the `S` of the drawing, facing right.
    pub start: Option<StartPlan>,
    /// Walls beside those of the drawing.
    #[serde(rename = "wall")]
    pub walls: Vec<WallPlan>,
    #[serde(rename = "barrel")]
    pub barrels: Vec<BarrelPlan>,
    #[serde(rename = "victim")]
    pub victims: Vec<MarkPlan>,
    #[serde(rename = "hazard")]
    pub hazards: Vec<MarkPlan>,
    /// Labels: codes, names of rooms.
    #[serde(rename = "label")]
    pub labels: Vec<MarkPlan>,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            name: "arena".to_owned(),
            pallet_m: 1.2,
            wall_height_m: 1.2,
            wall_thickness_m: 0.01,
            ramp_deg: 10.0,
            steep_ramp_deg: 15.0,
            step_m: 0.2,
            tunnel_m: 0.8,
            opening_m: 0.8,
            cell_size_m: 0.05,
            margin_m: 0.5,
            slice_heights_m: vec![0.3, 1.0],
            drawing: String::new(),
            size_m: None,
            start: None,
            walls: Vec::new(),
            barrels: Vec::new(),
            victims: Vec::new(),
            hazards: Vec::new(),
            labels: Vec::new(),
        }
    }
}

/// Where the robot starts.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StartPlan {
    /// Place; without it the `S` of the drawing.
    pub at_m: Option<[f64; 2]>,
    /// Heading, counter-clockwise from the right.
    #[serde(default)]
    pub heading_deg: f64,
}

/// A wall beside those of the drawing.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WallPlan {
    pub from_m: [f64; 2],
    pub to_m: [f64; 2],
    /// Height; without it that of all walls.
    pub height_m: Option<f64>,
}

/// Which part of a barrel is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BarrelKind {
    /// A quarter of a turn, in a corner.
    Quarter,
    /// Half a turn, on a wall.
    #[default]
    Half,
    /// Three quarters of a turn, around the end of two walls.
    ThreeQuarter,
    /// Standing free.
    Whole,
    /// Two halves, one on each side of a wall.
    Split,
    /// Two whole barrels with a board between them, of each of which a percentage can be seen.
    Percent,
}

/// A barrel.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BarrelPlan {
    /// Name; without it `F1`, `F2`, ...
    pub name: Option<String>,
    /// The centre of the circle; for `split` the middle of the wall, for `percent` that of the board.
    pub at_m: [f64; 2],
    /// Which part of it is there. Default `half`.
    #[serde(default)]
    pub kind: BarrelKind,
    /// Direction of the middle of the arc; of part A for `split` and `percent`.
    #[serde(default)]
    pub facing_deg: f64,
    /// Visible part of each barrel of `percent`, 1 to 100. Default 100: the board is narrow.
    #[serde(default = "default_visible_percent")]
    pub visible_percent: f64,
    /// Radius. Default 0.15 (rescue league, today's maze).
    #[serde(default = "default_radius_m")]
    pub radius_m: f64,
    /// Height of its middle above the ground. Default 1.
    #[serde(default = "default_height_m")]
    pub height_m: f64,
    /// Length of the cylinder. Default 0.6.
    #[serde(default = "default_length_m")]
    pub length_m: f64,
    /// How far apart its parts are for a robot: `short`, `long` or `none`. Default `none`.
    #[serde(default = "default_range")]
    pub range: String,
}

const fn default_radius_m() -> f64 {
    0.15
}

const fn default_height_m() -> f64 {
    1.0
}

const fn default_length_m() -> f64 {
    0.6
}

const fn default_visible_percent() -> f64 {
    100.0
}

fn default_range() -> String {
    "none".to_owned()
}

impl BarrelPlan {
    /// A half barrel of the usual size, unnamed.
    #[must_use]
    pub fn at(x_m: f64, y_m: f64) -> Self {
        Self {
            name: None,
            at_m: [x_m, y_m],
            kind: BarrelKind::Half,
            facing_deg: 0.0,
            visible_percent: default_visible_percent(),
            radius_m: default_radius_m(),
            height_m: default_height_m(),
            length_m: default_length_m(),
            range: default_range(),
        }
    }
}

/// A victim, a hazard or a label. It stops no beam and no robot.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MarkPlan {
    /// What it says; without it a letter and a number.
    pub name: Option<String>,
    pub at_m: [f64; 2],
    /// Height above the ground. Default 0.5; ours.
    #[serde(default = "default_mark_height_m")]
    pub height_m: f64,
}

const fn default_mark_height_m() -> f64 {
    0.5
}

impl MarkPlan {
    /// A mark of a name at a place.
    #[must_use]
    pub fn new(name: Option<String>, x_m: f64, y_m: f64) -> Self {
        Self { name, at_m: [x_m, y_m], height_m: default_mark_height_m() }
    }
}

impl Plan {
    /// Reads a plan.
    ///
    /// # Errors
    /// More than [`MAX_PLAN_BYTES`], no TOML, an unknown key, or a number outside of its range.
    pub fn read(text: &str) -> Result<Self, SimError> {
        if text.len() > MAX_PLAN_BYTES {
            let message = format!("{} bytes: expected at most {MAX_PLAN_BYTES}", text.len());
            return Err(SimError::plan(message));
        }
        let plan: Self = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
            SimError::plan(format!("line {line}: {}", error.message()))
        })?;
        plan.check()?;
        Ok(plan)
    }

    /// Refuses numbers that make no arena.
    pub(crate) fn check(&self) -> Result<(), SimError> {
        let check = SimError::check_range;
        check("pallet_m", self.pallet_m, 0.1..=10.0, "0.1 to 10")?;
        check("wall_height_m", self.wall_height_m, 0.01..=100.0, "0.01 to 100")?;
        check("wall_thickness_m", self.wall_thickness_m, 0.0..=1.0, "0 to 1")?;
        check("ramp_deg", self.ramp_deg, 0.0..=60.0, "0 to 60")?;
        check("steep_ramp_deg", self.steep_ramp_deg, 0.0..=60.0, "0 to 60")?;
        check("step_m", self.step_m, 0.0..=2.0, "0 to 2")?;
        check("tunnel_m", self.tunnel_m, 0.05..=100.0, "0.05 to 100")?;
        check("opening_m", self.opening_m, 0.05..=self.pallet_m.max(0.05), "0.05 to the side of a pallet")?;
        check("cell_size_m", self.cell_size_m, 0.005..=1.0, "0.005 to 1")?;
        check("margin_m", self.margin_m, 0.0..=100.0, "0 to 100")?;
        check("slices", self.slice_heights_m.len() as f64, 1.0..=16.0, "1 to 16 slice_heights_m")?;
        self.slice_heights_m
            .iter()
            .try_for_each(|&m| check("slice_heights_m", m, 0.0..=100.0, "0 to 100"))?;
        if let Some([width_m, height_m]) = self.size_m {
            check("size_m", width_m, 0.1..=MAX_SIDE_M, "0.1 to 1000")?;
            check("size_m", height_m, 0.1..=MAX_SIDE_M, "0.1 to 1000")?;
        }
        self.check_items()
    }

    fn check_items(&self) -> Result<(), SimError> {
        let check = SimError::check_range;
        let marks = || self.victims.iter().chain(&self.hazards).chain(&self.labels);
        let items = self.walls.len() + self.barrels.len() + marks().count();
        check("walls, barrels and marks", items as f64, 0.0..=MAX_ITEMS as f64, "at most 20000")?;
        let place = |name, at_m: [f64; 2]| {
            at_m.iter().try_for_each(|&v| check(name, v, -MAX_SIDE_M..=MAX_SIDE_M, "-1000 to 1000"))
        };
        for wall in &self.walls {
            place("wall from_m", wall.from_m)?;
            place("wall to_m", wall.to_m)?;
            wall.height_m.map_or(Ok(()), |m| check("wall height_m", m, 0.01..=100.0, "0.01 to 100"))?;
        }
        for barrel in &self.barrels {
            place("barrel at_m", barrel.at_m)?;
            check("barrel radius_m", barrel.radius_m, 0.01..=10.0, "0.01 to 10")?;
            check("barrel height_m", barrel.height_m, 0.0..=100.0, "0 to 100")?;
            check("barrel length_m", barrel.length_m, 0.01..=100.0, "0.01 to 100")?;
            check("barrel visible_percent", barrel.visible_percent, 1.0..=100.0, "1 to 100")?;
            check("barrel facing_deg", barrel.facing_deg, -360.0..=360.0, "-360 to 360")?;
        }
        for mark in marks() {
            place("mark at_m", mark.at_m)?;
            check("mark height_m", mark.height_m, 0.0..=100.0, "0 to 100")?;
        }
        let Some(start) = self.start else { return Ok(()) };
        check("start heading_deg", start.heading_deg, -360.0..=360.0, "-360 to 360")?;
        start.at_m.map_or(Ok(()), |at_m| place("start at_m", at_m))
    }

    /// The drawing of the plan; none if it has none.
    ///
    /// # Errors
    /// A character without meaning.
    pub(crate) fn pallets(&self) -> Result<Option<Drawing>, SimError> {
        if self.drawing.trim().is_empty() { Ok(None) } else { Drawing::read(&self.drawing).map(Some) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_short() {
        let plan = Plan::read("drawing = \"\"\"\n+---+\n| S |\n+---+\n\"\"\"\n[[barrel]]\nat_m = [0, 0.6]\n")
            .unwrap();
        assert_eq!(plan.barrels[0], BarrelPlan::at(0.0, 0.6));
        assert_eq!(plan.pallets().unwrap().unwrap().columns(), 1);
    }

    #[test]
    fn faults_are_named_with_their_line() {
        for (text, expected) in [
            ("pallet_m = 1.2\npalet_m = 1", "line 2: unknown field `palet_m`"),
            ("pallet_m = 'wide'", "line 1"),
            ("pallet_m = nan", "pallet_m = NaN: expected 0.1 to 10"),
            ("[[wall]]\nfrom_m = [0, 0]", "line 1: missing field `to_m`"),
            ("[[barrel]]\nat_m = [0, 0]\nkind = 'third'", "unknown variant `third`"),
            ("size_m = [1e9, 1]", "size_m = 1000000000"),
            ("slice_heights_m = []", "slices = 0"),
        ] {
            let message = Plan::read(text).unwrap_err().to_string();
            assert!(message.contains(expected), "{text}: {message}");
        }
        assert!(Plan::read(&" ".repeat(MAX_PLAN_BYTES + 1)).unwrap_err().to_string().contains("at most"));
    }
}
