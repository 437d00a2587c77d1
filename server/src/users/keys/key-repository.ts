import type { Certificate, KeyBundle, PasskeySlot } from '@passwordbroker/core/contract/entities';
import type { NewKeyBundle } from '@passwordbroker/core/contract/users/users';
import type { Database, Transact } from '../../db/database.ts';
import type { Tables } from '../../db/schema/tables.ts';
import { AppError } from '@passwordbroker/core/contract/problem';
import { SERVER_TEXTS } from '../../platform/texts.ts';

type CertificateRow = Tables['user_certificates'];

const text = (bytes: Buffer) => bytes.toString('base64');
const bytes = (base64: string) => Buffer.from(base64, 'base64');

export function asCertificate(row: CertificateRow): Certificate {
  return {
    v: 1,
    user_id: row.user_id,
    keyset_version: row.keyset_version,
    ed25519_base64: text(row.ed25519),
    rsa_spki_base64: text(row.rsa_spki),
    fpr: row.fpr,
    prev_fpr: row.prev_fpr,
    sig_base64: text(row.sig),
    sig_prev_base64: row.sig_prev === null ? null : text(row.sig_prev),
    created_at: new Date(row.created_at).toISOString(),
  };
}

/** Returns the current certificate first, then newest first. */
export async function listCertificates(db: Database, userId: string): Promise<Certificate[]> {
  const rows = await db.read
    .selectFrom('user_certificates')
    .innerJoin('user_keysets', 'user_keysets.user_id', 'user_certificates.user_id')
    .selectAll('user_certificates')
    .where('user_certificates.user_id', '=', userId)
    .orderBy((eb) => eb.case().when('user_certificates.fpr', '=', eb.ref('user_keysets.fpr')).then(0).else(1).end())
    .orderBy('user_certificates.created_at', 'desc')
    .orderBy('user_certificates.keyset_version', 'desc')
    .execute();
  return rows.map(asCertificate);
}

/** Returns undefined without keys. */
export async function findPresentKey(db: Database, userId: string) {
  return db.read
    .selectFrom('user_keysets')
    .innerJoin('user_certificates', 'user_certificates.fpr', 'user_keysets.fpr')
    .select(['user_certificates.ed25519', 'user_keysets.fpr'])
    .where('user_keysets.user_id', '=', userId)
    .executeTakeFirst();
}

/** Leaves out people without keys. */
export async function listPresentCertificates(db: Database, userIds: readonly string[]): Promise<Certificate[]> {
  const rows = await db.read
    .selectFrom('user_keysets')
    .innerJoin('user_certificates', 'user_certificates.fpr', 'user_keysets.fpr')
    .selectAll('user_certificates')
    .where('user_keysets.user_id', 'in', userIds)
    .orderBy('user_keysets.user_id')
    .execute();
  return rows.map(asCertificate);
}

/** Secrets in it are sealed with the master password. */
export async function readKeyBundle(db: Database, userId: string): Promise<KeyBundle | undefined> {
  const user = await db.read
    .selectFrom('users')
    .leftJoin('user_keysets', 'user_keysets.user_id', 'users.user_id')
    .select(['users.must_rekey', 'user_keysets.version', 'user_keysets.blob'])
    .where('users.user_id', '=', userId)
    .executeTakeFirst();
  if (user === undefined) return undefined;
  const [slots, documents, certificates, passkeys] = await Promise.all([
    db.read.selectFrom('user_key_slots').selectAll().where('user_id', '=', userId).orderBy('slot_type').execute(),
    db.read.selectFrom('user_documents').selectAll().where('user_id', '=', userId).orderBy('name').execute(),
    listCertificates(db, userId),
    listWraps(db, userId),
  ]);
  return {
    user_id: userId,
    keyset:
      user.version === null || user.blob === null ? null : { version: user.version, blob_base64: text(user.blob) },
    certificate: certificates[0] ?? null,
    must_rekey: user.must_rekey === 1,
    slots: slots.map((slot) => ({
      slot_id: slot.slot_id,
      slot_type: slot.slot_type,
      kdf: slot.kdf,
      salt_base64: text(slot.salt),
      blob_base64: text(slot.blob),
      version: slot.version,
    })),
    documents: documents.map((document) => ({
      name: document.name,
      version: document.n,
      blob_base64: text(document.blob),
    })),
    passkeys,
  };
}

/** Wraps that passkeys open, including those of a former host: the client picks the usable ones. */
async function listWraps(db: Database, userId: string): Promise<PasskeySlot[]> {
  const rows = await db.read
    .selectFrom('user_prf_slots')
    .innerJoin('user_passkeys', 'user_passkeys.passkey_id', 'user_prf_slots.passkey_id')
    .selectAll('user_prf_slots')
    .select(['user_passkeys.credential_id', 'user_passkeys.rp_id', 'user_passkeys.name'])
    .where('user_prf_slots.user_id', '=', userId)
    .orderBy('user_prf_slots.created_at')
    .orderBy('user_prf_slots.slot_id')
    .execute();
  return rows.map((row) => ({
    slot_id: row.slot_id,
    passkey_id: row.passkey_id,
    credential_id: row.credential_id.toString('base64url'),
    rp_id: row.rp_id,
    name: row.name,
    kdf: row.kdf,
    salt_base64: text(row.salt),
    blob_base64: text(row.blob),
    version: row.version,
  }));
}

