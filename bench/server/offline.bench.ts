/**
 * Downloads of the offline copy of 20,000 entries with 60,000 fields in 200 groups, over HTTP from the built
 * server: the whole copy, the check for changes, and the delta after one edit. Rows are inserted before it starts.
 */
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { brotliDecompressSync } from 'node:zlib';
import { startServer } from '../../e2e/testing/server/server.ts';
import { openDatabase } from '../../server/src/db/open.ts';
import { seedLargeVault } from '../data/large-vault.ts';
import { memoryOf } from '../tools/process.ts';
import { percentile, printTable } from '../tools/table.ts';

const ENTRIES = 20_000;
const FIELDS = 3 * ENTRIES;
const GROUPS = 200;
const ROUNDS = 5;
const CHECKS = 200;
/** Groups of which the caller is not a member. */
const FOREIGN = { groups: 300, entries: 10_000 };
const EDITS = 20;
const LIMIT = { megabytes: 300, deltaMs: 300, deltaKb: 20 };
const PASSWORD = 'an account password of the bench';
const BASE = '/passwordBroker/api';

interface Answer {
  readonly ms: number;
  readonly headers: Headers;
  /** Compressed, as received. */
  readonly bytes: Buffer;
  readonly text: string;
}

/** An HTTP client with a cookie jar that does not decompress responses. */
function callerOf(origin: string) {
  const cookies = new Map<string, string>();
  return async (method: string, path: string, body?: object): Promise<Answer> => {
    const started = performance.now();
    const { headers, bytes, status } = await new Promise<{ headers: Headers; bytes: Buffer; status: number }>(
      (resolve, reject) => {
        const outgoing = request(`${origin}${path}`, {
          agent: false,
          method,
          headers: {
            cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
            'x-xsrf-token': cookies.get('XSRF-TOKEN') ?? '',
            'accept-encoding': 'gzip, deflate, br',
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
        });
        outgoing.on('error', reject).on('response', (incoming) => {
          const chunks: Buffer[] = [];
          incoming
            .on('error', reject)
            .on('data', (chunk: Buffer) => void chunks.push(chunk))
            .on('end', () => {
              const found = new Headers();
              for (const [name, value] of Object.entries(incoming.headers)) found.set(name, String(value));
              for (const line of incoming.headers['set-cookie'] ?? []) {
                const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
                cookies.set(name, value);
              }
              resolve({ headers: found, bytes: Buffer.concat(chunks), status: incoming.statusCode ?? 0 });
            });
        });
        outgoing.end(body === undefined ? undefined : JSON.stringify(body));
      },
    );
    const ms = performance.now() - started;
    const text = () => (headers.get('content-encoding') === 'br' ? brotliDecompressSync(bytes) : bytes).toString();
    if (status >= 400) throw new Error(`${method} ${path}: ${status} ${text()}`);
    return {
      ms,
      headers,
      bytes,
      get text() {
        return text();
      },
    };
  };
}

/** Seconds of processor time of a process (Linux, 100 ticks a second). */
async function processorTimeOf(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const read = <T>({ text }: Answer) => JSON.parse(text) as T;
const p50 = (samples: readonly number[]) => percentile(samples, 0.5);
const p95 = (samples: readonly number[]) => percentile(samples, 0.95);

const server = await startServer();
try {
  const call = callerOf(server.origin);
  await call('GET', '/sanctum/csrf-cookie');
  await call('POST', '/identity/api/registration', {
    user: {
      username: 'Bench',
      email: 'bench@example.org',
      password: PASSWORD,
      password_confirmation: PASSWORD,
      master_password: 'a master password of the bench',
      master_password_confirmation: 'a master password of the bench',
    },
  });
  const { user } = read<{ user: { user_id: string } }>(await call('GET', '/identity/api/me'));
  await server.kill();
  const db = await openDatabase({ dataDir: server.dataDir, now: Date.now() });
  const vault = await seedLargeVault(db, {
    groups: GROUPS,
    entries: ENTRIES,
    now: Date.now(),
    membersOf: () => [{ userId: user.user_id, role: 'admin' }],
  });
  const foreign = await seedLargeVault(db, { ...FOREIGN, now: Date.now(), membersOf: () => [] });
  // Random, because real ciphertext does not compress.
  await db.transact(async (tx) => {
    await tx
      .updateTable('field_revisions')
      .set((eb) => ({
        value: eb.fn<Buffer>('randomblob', [eb.lit(212)]),
        cek_wrapped: eb.fn<Buffer>('randomblob', [eb.lit(116)]),
      }))
      .execute();
  });
  await db.close();

  await server.restart();
  const { userApplication } = read<{ userApplication: { user_application_id: string } }>(
    await call('POST', '/identity/api/userApplications', { clientId: crypto.randomUUID() }),
  );
  const id = userApplication.user_application_id;
  await call('PUT', `/identity/api/userApplication/${id}/offlineDatabaseMode`, { status: true });
  const copy = (since = '') => call('GET', `${BASE}/entryGroupsWithFields?user_application_id=${id}&since=${since}`);
  const idle = await memoryOf(server.pid());

  const whole: Answer[] = [];
  const used = await processorTimeOf(server.pid());
  for (let round = 0; round < ROUNDS; round += 1) whole.push(await copy());
  const processor = ((await processorTimeOf(server.pid())) - used) / ROUNDS;
  const { peak } = await memoryOf(server.pid());
  const [first] = whole;
  if (first === undefined) throw new Error('no answer');
  const all = read<{ data: { groups: { entries: object[] }[] } }>(first);
  const entries = all.data.groups.reduce((sum, group) => sum + group.entries.length, 0);
  if (entries !== ENTRIES) throw new Error(`${entries} entries`);
  printTable(`All of it: ${ENTRIES} entries, ${FIELDS} fields, ${GROUPS} groups`, [
    {
      'first s': first.ms / 1000,
      'p50 s': p50(whole.map(({ ms }) => ms)) / 1000,
      'processor s': processor,
      'MB of JSON': Number(first.headers.get('x-expected-bytes')) / 1e6,
      'MB on the way': first.bytes.length / 1e6,
      'idle RSS MB': idle.now,
      'peak RSS MB': peak,
      'limit MB': LIMIT.megabytes,
      'within it': peak < LIMIT.megabytes ? 'yes' : 'NO',
    },
  ]);

  let { cursor } = read<{ cursor: string }>(whole.at(-1) ?? first);
  const stalePath = () => `/identity/api/userApplication/${id}/isOfflineDatabaseRequiredUpdate?since=${cursor}`;
  const expectStale = async (expected: boolean) => {
    const answer = await call('GET', stalePath());
    if (read<{ status: boolean }>(answer).status !== expected) throw new Error(`stale is not ${expected}`);
    return answer.ms;
  };
  const quiet: number[] = [];
  for (let check = 0; check < CHECKS; check += 1) quiet.push(await expectStale(false));
  const key: number[] = [];
  const keyPath = `/identity/api/userApplication/${id}/isRsaPrivateRequiredUpdate`;
  for (let check = 0; check < CHECKS; check += 1) key.push((await call('GET', keyPath)).ms);

  const listed = read<{ entry_id: string }[]>(await call('GET', `${BASE}/entryGroups/${vault.fullGroup}/entries`));
  const stale: number[] = [];
  const deltas: Answer[] = [];
  for (let edit = 0; edit < EDITS; edit += 1) {
    const path = `${BASE}/entryGroups/${vault.fullGroup}/entries/${listed[edit]?.entry_id ?? ''}`;
    await call('PUT', path, { title: `Edited ${edit}` });
    stale.push(await expectStale(true));
    const delta = await copy(cursor);
    const answer = read<{ cursor: string; delta: { groups: { entries: object[] }[] } }>(delta);
    if (answer.delta.groups.length !== 1 || answer.delta.groups[0]?.entries.length !== 1)
      throw new Error('not one entry');
    ({ cursor } = answer);
    deltas.push(delta);
  }
  // Five times all entries of others change at once: the first check reads them, later ones find no change.
  const flooded: number[] = [];
  const after: number[] = [];
  for (let flood = 0; flood < 5; flood += 1) {
    const beside = await openDatabase({ dataDir: server.dataDir, now: Date.now(), isSecondProcess: true });
    await beside.transact((tx) =>
      tx
        .updateTable('entries')
        .set({ title: `Flood ${flood}` })
        .where('entry_group_id', 'in', foreign.groupIds)
        .execute(),
    );
    await beside.close();
    flooded.push(await expectStale(false));
    for (let check = 0; check < CHECKS / 5; check += 1) after.push(await expectStale(false));
  }

  const row = (what: string, samples: readonly number[]) => ({ what, 'p50 ms': p50(samples), 'p95 ms': p95(samples) });
  printTable('Required-update checks', [
    row('database, nothing changed', quiet),
    row('database, one edit', stale),
    row(`database, ${FOREIGN.entries} entries of others changed`, flooded),
    row('database, the questions after that', after),
    row('key and salt', key),
  ]);
  const times = deltas.map(({ ms }) => ms);
  const kilobytes = Math.max(...deltas.map(({ text }) => text.length)) / 1000;
  printTable('Delta after one edit', [
    {
      'p50 ms': p50(times),
      'p95 ms': p95(times),
      'limit ms, with the client': LIMIT.deltaMs,
      'kB of JSON': kilobytes,
      'kB on the way': Math.max(...deltas.map(({ bytes }) => bytes.length)) / 1000,
      'limit kB': LIMIT.deltaKb,
      'within both': p95(times) < LIMIT.deltaMs && kilobytes < LIMIT.deltaKb ? 'yes' : 'NO',
    },
  ]);
} finally {
  await server.stop();
}
