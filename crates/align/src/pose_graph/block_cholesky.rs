//! Sparse Cholesky factorisation of a symmetric matrix of N x N blocks, A = L Lᵀ, row by row ("up-looking").
//!
//! Paper: Davis 2006, "Direct methods for sparse linear systems", chapter 4, with blocks in the place of numbers. The
//! pattern is analysed once and serves every matrix with the same graph.

use super::ordering::minimum_degree;

/// A small dense block, row by row.
pub type Block<const N: usize> = [[f64; N]; N];

/// The largest number of blocks in a factor: 16 million of 72 bytes are about 1.2 GB.
const MAX_BLOCKS: usize = 1 << 24;

/// Why a system was not solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FactorError {
    /// A pivot is not positive: the measurements do not determine every pose.
    #[error("the system is not positive definite at node {0}")]
    NotPositive(usize),
    /// The factor would not fit.
    #[error("the factor would need {0} blocks: expected at most {MAX_BLOCKS}")]
    TooDense(usize),
}

impl FactorError {
    /// A name for programs; it never changes.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotPositive(_) => "GRAPH_UNDETERMINED",
            Self::TooDense(_) => "GRAPH_TOO_DENSE",
        }
    }
}

/// A symmetric matrix of blocks: the diagonal, and one block (row, column) for each joined pair.
pub struct BlockMatrix<const N: usize> {
    pub diagonal: Vec<Block<N>>,
    /// Blocks at (first, second) of the pairs of the pattern.
    pub pairs: Vec<Block<N>>,
}

impl<const N: usize> BlockMatrix<N> {
    /// A matrix of zeros for a pattern.
    pub fn zeros(pattern: &Pattern) -> Self {
        let zero = [[0.0; N]; N];
        Self { diagonal: vec![zero; pattern.nodes], pairs: vec![zero; pattern.pairs] }
    }
}

/// Which pairs of nodes are joined, in which order they are eliminated, and where the factor has blocks.
pub struct Pattern {
    nodes: usize,
    pairs: usize,
    /// Position in the order of elimination of each node.
    position: Vec<u32>,
    /// For each position, the pairs whose later node it is: (earlier position, pair, whether the pair is turned).
    rows: Vec<Vec<(u32, u32, bool)>>,
    /// The next position that the elimination of one touches: the elimination tree.
    parent: Vec<u32>,
    /// Where the columns of the factor begin.
    starts: Vec<usize>,
}

const ROOT: u32 = u32::MAX;

impl Pattern {
    /// Analyses the pattern of a matrix with so many nodes; each pair of different nodes is listed once.
    ///
    /// # Errors
    /// The factor would be too large.
    pub fn new(nodes: usize, pairs: &[(u32, u32)]) -> Result<Self, FactorError> {
        let mut neighbours = vec![Vec::new(); nodes];
        for &(a, b) in pairs {
            neighbours[a as usize].push(b);
            neighbours[b as usize].push(a);
        }
        let mut position = vec![0; nodes];
        for (at, &node) in (0..).zip(&minimum_degree(&neighbours)) {
            position[node as usize] = at;
        }
        let mut rows = vec![Vec::new(); nodes];
        for (index, &(a, b)) in (0..).zip(pairs) {
            let (a, b) = (position[a as usize], position[b as usize]);
            rows[a.max(b) as usize].push((a.min(b), index, a < b));
        }
        let mut pattern =
            Self { nodes, pairs: pairs.len(), position, rows, parent: Vec::new(), starts: Vec::new() };
        pattern.grow_tree();
        pattern.count_blocks()?;
        Ok(pattern)
    }

    fn grow_tree(&mut self) {
        self.parent = vec![ROOT; self.nodes];
        let mut ancestor = vec![ROOT; self.nodes];
        for row in 0..self.nodes {
            for &(column, ..) in &self.rows[row] {
                let mut at = column;
                while at != ROOT && (at as usize) < row {
                    let next = ancestor[at as usize];
                    ancestor[at as usize] = row as u32;
                    if next == ROOT {
                        self.parent[at as usize] = row as u32;
                    }
                    at = next;
                }
            }
        }
    }

    fn count_blocks(&mut self) -> Result<(), FactorError> {
        let mut counts = vec![0_usize; self.nodes];
        let (mut reached, mut reach) = (vec![ROOT; self.nodes], Vec::new());
        let mut blocks = 0;
        for row in 0..self.nodes {
            self.reach(row, &mut reached, &mut reach);
            blocks += reach.len();
            if blocks > MAX_BLOCKS {
                return Err(FactorError::TooDense(blocks));
            }
            reach.iter().for_each(|&column| counts[column as usize] += 1);
        }
        self.starts = std::iter::once(0)
            .chain(counts.iter().scan(0, |sum, count| {
                *sum += count;
                Some(*sum)
            }))
            .collect();
        Ok(())
    }

