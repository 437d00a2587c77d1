/** Renaming, moving with all revisions, deleting and restoring entries on the real server. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Field } from '@passwordbroker/core/contract/entities';
import type { SignedIn } from '../../../../server/src/testing/test-app.ts';
import type { RealVault } from '../../testing/real-vault.node.ts';
import { withPeople, withVault } from '../../testing/with-vaults.node.ts';
import type { VaultWrite } from '../vault.ts';

let ada: SignedIn;
let real: RealVault;
let write: VaultWrite;
let from: string;
let to: string;

withPeople(['ada'], (_app, people) => ([ada] = people));
withVault(
  () => ada,
  (opened, writing) => ([real, write] = [opened, writing]),
);
beforeEach(async () => {
  [from, to] = [await group('Production'), await group('Staging')];
});

async function group(name: string): Promise<string> {
  const { entryGroup } = await write.createGroup({ name, parentId: null, sameMembers: false });
  return entryGroup.entry_group_id;
}

/** An entry with one field that has two revisions. */
async function entryWithHistory(title: string) {
  const { entry_id: entryId } = await write.createEntry(from, title);
  const path = { entryGroupId: from, entryId };
  const first = { type: 'note', title: 'Runbook', value: `${title} 1` } as const;
  const field = await write.createField(path, first);
  const changed = await write.updateField({ ...path, field }, { ...first, value: `${title} 2` });
  return { entryId, field: changed };
}

async function valuesIn(entryGroupId: string, { entryId, field }: { entryId: string; field: Field }) {
  const path = { entryGroupId, entryId, field };
  const rows = (await real.vault.read.history(path)).filter(({ has_value }) => has_value);
  const older = await Promise.all(rows.map((row) => real.vault.read.revealRevision(path, row)));
  return [(await real.vault.read.reveal(path)).text, ...older.map(({ text }) => text)];
}
const titlesIn = async (groupId: string) => (await real.vault.read.entries(groupId)).map(({ title }) => title);

describe('an entry', () => {
  test('is renamed, and the rename can be undone', async () => {
    const { entry_id: entryId } = await write.createEntry(from, 'Billing ledger');
    const { value, operationId } = await write.renameEntry({ entryGroupId: from, entryId }, 'Ledger');
    expect([value.title, await titlesIn(from)]).toEqual(['Ledger', ['Ledger']]);
    await write.undo(operationId ?? '');
    expect(await titlesIn(from)).toEqual(['Billing ledger']);
  });

  test('is deleted with others and restored, also alone', async () => {
    const [one, other] = [await entryWithHistory('One'), await entryWithHistory('Other')];
    const removed = await write.removeEntries(from, [one.entryId, other.entryId]);
    expect([removed.counts, await titlesIn(from)]).toEqual([{ entry_groups: 0, entries: 2, fields: 2 }, []]);
    await write.restore(removed.operation_id, [{ kind: 'entry', id: other.entryId }]);
    expect(await titlesIn(from)).toEqual(['Other']);
    await write.restore(removed.operation_id);
    expect(await valuesIn(from, one)).toEqual(['One 2', 'One 2', 'One 1']);
  });
});

describe('a move', () => {
  test('keeps every revision, reports progress, and can be undone', async () => {
    const moved = [await entryWithHistory('One'), await entryWithHistory('Other')];
    const entryIds = moved.map(({ entryId }) => entryId);
    const progress: number[] = [];
    const act = await write.moveEntries(from, entryIds, to, { onProgress: (done) => progress.push(done) });
    expect(act.value.moved).toBe(2);
    expect(progress.at(-1)).toBe(1);
    expect([await titlesIn(from), await titlesIn(to)]).toEqual([[], ['One', 'Other']]);
    expect(await valuesIn(to, moved[0]!)).toEqual(['One 2', 'One 2', 'One 1']);

    const [row] = (await real.vault.read.journal(1)).data;
    expect(row).toMatchObject({ operation_id: act.operationId, kind: 'move', from, to, target_ids: entryIds });
    await write.undoEntryMove({ operationId: act.operationId ?? '', fromGroupId: from, toGroupId: to, entryIds });
    expect([await titlesIn(from), await titlesIn(to)]).toEqual([['One', 'Other'], []]);
    expect(await valuesIn(from, moved[1]!)).toEqual(['Other 2', 'Other 2', 'Other 1']);
  });

  test('includes fields in the trash', async () => {
    const { entryId, field } = await entryWithHistory('One');
    const removed = await write.removeField({ entryGroupId: from, entryId, field });
    await write.moveEntries(from, [entryId], to);
    await write.undo(removed.operation_id);
    expect((await real.vault.read.reveal({ entryGroupId: to, entryId, field })).text).toBe('One 2');
  });

  test('makes the wraps again after a concurrent write', async () => {
    const { entryId, field } = await entryWithHistory('One');
    let isWritten = false;
    real.before = async (request) => {
      if (!request.includes('bulkEdit/move') || isWritten) return;
      isWritten = true;
      const change = { type: 'note', title: 'Runbook', value: 'One 3' } as const;
      await write.updateField({ entryGroupId: from, entryId, field }, change);
    };
    expect((await write.moveEntries(from, [entryId], to)).value.moved).toBe(1);
    expect(isWritten).toBe(true);
    expect(await valuesIn(to, { entryId, field })).toEqual(['One 3', 'One 3', 'One 2', 'One 1']);
  });

  test('moves nothing if a wrap is damaged', async () => {
    const { entryId } = await entryWithHistory('One');
    real.forge = (url, answer) => {
      if (!url.endsWith('/wraps')) return answer;
      const { rows, ...rest } = answer as { rows: { rev: number }[] };
      return { ...rest, rows: rows.map((row) => ({ ...row, rev: row.rev + 1 })) };
    };
    real.requests.length = 0;
    await expect(write.moveEntries(from, [entryId], to)).rejects.toMatchObject({ code: 'integrity' });
    expect(real.requests.some((request) => request.endsWith('/move'))).toBe(false);
  });

  test('sends nothing while locked', async () => {
    const { entryId } = await entryWithHistory('One');
    real.keyring.lock();
    real.requests.length = 0;
    await expect(write.moveEntries(from, [entryId], to)).rejects.toMatchObject({ code: 'locked' });
    expect(real.requests.some((request) => request.startsWith('POST'))).toBe(false);
  });
});
