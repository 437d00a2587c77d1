import { expect, test } from 'vitest';
import { applyOfflineDelta } from './offline-delta.ts';

const entry = (entry_id: string, title = entry_id) => ({ entry_id, title });
const copy = {
  trees: ['old'],
  groups: [
    { entry_group_id: 'a', name: 'A', entries: [entry('1'), entry('2')] },
    { entry_group_id: 'b', name: 'B', entries: [entry('3')] },
    { entry_group_id: 'c', name: 'C', entries: [] },
  ],
};
const delta = {
  trees: null,
  groups: [
    { entry_group_id: 'a', head: null, is_whole: false, entries: [entry('1', 'renamed'), entry('3')] },
    { entry_group_id: 'c', head: { entry_group_id: 'c', name: 'see' }, is_whole: false, entries: [] },
    { entry_group_id: 'd', head: { entry_group_id: 'd', name: 'D' }, is_whole: true, entries: [entry('5')] },
    { entry_group_id: 'unknown', head: null, is_whole: false, entries: [entry('6')] },
  ],
  gone_groups: [],
  gone_entries: [
    { entry_group_id: 'a', entry_id: '2' },
    { entry_group_id: 'b', entry_id: '3' },
  ],
};

test('a delta changes, adds and removes; unchanged parts stay the same objects', () => {
  const after = applyOfflineDelta(copy, delta);
  expect(after).toEqual({
    trees: ['old'],
    groups: [
      { entry_group_id: 'a', name: 'A', entries: [entry('1', 'renamed'), entry('3')] },
      { entry_group_id: 'b', name: 'B', entries: [] },
      { entry_group_id: 'c', name: 'see', entries: [] },
      { entry_group_id: 'd', name: 'D', entries: [entry('5')] },
    ],
  });
  expect(copy.groups[0]?.entries).toHaveLength(2);
});

test('applying it twice changes nothing, and a whole group replaces its entries', () => {
  const once = applyOfflineDelta(copy, delta);
  expect(applyOfflineDelta(once, delta)).toEqual(once);
  const whole = { entry_group_id: 'a', head: null, is_whole: true, entries: [entry('9')] };
  const { groups } = applyOfflineDelta(copy, { ...delta, groups: [whole], gone_groups: ['b', 'c'], gone_entries: [] });
  expect(groups).toEqual([{ entry_group_id: 'a', name: 'A', entries: [entry('9')] }]);
});
