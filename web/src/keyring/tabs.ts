/** The other tabs of this browser: one locks, all lock (threats-and-tests W6). */

export type TabMessage = 'locked' | 'active';

export interface Tabs {
  tell(message: TabMessage): void;
  listen(listener: (message: TabMessage) => void): void;
}

export function openTabs(): Tabs {
  if (typeof BroadcastChannel === 'undefined') return { tell: () => undefined, listen: () => undefined };
  const channel = new BroadcastChannel('passwordbroker-lock');
  return {
    tell: (message) => channel.postMessage(message),
    listen(listener) {
      channel.onmessage = ({ data }: MessageEvent<unknown>) => {
        if (data === 'locked' || data === 'active') listener(data);
      };
    },
  };
}
