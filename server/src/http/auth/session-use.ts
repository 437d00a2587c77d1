/** Records the last use of sessions in the background: no request waits for it. */
import type { Deps } from '../context.ts';
import { touchSession } from './session-repository.ts';

const WRITE_EVERY_MS = 60_000;
/** A written use stays here for requests that read the row before the write. */
const REMEMBERED_MS = 30_000;

export interface SessionUse {
  lastUse(sessionId: string, storedAt: number): number;
  note(sessionId: string, storedAt: number): void;
  flush(): Promise<void>;
}

export function sessionUse({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>): SessionUse {
  const unwritten = new Map<string, number>();
  const writing = new Map<string, Promise<void>>();
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
      log.error({ error }, 'The last use of a session could not be stored');
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
