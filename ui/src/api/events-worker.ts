// The shared worker that holds the one event stream of a browser and hands its events to every tab.

import { EventStream, type StreamMessage } from './event-stream.ts';

interface SharedScope {
  onconnect: ((event: MessageEvent) => void) | null;
}

const tabs = new Set<MessagePort>();
const stream = new EventStream('/api/v1/events', (message) => tabs.forEach((tab) => tab.postMessage(message)));

(globalThis as unknown as SharedScope).onconnect = (event) => {
  const [tab] = event.ports;
  tabs.add(tab);
  tab.onmessage = (message: MessageEvent<'leave' | 'reconnect'>) => {
    if (message.data === 'reconnect') {
      stream.open();
      return;
    }
    tabs.delete(tab);
    if (tabs.size > 0) return;
    stream.close();
    stream.state = null;
  };
  if (stream.state === null || stream.state === 'ended') stream.open();
  else tab.postMessage({ kind: 'connection', state: stream.state } satisfies StreamMessage);
};
