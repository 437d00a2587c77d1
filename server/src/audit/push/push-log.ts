/**
 * Sends sealed rows, and the head every minute, to external receivers. The log is the queue. A row may be
 * sent twice.
 */
import type { Deps } from '../../http/context.ts';
import type { PublishedHead } from '../chain/links-and-checkpoints.ts';
import type { LinkedRow } from '../export-format.ts';
import { listSealedRows, readProgress, storeProgress, type ReceiverName } from '../chain/chain-repository.ts';

/** Contains rows in chain order, or only the head. */
export interface Delivery {
  readonly rows: readonly LinkedRow[];
  readonly head: PublishedHead | null;
}

/** `deliver` throws if the delivery is known to have failed. */
export interface Receiver {
  readonly name: ReceiverName;
  deliver(delivery: Delivery, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** In ms. */
export const DELIVERY_WITHIN = 10_000;
const BATCH = 100;
const RETRY = { first: 1000, last: 60_000 } as const;

type Parts = Pick<Deps, 'db' | 'log'>;

interface Push {
  /** Sends pending rows in the background, unless a retry is not due. */
  wake(): void;
  tell(head: PublishedHead): void;
  stop(): Promise<void>;
}

export function startPush(parts: Parts, receiver: Receiver): Push {
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  let head: PublishedHead | null = null;
  let pause = 0;
  let notBefore = 0;

  const round = async () => {
    for (;;) {
      stopping.signal.throwIfAborted();
      const rows = await listSealedRows(parts.db, await readProgress(parts.db, receiver.name), BATCH);
      const last = rows.at(-1);
      if (last === undefined) break;
      await receiver.deliver({ rows, head: null }, stopping.signal);
      await storeProgress(parts.db, receiver.name, last.seq);
    }
    const told = head;
    if (told === null) return;
    await receiver.deliver({ rows: [], head: told }, stopping.signal);
    if (head === told) head = null;
  };
  const attempt = async () => {
    try {
      await round();
      if (pause > 0) parts.log.info({ event: receiver.name }, 'the audit log reaches its receiver again');
      pause = 0;
    } catch (error) {
      if (stopping.signal.aborted) return;
      if (pause === 0) parts.log.warn({ event: receiver.name, error }, 'the audit log does not reach its receiver');
      pause = Math.min(RETRY.last, Math.max(RETRY.first, pause * 2));
      notBefore = performance.now() + pause;
    }
  };
  return {
    wake() {
      if (running !== null || stopping.signal.aborted || performance.now() < notBefore) return;
      running = attempt().finally(() => {
        running = null;
      });
    },
    tell(newest) {
      head = newest;
    },
    async stop() {
      stopping.abort();
      await running;
      receiver.close();
    },
  };
}
