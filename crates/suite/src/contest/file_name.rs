//! Names of folders and files for teams and missions, whatever they call themselves.

/// Longer names are cut.
const MAX_LETTERS: usize = 40;
/// Names that some systems keep for devices.
const RESERVED: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// A file name for a stranger's name: letters a to z, digits and hyphens. One that had to be changed carries a mark
/// made from the whole name, so that two names never meet.
#[must_use]
pub fn file_name(name: &str) -> String {
    let mut plain = String::new();
    for letter in name.chars().take(10 * MAX_LETTERS) {
        match letter {
            'a'..='z' | '0'..='9' => plain.push(letter),
            'A'..='Z' => plain.push(letter.to_ascii_lowercase()),
            _ if plain.ends_with('-') || plain.is_empty() => {}
            _ => plain.push('-'),
        }
    }
    let plain: String = plain.trim_end_matches('-').chars().take(MAX_LETTERS).collect();
    let is_reserved = RESERVED.iter().any(|word| {
        plain
            .strip_prefix(word)
            .is_some_and(|rest| rest.len() <= 1 && rest.bytes().all(|b| b.is_ascii_digit()))
    });
    if plain == name && !plain.is_empty() && !is_reserved {
        return plain;
    }
    let mark = blake3::hash(name.as_bytes()).to_hex();
    let stem = if plain.is_empty() || is_reserved { "name" } else { plain.trim_end_matches('-') };
    format!("{stem}-{}", &mark[..8])
}

/// File names for several names, each its own whatever the names are: a team that calls itself after the folder of
/// another gets a number behind it.
pub fn file_names<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut taken: Vec<String> = Vec::new();
    for name in names {
        let wished = file_name(name);
        let numbered = (2_usize..).map(|number| format!("{wished}-{number}"));
        let free = std::iter::once(wished.clone()).chain(numbered).find(|file| !taken.contains(file));
        taken.push(free.unwrap_or(wished));
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_takes_the_folder_of_another() {
        let stolen = file_name("Aurora");
        let names = ["Aurora", "AURORA", "aurora", stolen.as_str(), "aurora-2"];
        let files = file_names(names.into_iter());
        for (index, file) in files.iter().enumerate() {
            assert!(!files[..index].contains(file), "{files:?}");
        }
        assert_eq!((files[0].as_str(), files[2].as_str()), (stolen.as_str(), "aurora"));
    }

    #[test]
    fn plain_names_stay_and_strange_ones_are_marked() {
        assert_eq!(file_name("alpha"), "alpha");
        assert!(file_name("Team Alpha").starts_with("team-alpha-"));
        assert!(file_name("").starts_with("name-"));
        assert_ne!(file_name("Alpha"), file_name("ALPHA"));
    }

    #[test]
    fn no_name_leaves_the_folder_or_names_a_device() {
        let long = "x".repeat(10_000);
        let names = [
            "..",
            ".",
            "a/../../b",
            "c:\\d",
            "con",
            "COM1",
            "nul",
            "a\nb",
            "<b>",
            "\u{202e}x",
            "日本",
            &long,
        ];
        for name in names {
            let file = file_name(name);
            assert!(file.len() <= 60 && !file.starts_with('.'), "{file}");
            assert!(
                file.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'),
                "{file}"
            );
            assert!(!RESERVED.contains(&file.as_str()) && file != "com1");
        }
    }
}
