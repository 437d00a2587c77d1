/** When sessions were last used. Nobody waits for it to be written down: a read stays a read, also behind an import or on a full disk. */
import type { Deps } from '../context.ts';
import { touchSession } from './session-repository.ts';

/** A use is written down at most this often. */
const WRITE_EVERY_MS = 60_000;
/** A request that has read the row before a use was written down may ask about it this much later. */
const REMEMBERED_MS = 30_000;

export interface SessionUse {
  /** When it was used last: as stored, or later. */
  lastUse(sessionId: string, storedAt: number): number;
  /** Notes a use now. */
  note(sessionId: string, storedAt: number): void;
  /** Waits for what is being written. */
  flush(): Promise<void>;
}

export function sessionUse({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>): SessionUse {
  /** Uses that are not in the database yet. */
  const unwritten = new Map<string, number>();
  const writing = new Map<string, Promise<void>>();
  /** Uses that have just come into the database. */
  const written = new Map<string, number>();

  const remember = (sessionId: string, usedAt: number) => {
    written.set(sessionId, usedAt);
    const forget = () => written.get(sessionId) === usedAt && written.delete(sessionId);
    setTimeout(forget, REMEMBERED_MS).unref();
  };

  const write = async (sessionId: string) => {
    try {
      while (unwritten.has(sessionId)) {
        const usedAt = unwritten.get(sessionId) ?? 0;
        await db.transactBeside((tx) => touchSession(tx, sessionId, usedAt));
        remember(sessionId, usedAt);
        if (unwritten.get(sessionId) === usedAt) unwritten.delete(sessionId);
      }
    } catch (error) {
      log.error({ error }, 'The use of a session could not be written down');
    } finally {
      writing.delete(sessionId);
    }
  };
  const lastUse = (sessionId: string, storedAt: number) =>
    Math.max(storedAt, unwritten.get(sessionId) ?? storedAt, written.get(sessionId) ?? storedAt);
  return {
    lastUse,
    note(sessionId, storedAt) {
      const now = clock.now();
      if (now < lastUse(sessionId, storedAt) + WRITE_EVERY_MS) return;
      unwritten.set(sessionId, now);
      if (!writing.has(sessionId)) writing.set(sessionId, write(sessionId));
    },
    async flush() {
      await Promise.all(writing.values());
    },
  };
}
