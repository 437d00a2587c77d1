/**
 * Leases for work of one process at a time (docs/spec/threats.md §5.2.4). May be taken over after 30 s
 * without renewal, measured by each process's monotonic clock: wrong clocks do no harm (R28).
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Database, Transact } from '../../db/database.ts';
import { latestPast } from '../clock.ts';
import { beatLease, freeLease, readLease, takeLease } from './lease-repository.ts';
import type { LeaseRow } from './lease-repository.ts';
import { randomText } from '../ids-and-digests.ts';

/** Milliseconds. */
export const LEASE_EXPIRES = 30_000;
const BEAT_EVERY = LEASE_EXPIRES / 3;
const LOOK_EVERY = 500;

/** The former holder must stop its work. */
export class LeaseLost extends Error {
  constructor(name: string) {
    super(`The lease '${name}' was taken over.`);
    this.name = 'LeaseLost';
  }
}

interface LeaseOptions {
  /** Monotonic milliseconds. */
  readonly elapsed?: () => number;
}

export class Lease {
  readonly name: string;
  readonly #db: Database;
  readonly #owner = randomText(12);
  readonly #elapsed: () => number;
  /** Null while another process holds the lease. */
  #beatAt: number | null = null;
  /** `since`: when that renewal was first seen. */
  #seen: { readonly row: LeaseRow; readonly since: number } | null = null;

  constructor(db: Database, name: string, { elapsed = () => performance.now() }: LeaseOptions = {}) {
    this.#db = db;
    this.name = name;
    this.#elapsed = elapsed;
  }

  /**
   * Takes the lease if it is free and due at `now`, or expired; renews an own one. @returns whether it is
   * ours
   * @param every longest pause of the job in ms; longer ones come from a clock that was set back
   */
  async hold(now = Number.POSITIVE_INFINITY, every = Number.POSITIVE_INFINITY): Promise<boolean> {
    const at = this.#elapsed();
    if (this.#beatAt !== null) {
      if (at - this.#beatAt < BEAT_EVERY) return true;
      const isOurs = await this.#db.transactBeside((tx) => beatLease(tx, this.name, this.#owner));
      this.#beatAt = isOurs ? at : null;
      return isOurs;
    }
    const row = await readLease(this.#db, this.name);
    if (row?.owner === null ? row.due_at > now && row.due_at <= latestPast(now + every) : this.#lives(row, at))
      return false;
    const isOurs = await this.#db.transactBeside((tx) => takeLease(tx, this.name, this.#owner, row));
    this.#seen = null;
    this.#beatAt = isOurs ? at : null;
    return isOurs;
  }

  /** As `hold`, but waits until another holder renews (returns false) or expires. */
  async holdUnlessAlive(pause: () => Promise<unknown> = () => wait(LOOK_EVERY)): Promise<boolean> {
    for (let seen: LeaseRow | undefined; ;) {
      if (await this.hold()) return true;
      const row = await readLease(this.#db, this.name);
      if (row === undefined || row.owner === null) continue;
      if (seen !== undefined && row.heartbeat !== seen.heartbeat) return false;
      seen = row;
      await pause();
    }
  }

  /** Whether another process is at work: it renews, or the exclusive lock blocks renewals. */
  async isTaken(): Promise<boolean> {
    const row = await readLease(this.#db, this.name);
    if (row === undefined || row.owner === null) return false;
    return this.#lives(row, this.#elapsed()) || (await this.#db.transactIfFree(async () => true)) === null;
  }

  /** Renews the lease in the holder's transaction. @throws LeaseLost */
  async confirm(tx: Transact): Promise<void> {
    const at = this.#elapsed();
    const isOurs = await beatLease(tx, this.name, this.#owner);
    this.#beatAt = isOurs ? at : null;
    if (!isOurs) throw new LeaseLost(this.name);
  }

  /** The work is due again at `dueAt` (Unix ms). */
  async release(dueAt = 0): Promise<void> {
    if (this.#beatAt === null) return;
    this.#beatAt = null;
    await this.#db.transactBeside((tx) => freeLease(tx, this.name, this.#owner, dueAt));
  }

  #lives(row: LeaseRow | undefined, at: number): boolean {
    if (row === undefined) return false;
    if (this.#seen?.row.heartbeat !== row.heartbeat) this.#seen = { row, since: at };
    return at - this.#seen.since < LEASE_EXPIRES;
  }
}

/** Renews the lease during `work`; aborts its signal when `stopping` aborts or the lease is lost. */
export async function whileHolding(
  lease: Lease,
  work: (signal: AbortSignal) => Promise<void>,
  stopping?: AbortSignal,
): Promise<void> {
  const lost = new AbortController();
  const beat = async () => {
    if (!(await lease.hold())) lost.abort(new LeaseLost(lease.name));
  };
  const timer = setInterval(() => void beat().catch((error: unknown) => lost.abort(error)), BEAT_EVERY).unref();
  try {
    await work(stopping === undefined ? lost.signal : AbortSignal.any([stopping, lost.signal]));
  } finally {
    clearInterval(timer);
  }
}
