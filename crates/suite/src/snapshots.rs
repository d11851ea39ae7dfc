//! Map and pose while a run goes on (L-PF: published after each step): snapshots at equal times, and an image that a viewer
//! can load again and again.
//!
//! `live.png` shows the map, the path so far and the robot. Each snapshot is a map of its own in `snapshots/`, and a line of
//! `snapshots.csv`. Every file appears whole: it is written beside its place and then moved there.

use std::fmt::Write;

use model::{Cell, CellClass, Grid, Point2, Pose2};
use raster::line_cells::crossed_cells;
use report::{Figure, GROUND_COLOURS, Layer, Rgb};

use crate::JobError;
use crate::files::OutputFolder;

/// More are not written; the live image is.
const MAX_SNAPSHOTS: usize = 10_000;
/// Colours of Okabe and Ito (2008).
const BLUE: Rgb = [0, 114, 178];
const VERMILION: Rgb = [213, 94, 0];
/// Radius of the mark at the robot's place, and length of the line ahead of it, metres.
const ROBOT_M: f64 = 0.15;
const AHEAD_M: f64 = 0.4;

/// Snapshots of one run.
pub struct Snapshots {
    folder: OutputFolder,
    every_s: f64,
    /// Time of the first reading, and of the next snapshot, seconds.
    first_s: Option<f64>,
    next_s: f64,
    path: Vec<Point2>,
    table: String,
    written: usize,
}

impl Snapshots {
    /// Snapshots every so many seconds of the run's own time, into a folder.
    ///
    /// # Errors
    /// A time that is not above 0.
    pub fn new(folder: OutputFolder, every_s: f64) -> Result<Self, JobError> {
        if !(every_s > 0.0 && every_s.is_finite()) {
            let (name, expected) = ("time between snapshots", "seconds above 0");
            return Err(JobError::Range { name, value: every_s, expected });
        }
        let table = "time_s,x_m,y_m,theta_rad,free_m2,map\n".to_owned();
        Ok(Self { folder, every_s, first_s: None, next_s: 0.0, path: Vec::new(), table, written: 0 })
    }

    /// Takes the pose at a time, seconds; `map` is asked only when a snapshot is due.
    ///
    /// # Errors
    /// A file cannot be drawn or written.
    pub fn offer(
        &mut self,
        time_s: f64,
        world_from_robot: Pose2,
        map: &dyn Fn() -> Option<Grid>,
    ) -> Result<(), JobError> {
        if !(time_s.is_finite() && world_from_robot.is_finite()) {
            return Ok(());
        }
        self.path.push(world_from_robot.position());
        let since_s = time_s - *self.first_s.get_or_insert(time_s);
        if since_s < self.next_s {
            return Ok(());
        }
        let Some(map) = map() else { return Ok(()) };
        self.next_s = (since_s / self.every_s + 1e-9).floor() * self.every_s + self.every_s;
        self.write(time_s, since_s, world_from_robot, &map)
    }

    fn write(&mut self, time_s: f64, since_s: f64, at: Pose2, map: &Grid) -> Result<(), JobError> {
        self.folder.write("live.png", self.image(at, map)?)?;
        if self.written < MAX_SNAPSHOTS {
            let name = format!("{since_s:08.1}");
            let (yaml, pgm) = formats::write_ros_map(map, &format!("{name}.pgm"));
            self.folder.write(&format!("snapshots/{name}.pgm"), pgm)?;
            self.folder.write(&format!("snapshots/{name}.yaml"), yaml)?;
            let free = map.classes().iter().filter(|class| **class == CellClass::Free).count();
            let free_m2 = free as f64 * map.geometry().cell_size_m().powi(2);
            // A zero has no sign: the sum of both zeros is the positive one.
            let [x_m, y_m, theta_rad] = [at.x_m, at.y_m, at.theta_rad].map(|number| number + 0.0);
            // Writing into a string cannot fail.
            let _ =
                writeln!(self.table, "{time_s},{x_m},{y_m},{theta_rad},{free_m2:.4},snapshots/{name}.yaml");
            self.folder.write("snapshots.csv", &self.table)?;
            self.written += 1;
        }
        self.folder.commit()
    }