/** @param fpr hex. Slot versions never restart. */
export async function insertKeys(
  tx: Transact,
  userId: string,
  bundle: NewKeyBundle,
  fpr: string,
  now: number,
  slotVersion = 1,
): Promise<void> {
  const { keyset, certificate, slots } = bundle;
  await tx
    .insertInto('user_keysets')
    .values({ user_id: userId, version: keyset.version, blob: bytes(keyset.blob_base64), fpr })
    .execute();
  await tx
    .insertInto('user_certificates')
    .values({
      user_id: userId,
      keyset_version: certificate.keyset_version,
      ed25519: bytes(certificate.ed25519_base64),
      rsa_spki: bytes(certificate.rsa_spki_base64),
      fpr,
      prev_fpr: certificate.prev_fpr,
      sig: bytes(certificate.sig_base64),
      sig_prev: certificate.sig_prev_base64 === null ? null : bytes(certificate.sig_prev_base64),
      created_at: now,
    })
    .execute();
  const rows = slots.map((slot) => ({
    slot_id: slot.slot_id,
    user_id: userId,
    slot_type: slot.slot_type,
    kdf: slot.kdf,
    salt: bytes(slot.salt_base64),
    blob: bytes(slot.blob_base64),
    version: slotVersion,
    created_at: now,
  }));
  if (rows.length > 0) await tx.insertInto('user_key_slots').values(rows).execute();
}

interface NewSlot {
  readonly userId: string;
  readonly slot: Pick<Tables['user_key_slots'], 'slot_id' | 'slot_type' | 'kdf' | 'salt' | 'blob'>;
  /** Version of the slot to replace, 0 for none. */
  readonly version: number;
  readonly now: number;
}

/** @throws AppError `not_found`, `slot_conflict` */
export async function deleteSlot(
  tx: Transact,
  { userId, slotType, version }: { userId: string; slotType: NewSlot['slot']['slot_type']; version: number },
): Promise<void> {
  const present = await tx
    .selectFrom('user_key_slots')
    .select('version')
    .where('user_id', '=', userId)
    .where('slot_type', '=', slotType)
    .executeTakeFirst();
  if (present === undefined) throw new AppError('not_found');
  if (present.version !== version) {
    throw new AppError('slot_conflict', { details: { current_version: present.version } });
  }
  await tx.deleteFrom('user_key_slots').where('user_id', '=', userId).where('slot_type', '=', slotType).execute();
}

/** @throws AppError `slot_conflict`; `conflict` without keys */
export async function storeSlot(tx: Transact, { userId, slot, version, now }: NewSlot): Promise<void> {
  const keyset = await tx.selectFrom('user_keysets').select('version').where('user_id', '=', userId).executeTakeFirst();
  if (keyset === undefined) throw new AppError('conflict', { message: SERVER_TEXTS.noKeys });
  const present = await tx
    .selectFrom('user_key_slots')
    .select('version')
    .where('user_id', '=', userId)
    .where('slot_type', '=', slot.slot_type)
    .executeTakeFirst();
  const current_version = present?.version ?? 0;
  if (current_version !== version) throw new AppError('slot_conflict', { details: { current_version } });
  await tx.deleteFrom('user_key_slots').where('user_id', '=', userId).where('slot_type', '=', slot.slot_type).execute();
  const row = { ...slot, user_id: userId, version: version + 1, created_at: now };
  await tx.insertInto('user_key_slots').values(row).execute();
}

export async function findDocument(db: Pick<Database, 'read'>, userId: string, name: string) {
  return db.read
    .selectFrom('user_documents')
    .select(['n', 'blob'])
    .where('user_id', '=', userId)
    .where('name', '=', name)
    .executeTakeFirst();
}

/**
 * @throws AppError `slot_conflict` unless `replaced` (0: none) is stored; `conflict` without keys, because a
 * document of former keys would block new ones
 */
export async function storeDocument(
  tx: Transact,
  document: {
    readonly userId: string;
    readonly name: string;
    readonly blob: Buffer;
    readonly replaced: number;
    readonly version: number;
  },
): Promise<void> {
  const { userId, name, blob, replaced, version } = document;
  const keyset = await tx.selectFrom('user_keysets').select('fpr').where('user_id', '=', userId).executeTakeFirst();
  if (keyset === undefined) throw new AppError('conflict', { message: SERVER_TEXTS.noKeys });
  const present = await tx
    .selectFrom('user_documents')
    .select('n')
    .where('user_id', '=', userId)
    .where('name', '=', name)
    .executeTakeFirst();
  const current = present?.n ?? 0;
  if (current !== replaced) throw new AppError('slot_conflict', { details: { current_version: current } });
  const written =
    replaced === 0
      ? await tx
          .insertInto('user_documents')
          .values({ user_id: userId, name, n: version, blob })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst()
      : await tx
          .updateTable('user_documents')
          .set({ n: version, blob })
          .where('user_id', '=', userId)
          .where('name', '=', name)
          .where('n', '=', replaced)
          .executeTakeFirst();
  const rows = 'numUpdatedRows' in written ? written.numUpdatedRows : written.numInsertedOrUpdatedRows;
  if (rows !== 1n) throw new AppError('slot_conflict', { details: { current_version: replaced + 1 } });
}

export async function insertDocuments(tx: Transact, rows: readonly Tables['user_documents'][]): Promise<void> {
  if (rows.length > 0) await tx.insertInto('user_documents').values(rows).execute();
}
