import { MESSAGES, type Tabs } from '../../platform.ts';

/** Messages between tabs. Open one per page: two channels of the same page would hear each other. */
export function openTabs(): Tabs {
  if (typeof BroadcastChannel === 'undefined') return { tell: () => undefined, listen: () => undefined };
  const channel = new BroadcastChannel('passwordbroker-lock');
  return {
    tell: (message) => channel.postMessage(message),
    listen(listener) {
      channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        const message = MESSAGES.find((known) => known === data);
        if (message !== undefined) listener(message);
      });
    },
  };
}
