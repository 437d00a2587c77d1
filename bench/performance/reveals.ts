/** Reveals and writes, which are durable before the response, beside durable commits of the database alone. */
import { BASE } from '../../faults/testing/caller.ts';
import { KIND, SEAL_OVERHEAD } from '../../core/src/crypto/seal.ts';
import { WRAPPED_KEY_BYTES } from '../../core/src/domain/fields/sealed-shape.ts';
import { writingHeaders } from './ask.ts';
import { load } from './load.ts';
import type { Loaded } from './load.ts';
import { atLeast, atLeastASecond, rate, time, under } from './measure.ts';
import type { Goal, Measure } from './measure.ts';
import type { FieldPlace, Organisation } from './organisation.ts';

interface Surroundings {
  readonly origin: string;
  readonly organisation: Organisation;
  readonly commits: number;
  /** Default: the goals for SQLite. */
  readonly goals?: Goals | undefined;
}

/** For sixteen connections. */
interface Goals {
  readonly rate: (aSecond: number, commits: number) => Goal;
  readonly p99Ms: number;
}

const EMBEDDED: Goals = { rate: (aSecond, commits) => atLeast(aSecond / commits, 0.5), p99Ms: 20 };

export const ON_POSTGRES: Goals = {
  rate: (aSecond) => atLeastASecond(aSecond, 600),
  p99Ms: 50,
};

const SECONDS = 5;

const pathOf = ({ entry_group_id, entry_id, field_id }: FieldPlace) =>
  `${BASE}/entryGroups/${entry_group_id}/entries/${entry_id}/fields/${field_id}`;

/** One person's requests for envelopes of many fields. */
export function revealRequests({ people, fields }: Organisation, count = 500) {
  const [person] = people;
  const headers = { cookie: person?.cookie ?? '' };
  return fields
    .slice(0, count)
    .map((field) => ({ method: 'GET' as const, path: `${pathOf(field)}/envelope`, headers }));
}

export async function measureReveals({ origin, organisation, commits, goals }: Surroundings): Promise<Measure[]> {
  const requests = revealRequests(organisation);
  await load({ origin, connections: 16, seconds: 3, requests });
  const measures: Measure[] = [];
  for (const connections of [16, 64]) {
    const { aSecond, p50, p97, p99 } = await load({ origin, connections, seconds: SECONDS, requests });
    const loaded = { aSecond, p50, p97, p99 };
    measures.push(...told(`reveal, ${connections} connections`, loaded, { commits, connections, goals }));
  }
  return measures;
}

/** Each connection writes revisions of its own field. A second run uses other fields, because requests of the first may be in flight. */
export async function measureWrites({ origin, organisation, commits, goals }: Surroundings): Promise<Measure[]> {
  const [person] = organisation.people;
  const headers = await writingHeaders(origin, person?.cookie ?? '');
  let fieldsUsed = 0;
  const write = async (connections: number, seconds: number) => {
    const own = organisation.fields.slice(fieldsUsed, fieldsUsed + connections);
    fieldsUsed += connections;
    const revisions = own.map(() => 1);
    const next = (connection: number) => {
      const field = own[connection];
      const rev = (revisions[connection] ?? 1) + 1;
      revisions[connection] = rev;
      if (field === undefined) throw new Error('There are fewer fields than connections');
      return { method: 'PUT' as const, path: pathOf(field), headers, body: revision(field.title, rev) };
    };
    return load({ origin, connections, seconds, requests: [], next });
  };
  const measures: Measure[] = [];
  for (const connections of [16, 64]) {
    await write(connections, 2);
    const loaded = await write(connections, SECONDS);
    measures.push(...told(`field write, ${connections} connections`, loaded, { commits, connections, goals }));
  }
  return measures;
}

interface Told {
  readonly commits: number;
  readonly connections: number;
  readonly goals: Goals | undefined;
}

export function told(
  what: string,
  { aSecond, p50, p97, p99 }: Loaded,
  { commits, connections, goals = EMBEDDED }: Told,
): Measure[] {
  const isAsked = connections === 16;
  const limit = { text: 'durable commits of one row', aSecond: commits };
  return [
    rate(what, aSecond, limit, isAsked ? { goal: goals.rate(aSecond, commits) } : {}),
    time(`${what}: p50`, p50, null),
    time(`${what}: p97.5`, p97, null),
    time(`${what}: p99`, p99, null, isAsked ? { goal: under(p99, goals.p99Ms, 'ms') } : {}),
  ];
}

const VALUE = sealedShape('value', SEAL_OVERHEAD + 128);
const CONTENT_KEY = sealedShape('cek', WRAPPED_KEY_BYTES).toString('base64');

/** Random bytes in the form of a sealed value or key. */
function sealedShape(kind: keyof typeof KIND, length: number): Buffer {
  const bytes = Buffer.from(crypto.getRandomValues(new Uint8Array(length)));
  bytes.write('PB1');
  bytes[3] = KIND[kind];
  return bytes;
}

function revision(title: string, rev: number): string {
  return JSON.stringify({
    title,
    base_rev: rev - 1,
    rev,
    crypto_profile: 'pb1',
    gk_version: 1,
    cek_wrapped: CONTENT_KEY,
    value_encrypted: VALUE.toString('base64'),
    initialization_vector: VALUE.subarray(4, 36).toString('base64'),
  });
}
