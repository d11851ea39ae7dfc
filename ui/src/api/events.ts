// One event stream per browser, held by a shared worker: under HTTP/1.1 a browser has six connections to a host, and one
// stream per tab would use them up. Where there is no shared worker, each tab has its own.

import { EventStream, type Connection, type EventKind, type StreamMessage } from './event-stream.ts';

export type { Connection, EventKind } from './event-stream.ts';

export interface EventListeners {
  event(kind: EventKind, data: unknown): void;
  connection(state: Connection): void;
}

export interface Listening {
  /** Opens the stream anew: after a log-in, or when the program answers again. */
  reconnect(): void;
}

interface ScriptPolicy {
  createScriptURL(url: string): string;
}

interface PolicyFactory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): ScriptPolicy;
}

const WORKER = '/assets/events-worker.js';

export function listen(listeners: EventListeners): Listening {
  const deliver = (message: StreamMessage): void => {
    if (message.kind === 'connection') listeners.connection(message.state);
    else listeners.event(message.name, message.data);
  };
  return typeof SharedWorker === 'undefined' ? ownStream(deliver) : sharedStream(deliver);
}

function sharedStream(deliver: (message: StreamMessage) => void): Listening {
  let { port } = new SharedWorker(trusted(WORKER), { type: 'module' });
  const attach = (): void => {
    port.onmessage = (event: MessageEvent<StreamMessage>) => deliver(event.data);
  };
  attach();
  window.addEventListener('pagehide', () => port.postMessage('leave'));
  window.addEventListener('pageshow', (event) => {
    if (!event.persisted) return;
    ({ port } = new SharedWorker(trusted(WORKER), { type: 'module' }));
    attach();
  });
  return { reconnect: () => port.postMessage('reconnect') };
}

function ownStream(deliver: (message: StreamMessage) => void): Listening {
  const stream = new EventStream('/api/v1/events', deliver);
  stream.open();
  window.addEventListener('pagehide', () => stream.close());
  return { reconnect: () => stream.open() };
}

let policy: ScriptPolicy | null = null;

/** The one address of a script that the policy of trusted types lets pass. */
function trusted(url: typeof WORKER): string {
  const factory = (window as unknown as { trustedTypes?: PolicyFactory }).trustedTypes;
  if (!factory) return url;
  policy ??= factory.createPolicy('mapjudge-worker', { createScriptURL: () => WORKER });
  return policy.createScriptURL(url);
}
