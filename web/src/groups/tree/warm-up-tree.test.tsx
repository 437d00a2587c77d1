import { expect, test } from 'vitest';
import { warmUpTree } from './warm-up-tree.tsx';

const boxes = () => [...document.querySelectorAll<HTMLElement>('body > [inert]')];
const turn = () => new Promise((resolve) => setTimeout(resolve, 5));

test('renders rows invisibly and inert, then removes them', async () => {
  const focused = document.activeElement;
  warmUpTree();
  const [box] = boxes();
  expect([box?.ariaHidden, box && getComputedStyle(box).visibility]).toEqual(['true', 'hidden']);
  let most = 0;
  for (let at = 0; at < 400 && boxes().length > 0; at += 1) {
    most = Math.max(most, box?.querySelectorAll('[role=row]').length ?? 0);
    await turn();
  }
  // Without layout, one row fits.
  expect(most).toBeGreaterThan(0);
  expect(boxes()).toEqual([]);
  expect(document.querySelector('[role=treegrid]')).toBeNull();
  expect(document.activeElement).toBe(focused);
});
