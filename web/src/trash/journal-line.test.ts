import { expect, test } from 'vitest';
import type { JournalRow } from '@passwordbroker/core/contract/entities';
import { journalText } from './trash-page.tsx';

const row = (of: Partial<JournalRow>): JournalRow => ({
  operation_id: '',
  kind: 'move',
  counts: { entry_groups: 0, entries: 0, fields: 0 },
  undo_until: null,
  target_kind: 'entry_group',
  target_id: 't',
  target_ids: ['t'],
  title: 'Production',
  from: null,
  to: null,
  created_at: '',
  ...of,
});
const names: Readonly<Record<string, string>> = { a: 'Alpha' };

test.each<[Partial<JournalRow>, string]>([
  [{ kind: 'import', title: 'keepass' }, 'Import into "keepass"'],
  [{ kind: 'rename', from: 'Old', to: 'New' }, 'Entry group "Old" renamed to "New"'],
  [{ kind: 'rename', target_kind: 'entry', from: 'Old', to: 'New' }, 'Entry "Old" renamed to "New"'],
  [{ from: 'a', to: null }, 'Entry group "Production" moved from "Alpha" to the root'],
  [{ from: 'gone', to: 'a' }, 'Entry group "Production" moved from a group you cannot see to "Alpha"'],
  [{ target_kind: 'entry', from: 'a', to: 'b' }, 'Entry "Production" moved from "Alpha" to a group you cannot see'],
  [
    { target_kind: 'entry', target_ids: ['t', 'u', 'v'], from: 'b', to: 'a' },
    'Entry "Production" and 2 more moved from a group you cannot see to "Alpha"',
  ],
])('%j', (of, told) => {
  expect(journalText(row(of), (id) => names[id])).toBe(told);
});
