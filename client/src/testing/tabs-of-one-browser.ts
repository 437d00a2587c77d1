/** Tabs that share one channel, without a browser. */
import type { TabMessage, Tabs } from '../platform.ts';

type Listener = (message: TabMessage) => void;

export function tabsOfOneBrowser(): { open(): Tabs } {
  const all: Listener[][] = [];
  return {
    open() {
      const own: Listener[] = [];
      all.push(own);
      return {
        tell: (message) =>
          all.filter((others) => others !== own).forEach((others) => others.forEach((one) => one(message))),
        listen: (listener) => void own.push(listener),
      };
    },
  };
}

/** The only tab of its browser. */
export const onlyTab = (): Tabs => tabsOfOneBrowser().open();
