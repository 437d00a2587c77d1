/**
 * How the cost of a few calls grows with the vault: 100,000 entries in 5,000 groups with 500 users, then ten
 * times as many. Every user is a member of a hundred groups, the first one of all. `--write` writes the table into
 * `docs/performance.md`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../../e2e/testing/server/server.ts';
import { BASE } from '../../faults/testing/caller.ts';
import { asking } from '../performance/ask.ts';
import { number } from '../performance/measure.ts';
import { makeOrganisation } from '../performance/organisation.ts';
import { markdownTable, writeSection } from '../performance/report.ts';
import { revealRequests } from '../performance/reveals.ts';
import { measureStart } from '../performance/start.ts';
import { memoryOf } from '../tools/process.ts';

const SIZES = [
  { entries: 100_000, groups: 5_000, users: 500 },
  { entries: 1_000_000, groups: 50_000, users: 5_000 },
] as const;
const GROUPS_OF_ONE = 100;
const ROUNDS = 40;
const SEARCHES = [
  ['a rare word', 'luvesfin'],
  ['a word of every 18th entry', 'staging'],
  ['two letters', 'db'],
  ['a misspelt word', 'stagign'],
] as const;
const SEARCHING = [
  [`a person with ${GROUPS_OF_ONE} groups`, 1],
  ['a person with all groups', 0],
] as const;

/** Formatted values by row name. */
async function measure({ entries, groups, users }: (typeof SIZES)[number]): Promise<ReadonlyMap<string, string>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'passwordbroker-growth-'));
  const all = Array.from({ length: groups }, (_, at) => at);
  const groupsOf = (person: number) =>
    person === 0
      ? all
      : all.slice(0, GROUPS_OF_ONE).map((at) => (person * 97 + at * (groups / GROUPS_OF_ONE)) % groups);
  const figures = new Map<string, string>();
  try {
    const organisation = await makeOrganisation(dataDir, { users, groups, entries, groupsOf });
    const [start] = await measureStart(dataDir, entries);
    const server = await startServer({ dataDir, env: { LOG_LEVEL: 'warn' } });
    const { times, close } = asking(server.origin);
    try {
      const headersOf = (person: number) => ({ cookie: organisation.people[person]?.cookie ?? '' });
      for (const [person, at] of SEARCHING) {
        for (const [word, q] of SEARCHES) {
          const { p50 } = await times(`${BASE}/entrySearch?q=${q}`, headersOf(at), ROUNDS);
          figures.set(`search of ${person} for ${word}: p50`, `${number(p50)} ms`);
        }
      }
      const tree = await times(`${BASE}/entryGroupsAsTree`, headersOf(1), ROUNDS);
      figures.set(`tree of a person with ${GROUPS_OF_ONE} groups: p50`, `${number(tree.p50)} ms`);
      const [reveal] = revealRequests(organisation, 1);
      const revealed = await times(reveal?.path ?? '', headersOf(0), ROUNDS);
      figures.set('reveal: p50', `${number(revealed.p50)} ms`);
      figures.set('cold start', start?.value ?? '');
      figures.set('memory after this (PSS)', `${number((await memoryOf(server.pid())).share)} MB`);
    } finally {
      close();
      await server.end();
    }
    return figures;
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const columns: { readonly size: (typeof SIZES)[number]; readonly figures: ReadonlyMap<string, string> }[] = [];
for (const size of SIZES) columns.push({ size, figures: await measure(size) });
const count = (value: number) => value.toLocaleString('en');
const table = markdownTable([
  [
    '',
    ...columns.map(
      ({ size }) => `${count(size.entries)} entries, ${count(size.groups)} groups, ${count(size.users)} people`,
    ),
  ],
  ...[...(columns[0]?.figures.keys() ?? [])].map((row) => [
    row,
    ...columns.map(({ figures }) => figures.get(row) ?? ''),
  ]),
]);
console.log(table);
if (process.argv.includes('--write')) writeSection('growth', table);
