import { session } from '../page/page.ts';

const FEW = 3;

/** Of the person who is signed in. */
let left: number | null = null;
const listeners = new Set<() => void>();

function set(next: number | null): void {
  if (next === left) return;
  left = next;
  for (const listener of listeners) listener();
}

session.subscribe(() => {
  if (session.view().user === null) set(null);
});

/** How many recovery codes are left, where the page must say so; null: enough, or not known. */
export const fewCodes = {
  /** Call it after a sign-in with a second factor, and after new codes. */
  tell: (count: number): void => set(count <= FEW ? count : null),
  left: () => left,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};
