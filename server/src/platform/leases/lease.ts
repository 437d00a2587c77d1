/**
 * Leases: work that only one process may do at a time, whatever the number of processes on one database (docs/spec/threats.md §5.2.4). The holder shows signs of life; who
 * sees none for 30 s takes it over. Each one measures that by its own steady clock, so clocks that differ by minutes change nothing (docs/spec/threats.md §5.2.8, R28).
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Database, Transact } from '../../db/database.ts';
import { latestPast } from '../clock.ts';
import { beatLease, freeLease, readLease, takeLease } from './lease-repository.ts';
import type { LeaseRow } from './lease-repository.ts';
import { randomText } from '../secrets.ts';

/** Milliseconds without a sign of life after which a holder counts as dead. */
export const LEASE_EXPIRES = 30_000;
const BEAT_EVERY = LEASE_EXPIRES / 3;
const LOOK_EVERY = 500;

/** Somebody else took it over, because nothing was heard of us for too long: whatever we were doing is not ours any more. */
export class LeaseLost extends Error {
  constructor(name: string) {
    super(`The lease '${name}' was taken over.`);
    this.name = 'LeaseLost';
  }
}

interface LeaseOptions {
  /** Steady milliseconds from any beginning. */
  readonly elapsed?: () => number;
}

export class Lease {
  readonly name: string;
  readonly #db: Database;
  readonly #owner = randomText(12);
  readonly #elapsed: () => number;
  /** Time of the last sign of life; null while it is not ours. */
  #beatAt: number | null = null;
  /** The other holder's last sign of life, and when it was seen first. */
  #seen: { readonly row: LeaseRow; readonly since: number } | null = null;

  constructor(db: Database, name: string, { elapsed = () => performance.now() }: LeaseOptions = {}) {
    this.#db = db;
    this.name = name;
    this.#elapsed = elapsed;
  }

  /**
   * Takes the lease if it is free and due at `now`, renews it, or takes over that of a dead process.
   * @param every longest pause of the job in ms; longer ones come from a clock that was set back
   * @returns whether it is ours
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

  /**
   * As `hold`, for whoever comes once: a holder that may have died is waited for until he shows a sign of life, which answers false, or has shown none for as
   * long as makes him dead.
   */
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

  /**
   * Whether somebody else is at its work, for those who only keep out of his way. A holder of whom nothing is heard counts as dead, unless somebody keeps the
   * whole vault for himself: then no sign of life gets through.
   */
  async isTaken(): Promise<boolean> {
    const row = await readLease(this.#db, this.name);
    if (row === undefined || row.owner === null) return false;
    return this.#lives(row, this.#elapsed()) || (await this.#db.transactIfFree(async () => true)) === null;
  }

  /** Part of the holder's own act: when the lease is not his any more, the act is undone. @throws LeaseLost */
  async confirm(tx: Transact): Promise<void> {
    const at = this.#elapsed();
    const isOurs = await beatLease(tx, this.name, this.#owner);
    this.#beatAt = isOurs ? at : null;
    if (!isOurs) throw new LeaseLost(this.name);
  }

  /** Gives it up; the work is due again at `dueAt` (milliseconds since 1970). */
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

/** Runs `work` and shows signs of life meanwhile. Its signal is aborted when `stopping` is, or when the lease is lost. */
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
