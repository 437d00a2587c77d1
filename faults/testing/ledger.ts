/**
 * Records acknowledged and requested writes. After a fault the server has to show the acknowledged
 * ones, and may show the others.
 */
import { randomUUID } from 'node:crypto';
import { BASE, type Caller } from './caller.ts';

interface Line {
  /** The last acknowledged title; null until the entry itself is acknowledged. */
  acknowledged: string | null;
  /** Titles requested since then, in order; any of them may be stored. */
  readonly unknown: string[];
}

export interface Ledger {
  readonly acknowledged: number;
  /** Responses that were neither a success nor a temporary refusal. */
  readonly surprises: readonly string[];
  /** Number of writes, each counted once however often it was repeated. */
  readonly asked: number;
  /** Writes whose first repetition was refused temporarily as well. */
  readonly refusedTwice: number;
  /** Count of each status; 0 for broken connections. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Duration of each attempt in milliseconds, whatever its result. */
  readonly times: readonly number[];
  /** The longest wait for a refusal since the last call, in milliseconds. */
  slowestRefusal(): number;
  /**
   * Creates and renames entries until `stop` is aborted, `writers` at a time. An attempt with an
   * unknown result is repeated with the same id.
   */
  write(caller: Caller, groupId: string, writers: number, stop: AbortSignal): Promise<void>;
  /** Missing or unknown entries; empty if nothing was lost. */
  compare(caller: Caller, groupId: string): Promise<string[]>;
}

/** Temporary: the server is down, busy, full, or stopping. */
const FOR_NOW = new Set([0, 429, 500, 503, 507]);
/** Pause before a repetition. */
const PAUSE_MS = 250;

/** @param think called before each attempt, outside its measured time */
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

  /**
   * Repeats the request until it is acknowledged. A repeated create with the same id and content
   * returns the first result.
   */
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
