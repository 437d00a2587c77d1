/**
 * Search in 100,000 entries in 2,000 groups, for members of all, few and one of them; then the tree and a group
 * with 500 entries. `query` is the search alone, `answer` the time of the whole request inside the server.
 */
import { search } from '../../server/src/search/search.ts';
import { startTestApp } from '../../server/src/testing/test-app.ts';
import type { SignedIn } from '../../server/src/testing/test-app.ts';
import { seedLargeVault } from '../data/large-vault.ts';
import { percentile, printTable } from '../tools/table.ts';

const ENTRIES = 100_000;
const GROUPS = 2_000;
const ROUNDS = 20;
const LIMIT_MS = 5;

const QUERIES = [
  ['one entry', 'postgresql 17 kamora'],
  ['a name and a service', 'gitlab brandor'],
  ['a customer', 'luvesfin'],
  ['a service', 'Keycloak'],
  ['beginning of titles', 'PostgreSQL replica'],
  ['a login', 'grace.solvestel'],
  ['a login with an accent', 'käthe'],
  ['a file name', 'telgan .pdf'],
  ['a group name', 'infrastructure 1200'],
  ['a word of many groups', 'infrastructure'],
  ['two letters', 'db'],
  ['two letters, with another word', 'db jenkins'],
  ['two letters, nowhere', 'xq'],
  ['one letter, everywhere', 'e'],
  ['no hit', 'zzyzx'],
  ['no hit, common beginning', 'passwordless'],
  ['many hits', 'staging'],
  ['a word of every entry', 'password'],
] as const;

async function measure(work: () => Promise<unknown>): Promise<{ p50: number; p95: number }> {
  await work();
  const samples: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now();
    await work();
    samples.push(performance.now() - started);
  }
  return { p50: percentile(samples, 0.5), p95: percentile(samples, 0.95) };
}

const app = await startTestApp();
try {
  const ada = await app.signUp('ada');
  const bob = await app.signUp('bob');
  const carol = await app.signUp('carol');
  const started = performance.now();
  const vault = await seedLargeVault(app.deps.db, {
    groups: GROUPS,
    entries: ENTRIES,
    now: app.clock.now(),
    membersOf: (at) => [
      { userId: ada.userId, role: 'admin' },
      ...(at % 20 === 0 ? [{ userId: bob.userId, role: 'member' as const }] : []),
      ...(at === 0 ? [{ userId: carol.userId, role: 'moderator' as const }] : []),
    ],
  });
  console.log(
    `${ENTRIES} entries in ${GROUPS} groups put there in ${((performance.now() - started) / 1000).toFixed(1)} s`,
  );

  const people: [string, SignedIn][] = [
    ['all groups', ada],
    ['100 groups', bob],
    ['one group', carol],
  ];
  for (const [access, person] of people) {
    const rows = [];
    for (const [kind, q] of QUERIES) {
      const { total } = await search(app.deps, person.userId, { q });
      const query = await measure(() => search(app.deps, person.userId, { q }));
      const path = `/passwordBroker/api/entrySearch?q=${encodeURIComponent(q)}`;
      const answer = await measure(() => person.request({ path }));
      rows.push({
        kind,
        q,
        hits: String(total),
        'query p50 ms': query.p50,
        'query p95 ms': query.p95,
        'answer p50 ms': answer.p50,
        'answer p95 ms': answer.p95,
        [`p95 under ${LIMIT_MS} ms`]: query.p95 < LIMIT_MS ? 'yes' : 'NO',
      });
    }
    printTable(`Search, a member of ${access}`, rows);
  }

  const base = '/passwordBroker/api';
  const calls = [
    ['tree of 2,000 groups', `${base}/entryGroupsAsTree`],
    ['a group', `${base}/entryGroups/${vault.fullGroup}`],
    ['its 500 entries', `${base}/entryGroups/${vault.fullGroup}/entries`],
  ] as const;
  const rows = [];
  for (const [what, path] of calls) {
    const first = await ada.request({ path });
    if (first.status !== 200) throw new Error(`${path}: ${first.status} ${first.text}`);
    const { p50, p95 } = await measure(() => ada.request({ path }));
    rows.push({ what, 'p50 ms': p50, 'p95 ms': p95, 'limit ms': 300, 'answer kB': first.bytes.length / 1000 });
  }
  printTable('Tree and group', rows);
} finally {
  await app.stop();
}
