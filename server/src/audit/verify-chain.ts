/** Checks the sealed part of the audit log link by link (threats T91, T92). What it does not see: the cut end of a chain, unless a head is given that was published. */
import type { Database } from '../db/database.ts';
import { BEGINNING, hashOfLink } from './chain-link.ts';
import type { ChainHead } from './chain-link.ts';
import { countRowsAndLinks, listLinks } from './chain-repository.ts';
import type { StoredLink } from './chain-repository.ts';

/** What is wrong: the row says something else, is gone, a link is gone or stands where it did not, or a published head is contradicted. */
type Damage = 'edited' | 'missing' | 'link missing' | 'out of order' | 'head contradicted';

export interface Finding {
  readonly damage: Damage;
  readonly seq: number;
  /** Null where the chain has nothing at that place. */
  readonly auditId: string | null;
}

export interface ChainReport {
  readonly ok: boolean;
  /** Links looked at. */
  readonly rows: number;
  readonly head: (ChainHead & { readonly audit_id: string }) | null;
  /** The first ones, in the order of the chain. */
  readonly findings: readonly Finding[];
  /** Rows without a link: not protected yet. */
  readonly unsealed: number;
}

const BATCH = 1000;
const FINDINGS_KEPT = 20;

interface Readable {
  readonly db: Pick<Database, 'read'>;
}

/** Reads all of the chain; `heads` are places that were published. Others get their turn between the batches. */
export async function verifyChain({ db }: Readable, heads: readonly ChainHead[] = []): Promise<ChainReport> {
  const findings: Finding[] = [];
  const expected = new Map(heads.map(({ seq, hash }) => [seq, hash]));
  let last: StoredLink | null = null;
  let rows = 0;
  let missing = 0;
  for (;;) {
    const links = await listLinks(db, last?.seq ?? 0, BATCH);
    for (const link of links) {
      rows += 1;
      if (link.row === null) missing += 1;
      const damage = damageOf(link, last);
      if (damage !== null) findings.push({ damage, seq: link.seq, auditId: link.audit_id });
      const published = expected.get(link.seq);
      if (published !== undefined && published !== link.hash.toString('hex')) {
        findings.push({ damage: 'head contradicted', seq: link.seq, auditId: link.audit_id });
      }
      expected.delete(link.seq);
      last = link;
    }
    if (links.length < BATCH) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (const seq of expected.keys()) findings.push({ damage: 'head contradicted', seq, auditId: null });
  const counted = await countRowsAndLinks(db);
  return {
    ok: findings.length === 0,
    rows,
    head: last === null ? null : { audit_id: last.audit_id, seq: last.seq, hash: last.hash.toString('hex') },
    findings: findings.slice(0, FINDINGS_KEPT),
    unsealed: Math.max(0, counted.rows - (counted.links - missing)),
  };
}

/** Judges a link by the one before it, as stored: so one change is told once, not once a link from there on. */
function damageOf(link: StoredLink, before: StoredLink | null): Damage | null {
  if (link.seq !== (before?.seq ?? 0) + 1) return 'link missing';
  if (!link.prev.equals(before?.hash ?? BEGINNING)) return 'out of order';
  if (link.row === null) return 'missing';
  return hashOfLink(link.seq, link.prev, link.row).equals(link.hash) ? null : 'edited';
}
