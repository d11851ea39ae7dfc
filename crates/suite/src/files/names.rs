//! Names of files as reports and tables show them.

use std::path::{Path, PathBuf};

/// The path as given; the file name alone if it was absolute, so that a report says nothing about a machine.
#[must_use]
pub fn shown_path(path: &Path) -> String {
    if let Some(label) = super::held_values::label(path) {
        return label.to_owned();
    }
    let relative = if path.is_absolute() { path.file_name().map_or(path, Path::new) } else { path };
    relative.display().to_string()
}

/// A name per file for tables: the file's stem, with its folder or a number where two would be equal.
#[must_use]
pub fn case_names(files: &[PathBuf]) -> Vec<String> {
    let stem =
        |path: &PathBuf| path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
    let with_folder = |path: &PathBuf| {
        let folder = path.parent().and_then(Path::file_name);
        folder.map_or_else(|| stem(path), |f| format!("{}/{}", f.to_string_lossy(), stem(path)))
    };
    let mut names: Vec<String> = files.iter().map(stem).collect();
    let is_repeated = |names: &[String], name: &String| names.iter().filter(|n| *n == name).count() > 1;
    let longer = files.iter().zip(&names);
    names = longer.map(|(m, n)| if is_repeated(&names, n) { with_folder(m) } else { n.clone() }).collect();
    let numbered = names.iter().enumerate().map(|(index, name)| {
        let before = names[..index].iter().filter(|n| *n == name).count();
        if before == 0 { name.clone() } else { format!("{name} ({})", before + 1) }
    });
    numbered.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_unique() {
        let names = |paths: &[&str]| case_names(&paths.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(names(&["a/one.pgm", "a/two.pgm"]), ["one", "two"]);
        assert_eq!(names(&["a/map.pgm", "b/map.pgm", "c.pgm"]), ["a/map", "b/map", "c"]);
        assert_eq!(names(&["map.pgm", "map.png"]), ["map", "map (2)"]);
    }

    #[test]
    fn absolute_paths_do_not_leave_the_machine() {
        assert_eq!(shown_path(Path::new("/home/somebody/map.yaml")), "map.yaml");
        assert_eq!(shown_path(Path::new("maps/map.yaml")), "maps/map.yaml");
    }
}
