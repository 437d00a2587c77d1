/**
 * Links committed audit rows into the hash chain within a second (docs/spec/decisions.md H2), in one process
 * of all instances.
 */
import type { Deps } from '../../http/context.ts';
import { Lease, LeaseLost } from '../../platform/leases/lease.ts';
import {
  BEGINNING,
  hashOfLink,
  type ChainHead,
  type ChainRow,
  type PublishedHead,
  makeSigner,
  type CheckpointSigner,
} from './links-and-checkpoints.ts';
import { findLastLink, forgetUnsealed, hasUnsealed, insertLinks, listUnsealed } from './chain-repository.ts';

const LOOK_EVERY = 400;
const PUBLISH_EVERY = 60_000;
/** A batch takes a few ms. */
const BATCH = 128;

type Parts = Pick<Deps, 'db' | 'log'>;

/** Returns the number of sealed rows. @throws LeaseLost */
export async function sealWaiting({ db }: Pick<Deps, 'db'>, lease: Lease): Promise<number> {
  let sealed = 0;
  while (await hasUnsealed(db)) {
    sealed += await db.transactBeside(async (tx) => {
      await lease.confirm(tx);
      const { ids, rows } = await listUnsealed(tx, BATCH);
      const last = await findLastLink(tx);
      const links: ChainRow[] = [];
      let { seq, hash: prev } = last ?? { seq: 0, hash: BEGINNING };
      for (const row of rows) {
        seq += 1;
        const hash = hashOfLink(seq, prev, row);
        links.push({ seq, audit_id: row.audit_id, prev, hash });
        prev = hash;
      }
      await insertLinks(tx, links);
      await forgetUnsealed(tx, ids);
      return links.length;
    });
    // Lets other requests run.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return sealed;
}

export async function readHead({ db }: Pick<Deps, 'db'>): Promise<(ChainHead & { readonly audit_id: string }) | null> {
  const last = await findLastLink(db.read);
  return last === undefined ? null : { audit_id: last.audit_id, seq: last.seq, hash: last.hash.toString('hex') };
}

/** Logs the head as evidence against a rewritten chain. */
export async function publishHead(parts: Parts, key: string): Promise<PublishedHead | null> {
  const head = await readHead(parts);
  if (head === null) return null;
  const { seq, hash } = head;
  parts.log.info({ event: 'audit_head', seq, hash, key }, 'head of the audit chain');
  return { seq, hash, key };
}

interface SealerOptions {
  readonly lease?: Lease;
  readonly signer?: Promise<CheckpointSigner>;
  readonly beforeHead?: (lease: Lease) => Promise<void>;
  readonly afterSeal?: (lease: Lease) => Promise<void>;
  readonly onHead?: (head: PublishedHead) => void;
  readonly afterRound?: () => void;
}

/** `stop` seals the remaining rows, then releases the lease. */
export function startSealer(parts: Parts, options: SealerOptions = {}): { stop(): Promise<void> } {
  const { lease = new Lease(parts.db, 'audit-sealer'), signer = makeSigner() } = options;
  const { beforeHead, afterSeal, onHead, afterRound } = options;
  let publishedAt = Number.NEGATIVE_INFINITY;
  const round = async () => {
    if (!(await lease.hold())) return;
    const now = performance.now();
    const isDue = now - publishedAt >= PUBLISH_EVERY;
    if (isDue) await beforeHead?.(lease);
    await sealWaiting(parts, lease);
    if (isDue) {
      await afterSeal?.(lease);
      const head = await publishHead(parts, (await signer).key);
      if (head !== null) onHead?.(head);
      publishedAt = now;
    }
    afterRound?.();
  };
  let running: Promise<void> | null = null;
  const run = () => {
    running ??= round()
      .catch((error: unknown) => {
        if (!(error instanceof LeaseLost)) parts.log.error({ error }, 'sealing the audit log failed');
      })
      .finally(() => {
        running = null;
      });
    return running;
  };
  void run();
  const timer = setInterval(() => void run(), LOOK_EVERY).unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
      await run();
      await lease.release();
    },
  };
}
