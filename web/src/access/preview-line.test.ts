/** The line about what an operation will change, for each kind of change and note. */
import { expect, test } from 'vitest';
import type { AccessChange, Act, Preview } from '@passwordbroker/core/contract/groups/access';
import { previewText } from './preview-line.tsx';

const person = (name: string): AccessChange => ({
  user: { user_id: name, name },
  from: null,
  to: null,
  entry_groups: 1,
  entries: 1,
  known: null,
});
const NONE: Preview = {
  gains: [],
  loses: [],
  changes: [],
  names: [],
  totals: { gains: 0, loses: 0, changes: 0, names: 0, known: null, entry_groups: 0, entries: 0 },
  notes: [],
};
const line = (
  { totals, ...rest }: Partial<Omit<Preview, 'totals'>> & { readonly totals?: Partial<Preview['totals']> },
  kind: Act['kind'] = 'add-user',
) => previewText({ ...NONE, ...rest, totals: { ...NONE.totals, ...totals } }, kind, 'Ada');

test('says who gains and who loses, names few people, and counts all', () => {
  const gains = [person('Bob'), person('Carol'), person('Dan'), person('Eve')];
  expect([
    line({ gains, totals: { gains: 12, entries: 40 } }),
    line({ gains: gains.slice(0, 3), totals: { gains: 3, entries: 1 } }),
    line({ gains: gains.slice(0, 1), totals: { gains: 1 } }),
    line({ loses: [person('Dan')], totals: { loses: 1, known: 7 } }, 'remove-user'),
    line({ loses: [person('Ada'), person('Bob')], totals: { loses: 2, known: 7 } }, 'delete-group'),
    line({ changes: [person('Bob')], totals: { changes: 1, entry_groups: 3 } }, 'change-role'),
    line({ loses: [person('Ada')], totals: { loses: 1 } }, 'delete-entries'),
    line({ gains: [person('Bob')], totals: { gains: 1, entries: 2 } }, 'restore-group'),
  ]).toEqual([
    'Gains: Bob, Carol and 10 more can read 40 entries.',
    'Gains: Bob, Carol and Dan can read 1 entry.',
    'Gains: Bob.',
    'Loses: Dan. They have opened 7 values here: change these.',
    'Loses: you and Bob.',
    'Another role in 3 groups: Bob.',
    'Loses: you.',
    'Gains: Bob can read 2 entries.',
  ]);
});

test('says what else a person should know, and that nothing changes', () => {
  const names = [{ user: { user_id: 'Bob', name: 'Bob' }, entry_groups: ['Root', 'Customers'] }];
  expect([
    line({ notes: ['nobody_changes'] }),
    line({ notes: ['nobody_changes', 'last_admin'] }, 'change-role'),
    line({ notes: ['nobody_changes'] }, 'move-group'),
    line({ names, totals: { names: 12 }, notes: ['nobody_changes', 'not_yours'] }, 'move-group'),
    line({ notes: ['nobody_changes', 'not_yours'] }, 'delete-group'),
  ]).toEqual([
    'Nobody’s access changes.',
    'The last admin cannot be demoted.',
    '',
    '12 people will see the name “Customers”. Groups below that you do not administer move along.',
    'You do not administer every group below, so this will be refused.',
  ]);
});
