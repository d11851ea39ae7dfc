// Levels below the coarsest one of the program, for small panes: the darkest cell of a block wins, so no wall vanishes.

const POOL = '#pool=';
/** Maps are pooled until their longer side has at most this many pixels. */
const MIN_SIDE = 64;

/** How many levels below the coarsest one can be made of its single tile. */
export function pooledLevels(width: number, height: number, levels: number): number {
  const side = Math.max(width, height) / 2 ** (levels - 1);
  return Math.max(0, Math.ceil(Math.log2(side / MIN_SIDE)));
}

export function pooledUrl(url: string, levelsBelow: number): string {
  return `${url}${POOL}${2 ** levelsBelow}`;
}

/** Address of the tile to load, and by how much to pool it: 1 for a tile of the program. */
export function unpooledUrl(url: string): { url: string; pool: number } {
  const at = url.indexOf(POOL);
  return at < 0 ? { url, pool: 1 } : { url: url.slice(0, at), pool: Number(url.slice(at + POOL.length)) };
}

export async function pooledImage(image: ImageBitmap, pool: number): Promise<ImageBitmap> {
  const canvas = document.createElement('canvas');
  canvas.width = image.width;
  canvas.height = image.height;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return image;
  context.drawImage(image, 0, 0);
  const source = context.getImageData(0, 0, image.width, image.height);
  const pooled = new ImageData(Math.ceil(image.width / pool), Math.ceil(image.height / pool));
  poolDarkest(source.data, image.width, image.height, pooled.data, pooled.width, pool);
  image.close();
  return createImageBitmap(pooled);
}

/** RGBA to RGBA; transparent pixels never win over opaque ones. */
export function poolDarkest(
  source: Uint8ClampedArray, width: number, height: number, target: Uint8ClampedArray, targetWidth: number, pool: number,
): void {
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const from = (row * width + column) * 4;
      if (source[from + 3] === 0) continue;
      const to = (Math.floor(row / pool) * targetWidth + Math.floor(column / pool)) * 4;
      const isDarker = source[from] + source[from + 1] + source[from + 2] < target[to] + target[to + 1] + target[to + 2];
      if (target[to + 3] === 0 || isDarker) target.set(source.subarray(from, from + 4), to);
    }
  }
}
