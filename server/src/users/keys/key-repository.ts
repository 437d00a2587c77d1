import type { Certificate, KeyBundle } from '@passwordbroker/core/contract/entities';
import type { NewKeyBundle } from '@passwordbroker/core/contract/users/users';
import type { Database, Transact } from '../../db/database.ts';
import type { Tables } from '../../db/schema/tables.ts';

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
  const [slots, documents, certificates] = await Promise.all([
    db.read.selectFrom('user_key_slots').selectAll().where('user_id', '=', userId).orderBy('slot_type').execute(),
    db.read.selectFrom('user_documents').selectAll().where('user_id', '=', userId).orderBy('name').execute(),
    listCertificates(db, userId),
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
  };
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
  await tx.insertInto('user_key_slots').values(rows).execute();
}
