import { encodeBase64 } from '@passwordbroker/core/crypto/bytes';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import { hashRoster, readRoster, verifyRosterOf } from '@passwordbroker/core/domain/rosters/roster';
import {
  isDocumentShape,
  isKeysetShape,
  isSiteShape,
  isSlotShape,
  isValueShape,
  isWrappedContentKeyShape,
} from '@passwordbroker/core/domain/fields/sealed-shape';
import { verifyChain } from '../../audit/chain/verify-chain.ts';
import type { Database } from '../../db/database.ts';
import { findDamage } from '../../db/integrity.ts';
import type { Tables } from '../../db/schema/tables.ts';
import { damaged } from '../archive/archive-problem.ts';
import { hasHollowField, hasStrayGroup, readTable } from '../run/snapshot-repository.ts';
import type { TableName } from '../archive/tables.ts';

/**
 * Checks references, sealed values, rosters and audit chain (docs/spec/threats.md §3.1.35). @throws
 * ArchiveError `damaged`
 */
export async function checkRestored(db: Pick<Database, 'read' | 'dialect'>): Promise<void> {
  const [damage] = await findDamage(db);
  if (damage !== undefined) throw damaged(damage);
  if (await hasStrayGroup(db.read)) throw damaged('the path of a group');
  if (await hasHollowField(db.read)) throw damaged('a field without its value');
  const { findings } = await verifyChain({ db });
  if (findings[0] !== undefined) throw damaged(`audit chain: ${findings[0].damage} at ${findings[0].seq}`);
  await everyRow(
    db,
    'field_revisions',
    (row) =>
      isValueShape(row.value) &&
      isWrappedContentKeyShape(row.cek_wrapped) &&
      (row.site === null || isSiteShape(row.site)),
  );
  await everyRow(db, 'user_key_slots', (row) => isSlotShape(row.blob));
  await everyRow(db, 'user_prf_slots', (row) => isSlotShape(row.blob));
  await everyRow(db, 'user_keysets', (row) => isKeysetShape(row.blob));
  await everyRow(db, 'user_documents', (row) => isDocumentShape(row.blob, row.name));
  await checkRosters(db);
}

async function everyRow<Name extends TableName>(
  { read }: Pick<Database, 'read'>,
  table: Name,
  isWhole: (row: Tables[Name]) => boolean,
): Promise<void> {
  for await (const rows of readTable(read, table)) {
    if (!rows.every((row) => isWhole(row as unknown as Tables[Name]))) throw damaged(`a sealed value in ${table}`);
  }
}

type RosterRow = Tables['group_rosters'];

/** Each links to its predecessor; the newest is signed. */
async function checkRosters(db: Pick<Database, 'read'>): Promise<void> {
  let last: RosterRow | null = null;
  for await (const rows of readTable(db.read, 'group_rosters')) {
    const newest: RosterRow[] = [];
    for (const row of rows as unknown as RosterRow[]) {
      if (last !== null && last.entry_group_id !== row.entry_group_id) newest.push(last);
      else if (last !== null) await checkLink(last, row);
      last = row;
    }
    await checkSigned(db, newest);
  }
  if (last !== null) await checkSigned(db, [last]);
}

async function checkLink(before: RosterRow, row: RosterRow): Promise<void> {
  const { seq, prev, groupId } = readOrRefuse(row);
  const isNext = seq === row.seq && seq === before.seq + 1 && groupId === row.entry_group_id;
  if (!isNext || prev !== (await hashRoster(new Uint8Array(before.bytes)))) throw damaged('a link of the rosters');
}

async function checkSigned({ read }: Pick<Database, 'read'>, rows: readonly RosterRow[]): Promise<void> {
  if (rows.length === 0) return;
  const found = await read
    .selectFrom('user_certificates')
    .select(['user_id', 'fpr', 'ed25519'])
    .where('fpr', 'in', [...new Set(rows.map((row) => row.signer_fpr))])
    .execute();
  const signers = new Map(found.map((signer) => [signer.fpr, signer]));
  for (const row of rows) {
    const signer = signers.get(row.signer_fpr);
    if (signer === undefined) throw damaged('a roster without the certificate of its signer');
    await checkSignature(row, signer);
  }
}

type Signer = Pick<Tables['user_certificates'], 'user_id' | 'fpr' | 'ed25519'>;

async function checkSignature(row: RosterRow, signer: Signer): Promise<void> {
  const wire = { roster_base64: encodeBase64(row.bytes), roster_sig_base64: encodeBase64(row.sig) };
  const identity = { userId: signer.user_id, fingerprint: signer.fpr, ed25519: new Uint8Array(signer.ed25519) };
  await verifyRosterOf(identity, wire, row.entry_group_id).catch((error: unknown) => {
    throw error instanceof CryptoError ? damaged('the signature of a roster') : error;
  });
}

function readOrRefuse(row: RosterRow) {
  try {
    return readRoster(new Uint8Array(row.bytes));
  } catch (error) {
    throw error instanceof CryptoError ? damaged('a roster') : error;
  }
}