    /// Columns of the factor with a block in a row, each after those it depends on.
    fn reach(&self, row: usize, reached: &mut [u32], reach: &mut Vec<u32>) {
        reach.clear();
        reached[row] = row as u32;
        for &(column, ..) in &self.rows[row] {
            let mut at = column;
            while reached[at as usize] != row as u32 {
                reached[at as usize] = row as u32;
                reach.push(at);
                at = self.parent[at as usize];
            }
        }
        // An ancestor in the tree always stands later in the order of elimination.
        reach.sort_unstable();
    }
}

/// The factor L of a matrix.
pub struct Factor<'a, const N: usize> {
    pattern: &'a Pattern,
    /// Lower triangles of the diagonal.
    diagonal: Vec<Block<N>>,
    rows: Vec<u32>,
    blocks: Vec<Block<N>>,
}

impl<'a, const N: usize> Factor<'a, N> {
    /// Factors a matrix.
    ///
    /// # Errors
    /// The matrix is not positive definite.
    pub fn new(pattern: &'a Pattern, matrix: &BlockMatrix<N>) -> Result<Self, FactorError> {
        let (nodes, zero) = (pattern.nodes, [[0.0; N]; N]);
        let total = pattern.starts[nodes];
        let mut factor =
            Self { pattern, diagonal: vec![zero; nodes], rows: vec![0; total], blocks: vec![zero; total] };
        let mut ends = pattern.starts[..nodes].to_vec();
        let mut row_blocks = vec![zero; nodes];
        let (mut reached, mut reach) = (vec![ROOT; nodes], Vec::new());
        let mut node_at = vec![0; nodes];
        pattern.position.iter().enumerate().for_each(|(node, &at)| node_at[at as usize] = node);
        for (row, &node) in node_at.iter().enumerate() {
            pattern.reach(row, &mut reached, &mut reach);
            for &(column, pair, is_turned) in &pattern.rows[row] {
                let block = matrix.pairs[pair as usize];
                row_blocks[column as usize] = if is_turned { transposed(block) } else { block };
            }
            let mut pivot = matrix.diagonal[node];
            for &column in &reach {
                let column = column as usize;
                let mut block = std::mem::replace(&mut row_blocks[column], zero);
                divide_by_triangle(&mut block, &factor.diagonal[column]);
                for at in pattern.starts[column]..ends[column] {
                    let target = factor.rows[at] as usize;
                    subtract_product(&mut row_blocks[target], &block, &factor.blocks[at]);
                }
                subtract_product(&mut pivot, &block, &block);
                factor.rows[ends[column]] = row as u32;
                factor.blocks[ends[column]] = block;
                ends[column] += 1;
            }
            factor.diagonal[row] = triangle(&pivot).ok_or(FactorError::NotPositive(node))?;
        }
        Ok(factor)
    }

    /// The x with A x = b.
    pub fn solve(&self, right: &[[f64; N]]) -> Vec<[f64; N]> {
        let nodes = self.pattern.nodes;
        let mut x = vec![[0.0; N]; nodes];
        for (node, &at) in self.pattern.position.iter().enumerate() {
            x[at as usize] = right[node];
        }
        let range = |column: usize| self.pattern.starts[column]..self.pattern.starts[column + 1];
        for column in 0..nodes {
            forward(&self.diagonal[column], &mut x[column]);
            let value = x[column];
            for at in range(column) {
                let target = &mut x[self.rows[at] as usize];
                for (t, row) in target.iter_mut().zip(&self.blocks[at]) {
                    *t -= row.iter().zip(&value).map(|(a, b)| a * b).sum::<f64>();
                }
            }
        }
        for column in (0..nodes).rev() {
            let mut value = x[column];
            for at in range(column) {
                let known = x[self.rows[at] as usize];
                for (row, k) in self.blocks[at].iter().zip(&known) {
                    value.iter_mut().zip(row).for_each(|(v, a)| *v -= a * k);
                }
            }
            backward(&self.diagonal[column], &mut value);
            x[column] = value;
        }
        self.pattern.position.iter().map(|&at| x[at as usize]).collect()
    }
}

fn transposed<const N: usize>(block: Block<N>) -> Block<N> {
    std::array::from_fn(|i| std::array::from_fn(|j| block[j][i]))
}

/// target -= a bᵀ
#[inline]
fn subtract_product<const N: usize>(target: &mut Block<N>, a: &Block<N>, b: &Block<N>) {
    for i in 0..N {
        for j in 0..N {
            let mut sum = 0.0;
            for k in 0..N {
                sum += a[i][k] * b[j][k];
            }
            target[i][j] -= sum;
        }
    }
}

