/**
 * Kills the server during an import: no part of the import is visible, no other write is lost, and
 * a retry succeeds (R60).
 */
import { afterEach, expect, test } from 'vitest';
import { startServer, type RunningServer } from '../e2e/testing/server/server.ts';
import { openToRead } from '../server/src/db/open.ts';
import type { DatabaseToRead } from '../server/src/db/database.ts';
import { largeKeepassXml } from '../server/src/import/testing/keepass-xml.ts';
import { BASE, MASTER_PASSWORD, addGroup, addUser, signUp, type Caller } from './testing/caller.ts';
import { examine } from './testing/doctor.ts';
import { newLedger } from './testing/ledger.ts';
import { printLedger } from './testing/print-ledger.ts';

const ENTRIES = 5000;
const WRITERS = 4;
/** Committed rows at which the process is killed, of about 65,000. */
const KILLED_AT = [1, 10_000, 40_000];

let server: RunningServer;
afterEach(() => server.stop());

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const file = new Uint8Array(largeKeepassXml(ENTRIES));

function importFile(caller: Caller) {
  const form = new FormData();
  form.append('master_password', MASTER_PASSWORD);
  form.append('file', new Blob([file], { type: 'text/xml' }), 'vault.xml');
  return caller.send('POST', `${BASE}/import`, form);
}

/** Committed rows of unfinished imports; null if there is no unfinished import. */
async function stagedRows({ read }: DatabaseToRead): Promise<number | null> {
  const rows = await read.selectFrom('staged_imports').select('written_rows').execute();
  return rows.length === 0 ? null : rows.reduce((sum, { written_rows }) => sum + written_rows, 0);
}

/**
 * What the person sees: number of trees, found entries, trash items and operations that can be
 * undone.
 */
async function seenBy(caller: Caller) {
  const { trees } = await caller.accepted<{ trees: unknown[] }>('GET', `${BASE}/entryGroupsAsTree`);
  const pages = ['entrySearch?q=entry', 'trash', 'operations'].map((path) =>
    caller.accepted<{ total: number }>('GET', `${BASE}/${path}`),
  );
  return [trees.length, ...(await Promise.all(pages)).map(({ total }) => total)];
}

test('killed during an import: no part of it is visible or stays, no acknowledged write is lost, and a retry succeeds (R60)', async () => {
  server = await startServer({ env: { LOG_LEVEL: 'warn' } });
  const ada = await signUp(server);
  const { caller: bob } = await addUser(server, ada, 'Bob');
  const groupId = await addGroup(ada, 'Ledger');
  const ledger = newLedger();
  const stop = new AbortController();
  const writing = ledger.write(ada, groupId, WRITERS, stop.signal);
  const db = await openToRead({ dataDir: server.dataDir });
  try {
    for (const least of KILLED_AT) {
      const sent = importFile(bob);
      let rows = await stagedRows(db);
      for (const until = Date.now() + 60_000; rows === null || rows < least; rows = await stagedRows(db)) {
        if (Date.now() > until) throw new Error(`The import never reached ${least} rows`);
        await wait(2);
      }
      await server.kill();
      expect((await sent).status).toBe(0);
      expect(await stagedRows(db)).toBeGreaterThanOrEqual(least);
      await server.restart();
      expect(await seenBy(bob)).toEqual([0, 0, 0, 0]);
      // The start of the server removes them in the background.
      for (const until = Date.now() + 60_000; (await stagedRows(db)) !== null; await wait(50)) {
        if (Date.now() > until) throw new Error('The staged rows were not removed');
      }
      const groups = await db.read.selectFrom('entry_groups').select('entry_group_id').execute();
      expect(groups).toEqual([{ entry_group_id: groupId }]);
    }
    const answer = await importFile(bob);
    expect(answer.status, answer.text).toBe(201);
    expect((JSON.parse(answer.text) as { counts: object }).counts).toMatchObject({
      entries: ENTRIES,
      fields: 3 * ENTRIES,
    });
    expect(await seenBy(bob)).toEqual([1, expect.any(Number), 0, 1]);
  } finally {
    await db.close();
  }
  stop.abort();
  await writing;
  expect(ledger.surprises).toEqual([]);
  expect(ledger.acknowledged).toBeGreaterThan(100);
  expect(await ledger.compare(ada, groupId)).toEqual([]);
  await server.kill();
  const { code, output } = await examine(server.dataDir);
  expect(code, output).toBe(0);
  printLedger(`${KILLED_AT.length} kills`, ledger);
}, 300_000);
