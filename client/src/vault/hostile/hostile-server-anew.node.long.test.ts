/** M80: like `hostile-server.node.test.ts`, with a new seed in each run. A failure prints it. */
import { test } from 'vitest';
import { LONG_TIMEOUT } from '@passwordbroker/core/testing/arbitraries';
import { checkHistories, startWorlds } from '../../testing/hostile/check-histories.node.ts';

const worlds = startWorlds();

test('M80 generated histories open nothing to attackers, a new seed', LONG_TIMEOUT, () =>
  checkHistories(worlds, Date.now() % 2 ** 31),
);
