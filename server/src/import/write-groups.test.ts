/** Groups of an import are written table by table, not group by group. */
import { v7 } from 'uuid';
import { expect, onTestFinished, test } from 'vitest';
import { createGroupKeys } from '@passwordbroker/core/domain/group-keys';
import { openBulkWriter } from '../db/bulk-writer.ts';
import type { InsertRows } from '../db/bulk-writer.ts';
import { countRows, packedRows } from '../db/packed-rows.ts';
import { startTestApp } from '../testing/test-app.ts';
import { groupReader } from './batch-groups.ts';
import type { GroupRows } from './batch-groups.ts';
import { writeGroups } from './write-groups.ts';

const GROUPS = 30;

test(`${GROUPS} groups, each in the one before: five calls, and every row is there`, async () => {
  const app = await startTestApp();
  onTestFinished(() => app.stop());
  const ada = await app.signUp('ada');
  const { keyring } = ada;
  const now = app.clock.now();
  const reader = groupReader({ userId: keyring.userId, identity: keyring.identity, now, fileLimit: 1, newId: v7 });
  const rows: GroupRows[] = [];
  for (let at = 0; at < GROUPS; at += 1) {
    const groupId = v7();
    const members = [{ identity: keyring.identity, role: 'admin' as const }];
    const { wire } = await createGroupKeys(keyring, { groupId, members, now });
    const above = rows.at(-1)?.group.entry_group_id;
    const place = above === undefined ? {} : { parent_entry_group_id: above };
    rows.push(
      await reader.read(
        { entry_group_id: groupId, name: `Group ${at}`, ...place, ...wire, grants: [...wire.grants] },
        at,
      ),
    );
  }

  const calls: [string, number][] = [];
  const writer = await openBulkWriter(app.deps.db.path);
  onTestFinished(() => writer.close());
  await app.deps.db.exclusive(() =>
    writer.transact(async (_, insert) => {
      const counted: InsertRows = (table, some) => {
        calls.push([table, countRows(packedRows(some))]);
        return insert(table, some);
      };
      await writeGroups(counted, rows);
    }),
  );

  expect(calls).toEqual(
    ['entry_groups', 'group_members', 'group_keys', 'group_grants', 'group_rosters'].map((table) => [table, GROUPS]),
  );
  const { read } = app.deps.db;
  const stored = await Promise.all([
    read.selectFrom('entry_groups').select('entry_group_id').execute(),
    read.selectFrom('group_members').select('entry_group_id').execute(),
    read.selectFrom('group_keys').select('entry_group_id').execute(),
    read.selectFrom('group_grants').select('entry_group_id').execute(),
    read.selectFrom('group_rosters').select('entry_group_id').execute(),
  ]);
  const ids = rows.map(({ group }) => group.entry_group_id).sort();
  for (const table of stored) expect(table.map(({ entry_group_id }) => entry_group_id).sort()).toEqual(ids);
});
