import { keptChoice } from '@passwordbroker/client/kept-choice';

/** Groups that are remembered, the last ones. */
const MOST = 200;

/** A line for each group: its id, and the id of the kind. Ids reveal nothing. */
const kept = keptChoice<string>(
  'passwordbroker.kinds',
  '',
  (text) => text,
  () => localStorage,
);

const pairs = () =>
  kept
    .get()
    .split('\n')
    .map((line) => line.split(' '));

/** The kind of entry that was chosen last in each group, in this browser. */
export const chosenKinds = {
  in: (groupId: string): string | undefined => pairs().find(([group]) => group === groupId)?.[1],
  set: (groupId: string, kind: string): void => {
    const others = pairs().filter(([group]) => group !== groupId);
    kept.set([[groupId, kind], ...others.slice(0, MOST - 1)].map((pair) => pair.join(' ')).join('\n'));
  },
};
