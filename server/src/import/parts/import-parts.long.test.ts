/** The largest import in parts (IM13): eight requests of nearly 64 MiB, and what the server needs for them. */
import { setInterval as every } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { v7 } from 'uuid';
import { randomBytes } from '@passwordbroker/core/crypto/bytes';
import { sealField } from '@passwordbroker/core/domain/fields/field';
import { createGroupKeys } from '@passwordbroker/core/domain/groups/group-keys';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { startTestApp } from '../../testing/test-app.ts';

const PATH = '/passwordBroker/api/imports';
const MIB = 1024 * 1024;
const PARTS = 8;
/** One request of 63 MiB takes about 410. */
const MEMORY_MIB = 750;
const NOTE_BYTES = 200_000;

let app: TestApp;
let ada: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterAll(() => app.stop());

test('eight parts of 63 MiB: the server does not hold them in memory together', { timeout: 600_000 }, async () => {
  const members = [{ identity: ada.keyring.identity, role: 'admin' as const }];
  const [group, entry] = [v7(), v7()];
  const { groupKey, wire } = await createGroupKeys(ada.keyring, { groupId: group, members, now: app.clock.now() });
  const fieldId = v7();
  const note = await sealField(
    groupKey,
    { entryGroupId: group, entryId: entry, fieldId, type: 'note', rev: 1 },
    { type: 'note', title: 'Note', value: randomBytes(NOTE_BYTES) },
  );
  const entries: object[] = [];
  const notes = Math.floor((63 * MIB) / (JSON.stringify(note).length + 300));
  // The server checks only the form of sealed values.
  const fieldsOf = () => {
    const entryId = v7();
    entries.push({ entry_id: entryId, entry_group_id: group, title: 'Notes' });
    return Array.from({ length: notes }, () => ({
      field_id: v7(),
      entry_id: entryId,
      type: 'note',
      title: 'Note',
      revisions: [note],
    }));
  };
  const parts = Array.from({ length: PARTS }, () => fieldsOf());
  const groups = [{ entry_group_id: group, name: 'Large', ...wire, grants: [...wire.grants] }];
  const begun = await ada.request({ path: PATH, json: { parts: PARTS, bytes: PARTS * 64 * MIB } });
  const { import_id: id } = begun.json<{ import_id: string }>();
  for (const [at, fields] of parts.entries()) {
    const batch = at === 0 ? { name: 'Large', groups, entries, skipped: [], fields } : { fields };
    const multipart = new FormData();
    multipart.append('batch', new Blob([JSON.stringify(batch)], { type: 'application/json' }), 'batch');
    const { status } = await ada.request({ method: 'PUT', path: `${PATH}/${id}/parts/${at + 1}`, multipart });
    expect(status).toBe(204);
  }
  const before = process.memoryUsage().rss;
  let most = before;
  const stop = new AbortController();
  const watching = (async () => {
    for await (const _ of every(50, undefined, { signal: stop.signal }))
      most = Math.max(most, process.memoryUsage().rss);
  })().catch(() => undefined);
  const answer = await ada.request({ method: 'POST', path: `${PATH}/${id}/commit` });
  stop.abort();
  await watching;
  expect([answer.status, answer.json()]).toMatchObject([201, { counts: { entries: PARTS, fields: PARTS * notes } }]);
  expect((most - before) / MIB).toBeLessThan(MEMORY_MIB);
});
