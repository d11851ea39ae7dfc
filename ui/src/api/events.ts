// One event stream per browser: the tab that holds the lock listens and tells the others. Under HTTP/1.1 a browser has
// six connections to a host, and one stream per tab would use them up.

export type EventKind = 'review' | 'frame';
export type Connection = 'open' | 'lost' | 'ended';

export interface EventListeners {
  event(kind: EventKind, data: unknown): void;
  connection(state: Connection): void;
}

type Message =
  | { readonly kind: 'event'; readonly name: EventKind; readonly data: unknown }
  | { readonly kind: 'connection'; readonly state: Connection };

/** `resync`: events were missed, so everything may have changed. */
const KINDS = ['review', 'frame', 'ending', 'resync'] as const;
const CHANNEL = 'mapjudge-events';

export function listen(listeners: EventListeners): void {
  const channel = new BroadcastChannel(CHANNEL);
  const deliver = (message: Message): void => {
    if (message.kind === 'connection') listeners.connection(message.state);
    else listeners.event(message.name, message.data);
  };
  channel.addEventListener('message', (event: MessageEvent<Message>) => deliver(event.data));
  const tellAll = (message: Message): void => {
    deliver(message);
    channel.postMessage(message);
  };
  if (!('locks' in navigator)) {
    openStream(deliver);
    return;
  }
  void navigator.locks.request(CHANNEL, () => new Promise<void>(() => openStream(tellAll)));
}

function openStream(tell: (message: Message) => void): void {
  const source = new EventSource('/api/v1/events');
  let ended = false;
  source.addEventListener('open', () => tell({ kind: 'connection', state: 'open' }));
  source.addEventListener('error', () => {
    if (!ended) tell({ kind: 'connection', state: 'lost' });
  });
  for (const name of KINDS) {
    source.addEventListener(name, (event: MessageEvent<string>) => {
      if (name === 'ending') {
        ended = true;
        source.close();
        tell({ kind: 'connection', state: 'ended' });
      } else if (name === 'resync') {
        tell({ kind: 'event', name: 'review', data: null });
        tell({ kind: 'event', name: 'frame', data: null });
      } else {
        tell({ kind: 'event', name, data: parsed(event.data) });
      }
    });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
