/**
 * M80: generated histories of a hostile server. Fails if its keys open anything sent by clients that must
 * stay unreadable. New seeds are in `hostile-server-anew.node.long.test.ts`: a landing must not depend on chance.
 */
import { expect, test } from 'vitest';
import { LONG_TIMEOUT } from '@passwordbroker/core/testing/arbitraries';
import { checkHistories, startWorlds } from '../../testing/hostile/check-histories.node.ts';
import type { History } from '../../testing/hostile/history.node.ts';
import { play } from '../../testing/hostile/play.node.ts';
import type { Lie } from '../../testing/hostile/lies.node.ts';
import type { Act } from '../../testing/hostile/person.node.ts';

const worlds = startWorlds();

test('M80 generated histories open nothing to attackers, a fixed seed', LONG_TIMEOUT, () =>
  checkHistories(worlds, 20_261_124),
);

test.each(found())('M80 a former finding stays fixed: %s', async (_, told) => {
  for (const world of worlds) expect((await play(world, told)).violations).toEqual([]);
});

/** The findings F1 to F4 of the audit of release 1.0 and of former runs, as histories. */
function found(): readonly [string, History][] {
  const basis: Lie = {
    kind: 'append',
    group: 0,
    by: 'ghost',
    isRotated: true,
    proof: 'own',
    at: 0,
    supersedes: false,
  };
  const groups = [0, 1, 2, 3, 4, 5];
  const everywhere = (...all: Act['what'][]): Act[] =>
    all.flatMap((what) => groups.map((group) => ({ what, group, other: group + 1 })));
  const onAll = (kind: Lie['kind'], more: Partial<Lie> = {}): Lie[] =>
    groups.map((group) => ({ ...basis, kind, group, ...more }));
  const once = (lies: readonly Lie[], acts: readonly Act[], memory: 'full' | 'none' = 'none'): History => ({
    kind: 'never',
    hasColluder: false,
    browsers: [memory],
    unlocks: [{ browser: 0, lies, moves: [], acts, isWiped: false, isSynced: false }],
    isSettled: false,
  });
  const byColluder = once(onAll('append', { by: 'colluder' }), everywhere('write'), 'full');
  const undoIntoTwin = [...onAll('twin'), { ...basis, kind: 'undo' } as const];
  const undo: Act[] = [{ what: 'undo from journal', group: 0, other: 0 }];
  return [
    ['F1 a ghost appends a list, and the rotation is due', once(onAll('append', { supersedes: true }), [])],
    ['F1 a person writes after a ghost has appended a list', once(onAll('append'), everywhere('write'))],
    ['F2 a version below the first list', once(onAll('version', { at: 1 }), everywhere('move', 'read', 'history'))],
    ['F2 version 0', once(onAll('version', { at: 2 }), everywhere('move', 'read'))],
    ['F3 a group without lists is said to be made by the server', once(onAll('vanish'), everywhere('write'))],
    ['F4 a move is taken back into a group of the server', once(undoIntoTwin, undo)],
    ['F4 in a browser with memory', once(undoIntoTwin, undo, 'full')],
    ['a group of the server at a known path', once(onAll('twin'), everywhere('write'))],
    ['a group of the server at a known path, with memory', once(onAll('twin'), everywhere('write'), 'full')],
    ['a colluder signs a list of a group that the account has not accepted', { ...byColluder, hasColluder: true }],
  ];
}
