/** Moves and deletes 500 entries at once through the API. A move includes a derivation of the master password. */
import { BASE, MASTER_PASSWORD, addGroup, signUp } from '../../faults/testing/caller.ts';
import type { Caller } from '../../faults/testing/caller.ts';
import { startServer } from '../../e2e/testing/server/server.ts';
import { DEFAULT_KDF, KDF_PROFILES } from '../../core/src/crypto/kdf.ts';
import { argon2idNative } from '../../server/src/platform/passwords/argon2.ts';
import { openDatabase } from '../../server/src/db/open.ts';
import { time } from './measure.ts';
import type { Measure } from './measure.ts';

const COUNT = 500;
const ROUNDS = 3;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

export async function measureBulk(): Promise<Measure[]> {
  const server = await startServer({ env: { LOG_LEVEL: 'warn' } });
  try {
    const ada = await signUp(server);
    const [from, to] = [await addGroup(ada, 'From'), await addGroup(ada, 'To')];
    await server.end();
    const entries = await addEntries(server.dataDir, from);
    await server.restart();
    return await moveAndDelete(ada, { from, to, entries });
  } finally {
    await server.stop();
  }
}

/** Moves the entries to another group and back, then to the trash. The limit is the derivation alone. */
async function moveAndDelete(
  ada: Caller,
  { from, to, entries }: { readonly from: string; readonly to: string; readonly entries: readonly string[] },
): Promise<Measure[]> {
  const move = (source: string, entryGroupTarget: string) =>
    ada.accepted('POST', `${BASE}/entryGroups/${source}/entries/bulkEdit/move`, {
      entries,
      entryGroupTarget,
      master_password: MASTER_PASSWORD,
    });
  const moves: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    moves.push(await timed(() => move(from, to)), await timed(() => move(to, from)));
  }
  const remove = () => ada.accepted('POST', `${BASE}/entryGroups/${from}/entries/bulkEdit/delete`, { entries });
  const removal = await timed(remove);
  const derivation = await timed(() =>
    argon2idNative(new TextEncoder().encode(MASTER_PASSWORD), new Uint8Array(16), KDF_PROFILES[DEFAULT_KDF]),
  );
  return [
    time(`move of ${COUNT} entries with the master password`, Math.min(...moves), {
      text: 'for its derivation',
      ms: derivation,
    }),
    time(`deletion of ${COUNT} entries`, removal, null),
  ];
}

async function addEntries(dataDir: string, groupId: string): Promise<string[]> {
  const now = Date.now();
  const db = await openDatabase({ dataDir, now });
  try {
    const rows = Array.from({ length: COUNT }, (_, at) => ({
      entry_id: crypto.randomUUID(),
      entry_group_id: groupId,
      title: `Entry ${at}`,
      created_by: null,
      created_at: now,
      updated_at: now,
      trashed_by: null,
    }));
    await db.transact((tx) => tx.insertInto('entries').values(rows).execute());
    return rows.map(({ entry_id }) => entry_id);
  } finally {
    await db.close();
  }
}
