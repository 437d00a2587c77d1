/** Trees, groups and search, one call after the other on one connection. */
import { brotliCompressSync, constants } from 'node:zlib';
import { BASE } from '../../faults/testing/caller.ts';
import { percentile } from '../tools/table.ts';
import { asking } from './ask.ts';
import { size, time, under } from './measure.ts';
import type { Measure } from './measure.ts';
import type { Organisation } from './organisation.ts';

const ROUNDS = 60;
/** Milliseconds for each kind of search: long enough to average over garbage collection and other programs. */
const SEARCHED_MS = 800;
const TREE = `${BASE}/entryGroupsAsTree`;
/** Names of customers in a vault, and all words of one entry. */
interface Customers {
  readonly entry: string;
  readonly several: string;
  readonly one: string;
  readonly withFiles: string;
}
const queriesFor = ({ entry, several, one, withFiles }: Customers) => [
  entry,
  `gitlab ${several}`,
  one,
  'käthe',
  `${withFiles} .pdf`,
  'staging',
  'db',
];

/** Finds nothing, so it is searched for again with one wrong letter. */
const UNKNOWN = 'zzyzx';

/** Queries that find about as many entries in the large as in the small vault. */
const CUSTOMERS = {
  large: { entry: 'hetzner 94 luvesfin', several: 'brandor', one: 'luvesfin', withFiles: 'telgan' },
  small: { entry: 'postgresql 56 perbranost', several: 'ganmil', one: 'perbranost', withFiles: 'ganmil' },
} as const satisfies Record<string, Customers>;

export async function measureTree(
  origin: string,
  organisation: Organisation,
  { person, groups, most }: { readonly person: number; readonly groups: number; readonly most: number },
): Promise<Measure[]> {
  const { get, times, close } = asking(origin);
  const headers = { cookie: organisation.people[person]?.cookie ?? '', 'accept-encoding': 'br' };
  const first = await get(TREE, headers);
  // Compressed as by a proxy.
  const isCompressed = first.headers['content-encoding'] === 'br';
  const sent = isCompressed ? first.bytes.length : compressed(first.bytes);
  const { p50 } = await times(TREE, headers, ROUNDS);
  close();
  const isLarge = groups > 1000;
  return [
    time(`tree of ${groups.toLocaleString('en')} groups: p50`, p50, null, { goal: under(p50, most, 'ms') }),
    size(
      `tree of ${groups.toLocaleString('en')} groups, compressed`,
      sent / 1000,
      'kB',
      isLarge ? { goal: under(sent / 1000, 250, 'kB') } : {},
    ),
  ];
}

const compressed = (bytes: Buffer): number =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }).length;

export async function measureGroup(origin: string, { people, fullGroup }: Organisation): Promise<Measure[]> {
  const { times, close } = asking(origin);
  const headers = { cookie: people[0]?.cookie ?? '' };
  const { p95 } = await times(`${BASE}/entryGroups/${fullGroup}/entries`, headers, ROUNDS);
  close();
  return [time('group of 500 entries: p95', p95, null, { goal: under(p95, 20, 'ms') })];
}

/** Medians in milliseconds: of a search that finds entries, over all queries, and of one that finds none. */
export interface SearchTimes {
  readonly found: number;
  readonly nothing: number;
}

export async function searchTimes(
  origin: string,
  { people }: Organisation,
  place: keyof typeof CUSTOMERS,
): Promise<SearchTimes> {
  const { get, times, close } = asking(origin);
  const headers = { cookie: people[0]?.cookie ?? '' };
  const pathOf = (q: string) => `${BASE}/entrySearch?q=${encodeURIComponent(q)}`;
  const timeOf = async (q: string) => (await times(pathOf(q), headers, ROUNDS / 2, SEARCHED_MS)).p50;
  const medians: number[] = [];
  for (const q of queriesFor(CUSTOMERS[place])) {
    const { total, similar } = JSON.parse((await get(pathOf(q), headers)).bytes.toString());
    if (total === 0 || similar === true) throw new Error(`“${q}” finds nothing, or only similar words`);
    medians.push(await timeOf(q));
  }
  const nothing = await timeOf(UNKNOWN);
  close();
  return { found: percentile(medians, 0.5), nothing };
}
