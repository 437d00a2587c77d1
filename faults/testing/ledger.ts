/** What was acknowledged, and what was only asked for: after a fault the server has to show the first, and may show the second. */
import { randomUUID } from 'node:crypto';
import { BASE, type Caller } from './caller.ts';

interface Line {
  /** The title that was last acknowledged; null while the entry itself is not. */
  acknowledged: string | null;
  /** Asked for since, in order: any of them may have come to be. */
  readonly unknown: string[];
}

export interface Ledger {
  readonly acknowledged: number;
  /** Answers that were neither accepted nor a refusal for the moment. */
  readonly surprises: readonly string[];
  /** Writes that were asked for, each counted once however often it was repeated. */
  readonly asked: number;
  /** Writes whose first repetition was refused for the moment, too. */
  readonly refusedTwice: number;
  /** How often each status came; 0 for connections that broke. */
  readonly statuses: ReadonlyMap<number, number>;
  /** How long each try took, whatever came of it, in milliseconds. */
  readonly times: readonly number[];
  /** The longest that anybody waited for a refusal since this was asked for last, in milliseconds. */
  slowestRefusal(): number;
  /** Writes until `stop` is aborted: makes entries and renames them, `writers` at a time. A try whose end is unknown is repeated under the same id. */
  write(caller: Caller, groupId: string, writers: number, stop: AbortSignal): Promise<void>;
  /** What is missing or was never asked for; empty when nothing was lost. */
  compare(caller: Caller, groupId: string): Promise<string[]>;
}

/** For the moment: the server is away, busy, full, or was told to go. */
const FOR_NOW = new Set([0, 429, 500, 503, 507]);
/** Before the same is asked for again. */
const PAUSE_MS = 250;

/** @param think what a person does before each try; it counts for no try's time */
export function newLedger(think: () => Promise<unknown> = () => Promise.resolve()): Ledger {
  const lines = new Map<string, Line>();
  const surprises: string[] = [];
  const statuses = new Map<number, number>();
  const times: number[] = [];
  let [acknowledged, asked, refusedTwice, slowest] = [0, 0, 0, 0];

  async function attempt(caller: Caller, method: string, path: string, json: object, line: Line, title: string) {
    await think();
    line.unknown.push(title);
    const began = performance.now();
    const answer = await caller.request(method, path, json);
    times.push(performance.now() - began);
    if (answer.status >= 400) slowest = Math.max(slowest, performance.now() - began);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    if (answer.status >= 200 && answer.status < 300) {
      acknowledged += 1;
      line.acknowledged = title;
      line.unknown.length = 0;
      return true;
    }
    if (!FOR_NOW.has(answer.status)) surprises.push(`${method} → ${answer.status} ${answer.text.slice(0, 200)}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    return false;
  }

  /** Repeats it until it is acknowledged: the same content under the same id is answered again the second time, not made again. */
  async function insist(
    caller: Caller,
    method: string,
    path: string,
    json: object,
    line: Line,
    title: string,
    stop: AbortSignal,
  ) {
    asked += 1;
    for (let tries = 1; !stop.aborted; tries += 1) {
      if (await attempt(caller, method, path, json, line, title)) return;
      if (tries === 2) refusedTwice += 1;
    }
  }

  async function writeOn(caller: Caller, groupId: string, stop: AbortSignal): Promise<void> {
    const path = `${BASE}/entryGroups/${groupId}/entries`;
    for (let count = 0; !stop.aborted; count += 1) {
      const id = randomUUID();
      const line: Line = { acknowledged: null, unknown: [] };
      lines.set(id, line);
      await insist(caller, 'POST', path, { entry_id: id, title: `Made ${id}` }, line, `Made ${id}`, stop);
      if (line.acknowledged !== null && !stop.aborted && count % 2 === 0) {
        const title = `Renamed ${id}`;
        await insist(caller, 'PUT', `${path}/${id}`, { title }, line, title, stop);
      }
    }
  }

  return {
    get acknowledged() {
      return acknowledged;
    },
    get asked() {
      return asked;
    },
    get refusedTwice() {
      return refusedTwice;
    },
    surprises,
    statuses,
    times,
    slowestRefusal() {
      const longest = slowest;
      slowest = 0;
      return longest;
    },
    async write(caller, groupId, writers, stop) {
      await Promise.all(Array.from({ length: writers }, () => writeOn(caller, groupId, stop)));
    },
    async compare(caller, groupId) {
      const stored = await caller.accepted<{ entry_id: string; title: string }[]>(
        'GET',
        `${BASE}/entryGroups/${groupId}/entries`,
      );
      const titles = new Map(stored.map(({ entry_id, title }) => [entry_id, title]));
      const wrong: string[] = [];
      for (const [id, line] of lines) {
        const title = titles.get(id);
        titles.delete(id);
        if (title === undefined) {
          if (line.acknowledged !== null) wrong.push(`${id} was acknowledged and is gone`);
        } else if (title !== line.acknowledged && !line.unknown.includes(title)) {
          wrong.push(`${id} is called '${title}', acknowledged was '${line.acknowledged ?? 'nothing'}'`);
        }
      }
      for (const id of titles.keys()) wrong.push(`${id} was never asked for`);
      return wrong;
    },
  };
}
