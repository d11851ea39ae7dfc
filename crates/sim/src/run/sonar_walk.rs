//! A walk with a sonar ring: rooms of two by two metres, every one visited, a sweep at each step, all at true poses.

use model::{Pose2, SeededRng, SonarSweep};

use super::maze_walk::every_pallet;
use super::walk::poses_along;
use crate::SimError;
use crate::arena::{Arena, Drawing, MazePlan, Plan};
use crate::sensor::Sonar;
use crate::world::World;

/// A walk through seeded rooms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SonarWalk {
    /// Chooses the rooms and the noise.
    pub seed: u64,
    /// Rooms from left to right. Default 6; ours.
    pub columns: usize,
    /// Rooms from bottom to top. Default 4; ours.
    pub rows: usize,
    /// Edge of a cell of the truth. Default 0.1 m, that of the sonar mappers.
    pub cell_size_m: f64,
    pub sonar: Sonar,
}

/// What the walk gave.
#[derive(Clone, Debug)]
pub struct SonarRun {
    pub arena: Arena,
    /// The true pose of the robot at each sweep.
    pub sweeps: Vec<(Pose2, SonarSweep)>,
}

/// Side of a room. Ours: walls are met at all angles within the range of a ring.
const ROOM_M: f64 = 2.0;
/// Share of the walls between rooms that are taken out beside those of the tree. Ours: halls and cycles.
const OPEN_SHARE: f64 = 0.4;
/// Round pillars (split barrels), which scatter sound to all sides.
const PILLARS: usize = 3;
/// Steps of the walk, and their time.
const STEP_M: f64 = 0.2;
const TURN_RAD: f64 = std::f64::consts::FRAC_PI_6;
const STEP_S: f64 = 0.5;
/// Stream of the seed.
const NOISE: u64 = 54;

impl Default for SonarWalk {
    fn default() -> Self {
        Self { seed: 1, columns: 6, rows: 4, cell_size_m: 0.1, sonar: Sonar::default() }
    }
}

impl SonarWalk {
    /// The rooms, and the sweeps in them.
    ///
    /// # Errors
    /// No room, or too many.
    pub fn run(&self) -> Result<SonarRun, SimError> {
        let bare = MazePlan::bare(self.seed, self.columns, self.rows)?;
        let side = |rooms: usize| rooms as f64 * ROOM_M;
        let maze = MazePlan {
            pallet_m: ROOM_M,
            width_m: side(self.columns),
            height_m: side(self.rows),
            loop_share: OPEN_SHARE,
            barrels: PILLARS,
            ..bare
        };
        let plan = Plan { cell_size_m: self.cell_size_m, ..maze.plan()? };
        let arena = Arena::build(&plan)?;
        let points = every_pallet(&Drawing::read(&plan.drawing)?, ROOM_M);
        let (world, mut rng) = (World::new(&arena), SeededRng::new(self.seed).stream(NOISE));
        let poses = poses_along(arena.start, &points, STEP_M, TURN_RAD);
        let sweep = |(index, pose): (usize, Pose2)| {
            (pose, self.sonar.sweep(&world, pose, index as f64 * STEP_S, &mut rng))
        };
        let sweeps = poses.into_iter().enumerate().map(sweep).collect();
        Ok(SonarRun { arena, sweeps })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_room_is_visited_and_mirrors_make_some_readings_long_or_empty() {
        let run = SonarWalk { columns: 3, rows: 2, ..SonarWalk::default() }.run().unwrap();
        let is_in = |column: usize, row: usize| {
            let near = |pose: &Pose2| {
                (pose.x_m - (column as f64 + 0.5) * ROOM_M).abs() < 0.3
                    && (pose.y_m - (row as f64 + 0.5) * ROOM_M).abs() < 0.3
            };
            run.sweeps.iter().any(|(pose, _)| near(pose))
        };
        assert!((0..3).all(|column| (0..2).all(|row| is_in(column, row))));
        let ranges: Vec<f32> = run.sweeps.iter().flat_map(|(_, sweep)| sweep.ranges_m.clone()).collect();
        let misses = ranges.iter().filter(|range_m| **range_m >= 4.0).count() as f64 / ranges.len() as f64;
        assert!((0.01..0.6).contains(&misses), "{misses}");
        assert_eq!(
            run.sweeps,
            SonarWalk { columns: 3, rows: 2, ..SonarWalk::default() }.run().unwrap().sweeps
        );
    }
}
