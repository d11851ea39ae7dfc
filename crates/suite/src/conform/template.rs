//! The tool files that `mapjudge conform init` prints: a commented one, and those that are shipped.

/// Shipped tool files by name.
pub const SHIPPED_TOOLS: [(&str, &str); 5] = [
    ("mapjudge", include_str!("../../conformance/tools/mapjudge.toml")),
    ("evo", include_str!("../../conformance/tools/evo.toml")),
    ("scikit-image", include_str!("../../conformance/tools/scikit-image.toml")),
    ("scipy", include_str!("../../conformance/tools/scipy.toml")),
    ("map_server", include_str!("../../conformance/tools/map_server.toml")),
];

/// A tool file with every key, to be filled in.
pub const TEMPLATE: &str = r##"# How mapjudge runs a program for `mapjudge conform run THIS_FILE.toml`.
# The program runs without a shell, in an empty folder, with a cleared environment (PATH, HOME, TMPDIR, LANG), and is
# ended after 60 s or 1 MiB of output. Words that name files beside this one become absolute paths.

[tool]
name = "my tool"
# A command that prints the version, or the version itself.
version = ["python3", "--version"]
# In which form the program gets the vectors:
#   text      text grids: # occupied, . free, ? unknown, cells of 1 m, top row first
#   pgm+yaml  ROS maps          png  images, 0 occupied, 205 unknown, 254 free
#   npy       numpy, float64, 1 occupied, 0.5 unknown, 0 free, top row first
#   tum       trajectories `t x y z qx qy qz qw`          kitti  lines of 12 numbers
input = "text"

[[metric]]
# Which metric of `mapjudge conform list` the command computes; a list if one command computes several.
id = "occupied_iou"
# Which variant; leave it out for the defaults, or write "all".
params = { unknown_as = "exclude" }
# {truth} and {map}, for trajectories {truth}, {estimate} and {relations}. {metric} is the id; a word with {set} is
# repeated for each parameter as metric.name=value. {out} is a file that is read instead of the output.
command = ["python3", "iou.py", "{truth}", "{map}"]
# Where the value stands: number (the output is one), json:/pointer, regex:pattern with one group, or cells (rows of # . ?).
result = "number"
# How the program says that there is no value: a word, exit:CODE, stderr:WORDS, or a list of them. NaN always does.
undefined = "nan"

# A difference that is known, with its reason. It is counted as explained, and does not fail the run.
# [[metric.known]]
# vectors = ["e5_*"]        # leave it out for all
# expect = "flattered"      # differs, flattered, refused, crashed, timeout
# reason = "answers 0 for maps without walls"
"##;

#[cfg(test)]
mod tests {
    use super::super::tool_file::ToolFile;
    use super::super::vectors::VectorSet;
    use super::{SHIPPED_TOOLS, TEMPLATE};

    #[test]
    fn shipped_files_fit_the_vectors() {
        let set = VectorSet::builtin().unwrap();
        for (name, text) in SHIPPED_TOOLS {
            ToolFile::parse(text)
                .and_then(|tool| tool.check(&set))
                .unwrap_or_else(|why| panic!("{name}: {why}"));
        }
    }

    #[test]
    fn the_template_is_a_tool_file() {
        let set = VectorSet::builtin().unwrap();
        ToolFile::parse(TEMPLATE).unwrap().check(&set).unwrap();
        let last = TEMPLATE.find("# [[metric.known]]").unwrap();
        let known = TEMPLATE[last..].replace("# [[", "[[").replace("\n# ", "\n");
        let tool = ToolFile::parse(&format!("{}{known}", &TEMPLATE[..last])).unwrap();
        assert!(tool.metrics[0].known[0].is_about("e5_both_empty"));
    }
}