/// block = block L⁻ᵀ, row by row a forward substitution.
#[inline]
fn divide_by_triangle<const N: usize>(block: &mut Block<N>, lower: &Block<N>) {
    block.iter_mut().for_each(|row| forward(lower, row));
}

/// The lower Cholesky factor of a block; none unless it is positive definite and finite.
fn triangle<const N: usize>(block: &Block<N>) -> Option<Block<N>> {
    let mut lower = [[0.0; N]; N];
    for i in 0..N {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| lower[i][k] * lower[j][k]).sum();
            let rest = block[i][j] - sum;
            if i == j {
                if !(rest.is_finite() && rest > 0.0) {
                    return None;
                }
                lower[i][i] = rest.sqrt();
            } else {
                lower[i][j] = rest / lower[j][j];
            }
        }
    }
    Some(lower)
}

/// x = L⁻¹ x
#[inline]
fn forward<const N: usize>(lower: &Block<N>, x: &mut [f64; N]) {
    for i in 0..N {
        let sum: f64 = (0..i).map(|k| lower[i][k] * x[k]).sum();
        x[i] = (x[i] - sum) / lower[i][i];
    }
}

/// x = L⁻ᵀ x
fn backward<const N: usize>(lower: &Block<N>, x: &mut [f64; N]) {
    for i in (0..N).rev() {
        let sum: f64 = (i + 1..N).map(|k| lower[k][i] * x[k]).sum();
        x[i] = (x[i] - sum) / lower[i][i];
    }
}

#[cfg(test)]
mod tests {
    use testkit::Random;

    use super::*;

    #[test]
    fn a_chain_of_two_numbers_by_hand() {
        // [4 2; 2 5] x = (8, 9): L = [2 0; 1 2], x = (11/8, 5/4).
        let pattern = Pattern::new(2, &[(0, 1)]).unwrap();
        let matrix = BlockMatrix { diagonal: vec![[[4.0]], [[5.0]]], pairs: vec![[[2.0]]] };
        let x = Factor::new(&pattern, &matrix).unwrap().solve(&[[8.0], [9.0]]);
        assert!((x[0][0] - 11.0 / 8.0).abs() < 1e-14 && (x[1][0] - 1.25).abs() < 1e-14);
    }

    #[test]
    fn what_is_solved_solves_the_system() {
        let mut random = Random(5);
        let nodes = 60;
        let mut number = || random.below(2001) as f64 / 1000.0 - 1.0;
        let mut joined: Vec<(u32, u32)> = (1..nodes).map(|i| (i - 1, i)).collect();
        joined
            .extend((0_u32..40).map(|i| (i * 7 % 60, (i * 13 + 5) % 60)).filter(|(a, b)| a.abs_diff(*b) > 1));
        joined.sort_unstable_by_key(|&(a, b)| (a.min(b), a.max(b)));
        joined.dedup_by_key(|(a, b)| (*a.min(b), *a.max(b)));
        let pattern = Pattern::new(nodes as usize, &joined).unwrap();
        let mut matrix = BlockMatrix::<3>::zeros(&pattern);
        matrix.pairs.iter_mut().flatten().flatten().for_each(|v| *v = number());
        for (i, block) in matrix.diagonal.iter_mut().enumerate() {
            block[0][0] = 20.0 + i as f64;
            (block[1][1], block[2][2]) = (21.0, 22.0);
        }
        let right: Vec<[f64; 3]> = (0..nodes).map(|_| [number(), number(), number()]).collect();
        let x = Factor::new(&pattern, &matrix).unwrap().solve(&right);
        let mut left: Vec<[f64; 3]> = vec![[0.0; 3]; nodes as usize];
        for (i, block) in matrix.diagonal.iter().enumerate() {
            (0..3).for_each(|r| left[i][r] += (0..3).map(|c| block[r][c] * x[i][c]).sum::<f64>());
        }
        for (&(a, b), block) in joined.iter().zip(&matrix.pairs) {
            let (a, b) = (a as usize, b as usize);
            (0..3).for_each(|r| left[a][r] += (0..3).map(|c| block[r][c] * x[b][c]).sum::<f64>());
            (0..3).for_each(|r| left[b][r] += (0..3).map(|c| block[c][r] * x[a][c]).sum::<f64>());
        }
        let worst = left.iter().zip(&right).flat_map(|(l, r)| (0..3).map(move |k| (l[k] - r[k]).abs()));
        assert!(worst.fold(0.0, f64::max) < 1e-12);
    }

    #[test]
    fn what_is_not_positive_is_refused() {
        let pattern = Pattern::new(1, &[]).unwrap();
        for value in [0.0, -1.0, f64::NAN] {
            let matrix = BlockMatrix { diagonal: vec![[[value]]], pairs: Vec::new() };
            assert_eq!(Factor::new(&pattern, &matrix).err(), Some(FactorError::NotPositive(0)));
        }
    }
}