    /// The map with the path so far and the robot.
    fn image(&self, at: Pose2, map: &Grid) -> Result<Vec<u8>, JobError> {
        let geometry = map.geometry();
        let cell = |place: Point2| geometry.cell_at(place).map(|cell| geometry.index_of(cell) as u32);
        let mut path: Vec<u32> = self.path.iter().filter_map(|place| cell(*place)).collect();
        for pair in self.path.windows(2) {
            let [from, to] = [pair[0], pair[1]].map(|place| geometry.grid_point_of_world(place));
            let inside = |v: i64, side: usize| usize::try_from(v).ok().filter(|v| *v < side);
            crossed_cells(from, to, |(i, j), _| {
                let cell = inside(i, geometry.width()).zip(inside(j, geometry.height()));
                path.extend(cell.map(|(i, j)| geometry.index_of(Cell { i, j }) as u32));
            });
        }
        let mut robot: Vec<u32> =
            explore::cells_within(geometry, at.position(), ROBOT_M).map(|cell| cell as u32).collect();
        let steps = (AHEAD_M / geometry.cell_size_m()).ceil() as usize;
        let ahead = (0..=steps).map(|step| at * Point2::new(step as f64 * geometry.cell_size_m(), 0.0));
        robot.extend(ahead.filter_map(cell));
        let layers = vec![
            Layer::classes("map", geometry, map.class_bytes(), GROUND_COLOURS),
            Layer::lines("robot", geometry, &[(BLUE, "path so far", path), (VERMILION, "robot", robot)])?,
        ];
        Ok(Figure::new("live", "Map so far", "", layers).png()?)
    }
}

#[cfg(test)]
mod tests {
    use testkit::grid_at;

    use super::*;

    fn map() -> Grid {
        grid_at(["####", "#..#", "#..#", "####"], 0.5, Pose2::IDENTITY)
    }

    #[test]
    fn a_snapshot_comes_at_equal_times_and_the_image_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let mut snapshots = Snapshots::new(OutputFolder::new(folder.path()), 2.0).unwrap();
        let mut images = Vec::new();
        for step in 0..=50 {
            let time_s = 100.0 + 0.1 * f64::from(step);
            let pose = Pose2::new(0.75 + 0.01 * f64::from(step), 1.0, 0.0);
            snapshots.offer(time_s, pose, &|| Some(map())).unwrap();
            if let Ok(image) = std::fs::read(folder.path().join("live.png")) {
                images.push(image);
            }
        }
        images.dedup();
        let table = std::fs::read_to_string(folder.path().join("snapshots.csv")).unwrap();
        assert_eq!(table.lines().count(), 1 + 3, "at 0, 2 and 4 s: {table}");
        assert!(table.contains("102,0.95,1,0,1.0000,snapshots/000002.0.yaml"), "{table}");
        assert!(images.len() > 1 && folder.path().join("snapshots/000004.0.pgm").is_file());
    }

    #[test]
    fn without_a_map_nothing_is_written_until_there_is_one() {
        let folder = tempfile::tempdir().unwrap();
        let mut snapshots = Snapshots::new(OutputFolder::new(folder.path()), 1.0).unwrap();
        snapshots.offer(0.0, Pose2::IDENTITY, &|| None).unwrap();
        assert!(!folder.path().join("live.png").exists());
        snapshots.offer(0.1, Pose2::IDENTITY, &|| Some(map())).unwrap();
        assert!(folder.path().join("live.png").is_file());
        assert!(Snapshots::new(OutputFolder::new(folder.path()), 0.0).is_err());
        assert!(Snapshots::new(OutputFolder::new(folder.path()), f64::NAN).is_err());
    }
}
