/** 300 people at work: each opens the tree, a group, an entry, reveals and searches, with a second between. */
import { BASE } from '../../faults/testing/caller.ts';
import { percentile } from '../tools/table.ts';
import { asking } from './ask.ts';
import { time, under } from './measure.ts';
import type { Measure } from './measure.ts';
import type { Organisation, Person } from './organisation.ts';

const PEOPLE = 300;
const SECONDS = 10;
const THINKS_MS = 1000;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export async function measureCrowd(origin: string, organisation: Organisation): Promise<Measure[]> {
  const samples: number[] = [];
  const until = performance.now() + SECONDS * 1000;
  const work = async ({ cookie }: Person, at: number) => {
    const { get, close } = asking(origin);
    const headers = { cookie };
    // Spread over a second.
    await pause((at / PEOPLE) * THINKS_MS);
    while (performance.now() < until) {
      for (const path of pathsFor(organisation, at)) {
        if (performance.now() >= until) break;
        samples.push((await get(path, headers)).ms);
        await pause(THINKS_MS);
      }
    }
    close();
  };
  await Promise.all(organisation.people.slice(0, PEOPLE).map(work));
  const [p50, p95] = [percentile(samples, 0.5), percentile(samples, 0.95)];
  return [
    time(`${PEOPLE} people at work: p50`, p50, null),
    time(`${PEOPLE} people at work: p95`, p95, null, { goal: under(p95, 200, 'ms') }),
  ];
}

/** Everyone is a member of the groups of these fields. */
function pathsFor({ fields }: Organisation, at: number): string[] {
  const field = fields[at];
  if (field === undefined) throw new Error('There are fewer fields than people');
  const group = `${BASE}/entryGroups/${field.entry_group_id}`;
  const entry = `${group}/entries/${field.entry_id}`;
  return [
    `${BASE}/entryGroupsAsTree`,
    `${group}/entries`,
    `${entry}/fields`,
    `${entry}/fields/${field.field_id}/envelope`,
    `${BASE}/entrySearch?q=staging`,
  ];
}
