//! A vector in the form that a program reads: its files, and which of them stands for which place of a command.

use std::borrow::Cow;

use formats::{Content, MapFile, NamedBytes, ReadOptions};
use model::{CellClass, Grid, Trajectory};

use super::npy::npy_of;
use super::tool_file::InputForm;
use super::vectors::{Vector, VectorKind};

/// Files of a vector for a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Staged<'a> {
    /// By name.
    pub files: Vec<(&'static str, Cow<'a, [u8]>)>,
    /// Places of a command, such as `{map}`, and the file that each stands for.
    pub places: Vec<(&'static str, &'static str)>,
}

/// The vector in a form; none if that form cannot hold it.
pub(crate) fn stage(vector: &Vector, form: InputForm) -> Option<Staged<'_>> {
    match (vector.kind, form) {
        (VectorKind::Maps, InputForm::Text) => {
            as_it_is(vector, &[("{truth}", "truth.txt"), ("{map}", "map.txt")])
        }
        (VectorKind::Maps, InputForm::PgmYaml | InputForm::Png | InputForm::Npy) => maps(vector, form),
        (VectorKind::Reader, InputForm::PgmYaml) => {
            let mut staged = as_it_is(vector, &[("{map}", "map.yaml")])?;
            staged.files.push(("map.pgm", Cow::Borrowed(vector.files.get("map.pgm")?)));
            Some(staged)
        }
        (VectorKind::Run, InputForm::Tum) => {
            let mut places = vec![("{truth}", "truth.tum"), ("{estimate}", "estimate.tum")];
            if vector.files.contains_key("truth.relations") {
                places.push(("{relations}", "truth.relations"));
            }
            as_it_is(vector, &places)
        }
        (VectorKind::Run, InputForm::Kitti) => poses_without_times(vector),
        _ => None,
    }
}

fn as_it_is<'a>(vector: &'a Vector, places: &[(&'static str, &'static str)]) -> Option<Staged<'a>> {
    let file = |(_, name): &(&'static str, &'static str)| {
        Some((*name, Cow::Borrowed(vector.files.get(*name)?.as_ref())))
    };
    Some(Staged { files: places.iter().map(file).collect::<Option<_>>()?, places: places.to_vec() })
}

/// Maps as ROS maps, images or arrays. Navigation classes stand in none of them, probabilities only in arrays.
fn maps(vector: &Vector, form: InputForm) -> Option<Staged<'_>> {
    let (truth, map) = (grid_of(vector, "truth.txt")?, grid_of(vector, "map.txt")?);
    let has_numbers = truth.probabilities().is_some() || map.probabilities().is_some();
    let has_navigation = truth.navigation().is_some() || map.navigation().is_some();
    if has_navigation || has_numbers && form != InputForm::Npy {
        return None;
    }
    let mut staged = Staged::default();
    match form {
        InputForm::PgmYaml => {
            let [(truth_yaml, truth_pgm), (map_yaml, map_pgm)] = [(&truth, "truth.pgm"), (&map, "map.pgm")]
                .map(|(grid, name)| formats::write_ros_map(grid, name));
            staged.files = vec![
                ("truth.yaml", Cow::Owned(truth_yaml.into_bytes())),
                ("truth.pgm", Cow::Owned(truth_pgm)),
                ("map.yaml", Cow::Owned(map_yaml.into_bytes())),
                ("map.pgm", Cow::Owned(map_pgm)),
            ];
            staged.places = vec![("{truth}", "truth.yaml"), ("{map}", "map.yaml")];
        }
        InputForm::Png => {
            let map = formats::write_png(&on_window(&map, &truth)?).ok()?;
            let truth = formats::write_png(&truth).ok()?;
            staged.files = vec![("truth.png", Cow::Owned(truth)), ("map.png", Cow::Owned(map))];
            staged.places = vec![("{truth}", "truth.png"), ("{map}", "map.png")];
        }
        _ => {
            let map = array_of(&on_window(&map, &truth)?);
            staged.files = vec![("truth.npy", Cow::Owned(array_of(&truth))), ("map.npy", Cow::Owned(map))];
            staged.places = vec![("{truth}", "truth.npy"), ("{map}", "map.npy")];
        }
    }
    Some(staged)
}

