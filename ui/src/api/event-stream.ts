// The stream of events of the program, kept open: a server that refuses or ends it is asked again.

/** `review`, `frame`: of the one program; the others: of a contest. `resync`: events were missed, everything may have changed. */
export const EVENT_KINDS = ['review', 'frame', 'ranking', 'submission', 'job', 'decision', 'notice', 'resync'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];
export type Connection = 'open' | 'lost' | 'ended';

export type StreamMessage =
  | { readonly kind: 'event'; readonly name: EventKind; readonly data: unknown }
  | { readonly kind: 'connection'; readonly state: Connection };

const ASK_AGAIN_MS = 3000;

export class EventStream {
  state: Connection | null = null;
  private source: EventSource | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly address: string, private readonly tell: (message: StreamMessage) => void) {}

  open(): void {
    this.close();
    const source = new EventSource(this.address);
    this.source = source;
    source.addEventListener('open', () => this.connection('open'));
    source.addEventListener('error', () => this.lost(source));
    source.addEventListener('ending', () => {
      this.close();
      this.connection('ended');
    });
    for (const name of EVENT_KINDS) {
      source.addEventListener(name, (event: MessageEvent<string>) => this.tell({ kind: 'event', name, data: parsed(event.data) }));
    }
  }

  close(): void {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }

  /** The browser connects again by itself, except after an answer that is no stream. */
  private lost(source: EventSource): void {
    this.connection('lost');
    if (source.readyState !== EventSource.CLOSED) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), ASK_AGAIN_MS);
  }

  private connection(state: Connection): void {
    this.state = state;
    this.tell({ kind: 'connection', state });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
