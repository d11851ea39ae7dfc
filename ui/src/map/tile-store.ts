// Decoded tiles in memory: at most MAX_BYTES, the ones drawn longest ago go first.

export interface DecodedTile {
  readonly width: number;
  readonly height: number;
  close(): void;
}

export interface TileStoreOptions<Tile extends DecodedTile> {
  readonly load: (url: string) => Promise<Tile>;
  readonly loaded: () => void;
  readonly failed: (error: unknown) => void;
  readonly maxBytes?: number;
}

const MAX_BYTES = 256 * 2 ** 20;
/** A browser opens six connections to a host; one stays free for numbers. */
const MAX_LOADING = 5;
const RETRY_AFTER_MS = 3000;

export class TileStore<Tile extends DecodedTile = ImageBitmap> {
  private readonly tiles = new Map<string, Tile>();
  private readonly loading = new Set<string>();
  private readonly failedAt = new Map<string, number>();
  private waiting: string[] = [];
  private bytes = 0;
  /** Grows with each tile that arrives, and when a failed one may be asked for again. */
  generation = 0;

  constructor(private readonly options: TileStoreOptions<Tile>) {}

  /** The tile, or null while it is not here. */
  get(url: string): Tile | null {
    const tile = this.tiles.get(url);
    if (!tile) return null;
    this.tiles.delete(url);
    this.tiles.set(url, tile);
    return tile;
  }

  /** Asks for a tile; what was asked for last is loaded first. */
  request(url: string): void {
    const failedAt = this.failedAt.get(url);
    if (failedAt !== undefined && Date.now() - failedAt < RETRY_AFTER_MS) return;
    if (this.tiles.has(url) || this.loading.has(url)) return;
    this.waiting = this.waiting.filter((other) => other !== url);
    this.waiting.push(url);
    this.loadNext();
  }

  /** Drops requests that nobody waits for any more. */
  forgetWaiting(): void {
    this.waiting = [];
  }

  bytesHeld(): number {
    return this.bytes;
  }

  private loadNext(): void {
    while (this.loading.size < MAX_LOADING) {
      const url = this.waiting.pop();
      if (url === undefined) return;
      void this.load(url);
    }
  }

  private async load(url: string): Promise<void> {
    this.loading.add(url);
    try {
      this.keep(url, await this.options.load(url));
      this.failedAt.delete(url);
      this.arrived();
    } catch (error) {
      this.failedAt.set(url, Date.now());
      this.options.failed(error);
      setTimeout(() => this.arrived(), RETRY_AFTER_MS);
    } finally {
      this.loading.delete(url);
      this.loadNext();
    }
  }

  private arrived(): void {
    this.generation += 1;
    this.options.loaded();
  }

  private keep(url: string, tile: Tile): void {
    this.tiles.set(url, tile);
    this.bytes += bytesOf(tile);
    const limit = this.options.maxBytes ?? MAX_BYTES;
    for (const [oldUrl, old] of this.tiles) {
      if (this.bytes <= limit || oldUrl === url) break;
      this.tiles.delete(oldUrl);
      this.bytes -= bytesOf(old);
      old.close();
    }
  }
}

function bytesOf(tile: DecodedTile): number {
  return tile.width * tile.height * 4;
}
