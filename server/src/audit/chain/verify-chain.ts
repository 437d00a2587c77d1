/**
 * Checks the sealed audit log (T91, T92, T150), from the newest checkpoint if it was pruned. Removal of the
 * newest rows is detected only with a published head.
 */
import type { Database } from '../../db/database.ts';
import { BEGINNING, hashOfLink, type ChainHead, isSigned, type Checkpoint } from './links-and-checkpoints.ts';
import {
  countRowsAndLinks,
  findCheckpoint,
  listLinks,
  type SealedCheckpoint,
  type StoredLink,
} from './chain-repository.ts';

type Damage =
  | 'edited'
  | 'missing'
  | 'link missing'
  | 'out of order'
  | 'head contradicted'
  | 'checkpoint unsigned'
  | 'checkpoint of an unknown key';

export interface ChainFinding {
  readonly damage: Damage;
  readonly seq: number;
  /** Null if the link is missing. */
  readonly auditId: string | null;
}

export interface ChainReport {
  readonly ok: boolean;
  /** Number of checked links. */
  readonly rows: number;
  readonly head: (ChainHead & { readonly audit_id: string }) | null;
  readonly checkpoint: (Omit<Checkpoint, 'signature'> & { readonly at: number }) | null;
  /** Published heads whose links were removed, so that they cannot be checked. */
  readonly removedHeads: readonly ChainHead[];
  readonly findings: readonly ChainFinding[];
  /** Number of rows without a link, which are not protected yet. */
  readonly unsealed: number;
}

const BATCH = 1000;
const FINDINGS_KEPT = 20;

type Reader = Pick<Database, 'read'>;

interface Published {
  readonly heads?: readonly ChainHead[];
  /** Hex public keys; empty accepts any key. */
  readonly keys?: readonly string[];
}

/** Yields to other requests between batches. */
export async function verifyChain(
  { db }: { readonly db: Reader },
  { heads = [], keys = [] }: Published = {},
): Promise<ChainReport> {
  const checkpoint = await findCheckpoint(db);
  const findings = await findingsOf(checkpoint, keys);
  const expected = new Map(heads.map(({ seq, hash }) => [seq, hash]));
  let first: StoredLink | null = null;
  let last: StoredLink | null = null;
  let rows = 0;
  let missing = 0;
  for await (const { link, damage } of walkChain(db, checkpoint)) {
    first ??= link;
    rows += 1;
    if (link.row === null) missing += 1;
    if (damage !== null) findings.push({ damage, seq: link.seq, auditId: link.audit_id });
    const published = expected.get(link.seq);
    if (published !== undefined && published !== link.hash.toString('hex')) {
      findings.push({ damage: 'head contradicted', seq: link.seq, auditId: link.audit_id });
    }
    expected.delete(link.seq);
    last = link;
  }
  const removed = [...expected].filter(([seq]) => seq < (first?.seq ?? 0)).map(([seq, hash]) => ({ seq, hash }));
  for (const [seq, hash] of expected) {
    const isRemoved = seq < (first?.seq ?? 0);
    if (isRemoved && (seq !== checkpoint?.checkpoint.seq || hash === checkpoint.checkpoint.hash)) continue;
    findings.push({ damage: 'head contradicted', seq, auditId: null });
  }
  const counted = await countRowsAndLinks(db);
  return {
    ok: findings.length === 0,
    rows,
    head: last === null ? null : { audit_id: last.audit_id, seq: last.seq, hash: last.hash.toString('hex') },
    checkpoint: checkpoint === null ? null : toldOf(checkpoint),
    removedHeads: removed.filter(({ seq }) => seq !== checkpoint?.checkpoint.seq),
    findings: findings.slice(0, FINDINGS_KEPT),
    unsealed: Math.max(0, counted.rows - (counted.links - missing)),
  };
}

function toldOf({ checkpoint, created_at }: SealedCheckpoint): ChainReport['checkpoint'] {
  const { seq, hash, before, key } = checkpoint;
  return { seq, hash, before, key, at: created_at };
}

async function findingsOf(sealed: SealedCheckpoint | null, keys: readonly string[]): Promise<ChainFinding[]> {
  if (sealed === null) return [];
  const { checkpoint, seq, audit_id: auditId } = sealed;
  if (!(await isSigned(checkpoint))) return [{ damage: 'checkpoint unsigned', seq, auditId }];
  const isKnown = keys.length === 0 || keys.includes(checkpoint.key);
  return isKnown ? [] : [{ damage: 'checkpoint of an unknown key', seq, auditId }];
}

export async function* walkChain(
  db: Reader,
  sealed: SealedCheckpoint | null,
): AsyncGenerator<{ readonly link: StoredLink; readonly damage: Damage | null }> {
  let before: Before = { seq: 0, hash: BEGINNING };
  let after = 0;
  for (;;) {
    const links = await listLinks(db, after, BATCH);
    if (after === 0) before = beginningOf(links[0], sealed);
    for (const link of links) {
      const isCovered = link.seq === sealed?.checkpoint.seq && link.hash.toString('hex') !== sealed.checkpoint.hash;
      yield { link, damage: isCovered ? 'out of order' : damageOf(link, before) };
      before = link;
      after = link.seq;
    }
    if (links.length < BATCH) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

type Before = Pick<StoredLink, 'seq' | 'hash'>;

/** During a removal the checkpoint covers the first stored link too. */
function beginningOf(first: StoredLink | undefined, sealed: SealedCheckpoint | null): Before {
  if (first === undefined || sealed === null || first.seq === 1) return { seq: 0, hash: BEGINNING };
  const { seq, hash } = sealed.checkpoint;
  if (first.seq === seq + 1) return { seq, hash: Buffer.from(hash, 'hex') };
  return first.seq <= seq ? { seq: first.seq - 1, hash: first.prev } : { seq: 0, hash: BEGINNING };
}

/** Compares with the stored previous link, so that one change gives one finding. */
function damageOf(link: StoredLink, before: Before): Damage | null {
  if (link.seq !== before.seq + 1) return 'link missing';
  if (!link.prev.equals(before.hash)) return 'out of order';
  if (link.row === null) return 'missing';
  return hashOfLink(link.seq, link.prev, link.row).equals(link.hash) ? null : 'edited';
}
