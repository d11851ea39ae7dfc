//! Occupied cells of a plane, a fair few of them: one pass over the bytes, most of it sixty-four at a time.

const OCCUPIED: u8 = 2;
/// Bytes that are counted together.
const BLOCK: usize = 64;
/// The same where one of them is looked for.
const PART: usize = 16;

/// Indices of occupied cells in image order, every so many, at most `max`, and how many there are; none without any.
pub(super) fn sampled(classes: &[u8], max: usize) -> Option<(Vec<usize>, usize)> {
    let (blocks, rest) = classes.as_chunks::<BLOCK>();
    let walls_in = |block: &[u8]| count_in(block, OCCUPIED);
    let in_blocks: Vec<u8> = blocks.iter().map(|block| walls_in(block)).chain([walls_in(rest)]).collect();
    let count: usize = in_blocks.iter().map(|&walls| usize::from(walls)).sum();
    if count == 0 {
        return None;
    }
    let step = count.div_ceil(max.max(1));
    let mut sample = Vec::with_capacity(count / step + 1);
    // Walls before the block, and the next one that is wanted.
    let (mut before, mut wanted) = (0, step / 2);
    for (block, &walls) in in_blocks.iter().enumerate() {
        let after = before + usize::from(walls);
        while wanted < after {
            let first = block * BLOCK;
            let cells = &classes[first..(first + BLOCK).min(classes.len())];
            sample.extend(wall_of(cells, wanted - before).map(|cell| first + cell));
            wanted += step;
        }
        before = after;
    }
    Some((sample, count))
}

/// The wall of this number in a block.
fn wall_of(cells: &[u8], mut number: usize) -> Option<usize> {
    for (index, part) in cells.chunks(PART).enumerate() {
        let walls = usize::from(count_in(part, OCCUPIED));
        if number < walls {
            let walls = part.iter().enumerate().filter(|&(_, &class)| class == OCCUPIED);
            return walls.map(|(cell, _)| index * PART + cell).nth(number);
        }
        number -= walls;
    }
    None
}

/// Cells of a class.
pub(super) fn count_of(classes: &[u8], class: u8) -> usize {
    let (blocks, rest) = classes.as_chunks::<BLOCK>();
    let in_blocks: usize = blocks.iter().map(|block| usize::from(count_in(block, class))).sum();
    in_blocks + usize::from(count_in(rest, class))
}

#[inline]
fn count_in(block: &[u8], class: u8) -> u8 {
    block.iter().map(|&cell| u8::from(cell == class)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_few_walls_and_every_so_many_of_many() {
        let mut plane = vec![0_u8; 300];
        assert_eq!(sampled(&plane, 4), None);
        let walls = [3, 64, 65, 130, 199, 299];
        walls.iter().for_each(|&cell| plane[cell] = OCCUPIED);
        assert_eq!(sampled(&plane, 6), Some((walls.to_vec(), 6)));
        assert_eq!(sampled(&plane, 3), Some((vec![64, 130, 299], 6)), "every second");
        assert_eq!(sampled(&plane, 1), Some((vec![130], 6)), "the middle one");
        assert_eq!(count_of(&plane, OCCUPIED), 6);
        let (some, count) = sampled(&[OCCUPIED; 1000], 100).unwrap();
        assert_eq!((some.len(), count), (100, 1000));
    }
}