/// A text grid with cells of one metre.
fn grid_of(vector: &Vector, name: &str) -> Option<Grid> {
    let options = ReadOptions { resolution_m: Some(1.0), ..ReadOptions::default() };
    let bytes = vector.files.get(name)?;
    let read = formats::read_map_bytes(NamedBytes { name, bytes }, &[], &options);
    read.ok().map(|MapFile { grid, .. }| grid)
}

/// The map on the cells of the truth; unknown where it has none. An image has no origin.
fn on_window(map: &Grid, truth: &Grid) -> Option<Grid> {
    if map.geometry() == truth.geometry() {
        return Some(map.clone());
    }
    let (from, to) = (map.geometry(), truth.geometry());
    let class = |index: usize| {
        let cell = from.cell_at(to.center_of(to.cell_of(index)));
        let class = cell.and_then(|cell| map.classes().get(from.index_of(cell)));
        class.copied().unwrap_or(CellClass::Unknown)
    };
    Grid::new(*to, (0..to.cells()).map(class).collect()).ok()
}

fn array_of(grid: &Grid) -> Vec<u8> {
    let (geometry, numbers) = (grid.geometry(), (0..grid.geometry().cells()).map(|index| grid.number(index)));
    npy_of(&numbers.collect::<Vec<_>>(), geometry.height(), geometry.width())
}

/// Both trajectories in lines of 12 numbers, if their times are the same: these lines have none.
fn poses_without_times(vector: &Vector) -> Option<Staged<'_>> {
    let (truth, estimate) = (trajectory_of(vector, "truth.tum")?, trajectory_of(vector, "estimate.tum")?);
    let times = |trajectory: &Trajectory| trajectory.poses.iter().map(|pose| pose.time_s).collect::<Vec<_>>();
    if times(&truth) != times(&estimate) {
        return None;
    }
    let text = |trajectory: &Trajectory| Cow::Owned(formats::write_kitti(trajectory).into_bytes());
    Some(Staged {
        files: vec![("truth.txt", text(&truth)), ("estimate.txt", text(&estimate))],
        places: vec![("{truth}", "truth.txt"), ("{estimate}", "estimate.txt")],
    })
}

fn trajectory_of(vector: &Vector, name: &str) -> Option<Trajectory> {
    let bytes = vector.files.get(name)?;
    let read = formats::read_document_bytes(NamedBytes { name, bytes }, &[], &ReadOptions::default()).ok()?;
    match read.content {
        Content::Trajectory(trajectory) => Some(trajectory),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::vectors::VectorSet;
    use super::*;

    #[test]
    fn each_form_holds_what_it_can() {
        let set = VectorSet::builtin().unwrap();
        let held = |form| set.vectors.iter().filter(|vector| stage(vector, form).is_some()).count();
        // 31 vectors of maps, of which 5 have navigation classes and 2 probabilities; 13 of readers; 9 of runs, of which
        // 5 have the same times in both files.
        assert_eq!(held(InputForm::Text), 31);
        assert_eq!(held(InputForm::Png), 24);
        assert_eq!(held(InputForm::Npy), 26);
        assert_eq!(held(InputForm::PgmYaml), 24 + 13);
        assert_eq!(held(InputForm::Tum), 9);
        assert_eq!(held(InputForm::Kitti), 5);
    }

    #[test]
    fn a_map_that_lies_elsewhere_is_unknown_on_the_window_of_the_truth() {
        let set = VectorSet::builtin().unwrap();
        let vector = set.vectors.iter().find(|vector| vector.name == "disjoint").unwrap();
        let staged = stage(vector, InputForm::Npy).unwrap();
        let [truth, map] = ["truth.npy", "map.npy"]
            .map(|wanted| staged.files.iter().find(|(name, _)| *name == wanted).unwrap().1.clone());
        let numbers = |bytes: &[u8]| -> Vec<f64> {
            let data = &bytes[bytes.len() - 6 * 8..];
            data.chunks(8).map(|piece| f64::from_le_bytes(piece.try_into().unwrap())).collect()
        };
        assert_eq!(numbers(&truth), [1.0, 0.0, 1.0, 0.0, 1.0, 0.0]);
        assert_eq!(numbers(&map), [0.5; 6]);
    }
}
