import type { KeyBundle } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { recordEvent, type AuditEntry } from '../../audit/audit-log.ts';
import type { Actor, RequestContext } from '../../http/context.ts';
import { ATTEMPT_LIMITS, countAttempt } from '../../platform/passwords/attempts.ts';
import { findMachineSlot } from '../../service-accounts/service-repository.ts';
import { readKeyBundle } from './key-repository.ts';
import type { NewKeyBundle } from '@passwordbroker/core/contract/users/users';
import { TEXTS, labelOf } from '@passwordbroker/core/contract/inputs';
import { decodeBase64 } from '@passwordbroker/core/crypto/bytes';
import { verify } from '@passwordbroker/core/crypto/ed25519';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import type { Kdf } from '@passwordbroker/core/crypto/kdf';
import {
  certificateMessage,
  verifyCertificate,
  type PublicIdentity,
} from '@passwordbroker/core/domain/keyring/certificate';
import { PASSKEY_PROFILE } from '@passwordbroker/core/domain/keyring/passkey-slot';
import { isKeysetShape, isSlotShape } from '@passwordbroker/core/domain/fields/sealed-shape';

/**
 * Limited and audited, because each copy allows offline guessing (docs/spec/threats.md §2.13).
 * @param released.known documents that the client has: `name:version,…`
 */
export async function releaseKeyBundle(
  { deps, origin }: RequestContext,
  actor: Actor,
  {
    target = {},
    known = '',
  }: { target?: Pick<AuditEntry, 'target_type' | 'target_id'>; known?: string | undefined } = {},
): Promise<KeyBundle> {
  // The slots of a service account cannot be guessed.
  if (actor.service === null) await countAttempt(deps, `key-bundle:${actor.userId}`, ATTEMPT_LIMITS.keyBundle);
  await deps.db.transactBeside((tx) =>
    recordEvent(tx, deps, { event_type: 'key_bundle_released', actor, origin, ...target }),
  );
  const bundle = await readKeyBundle(deps.db, actor.userId);
  if (bundle === undefined) throw new AppError('unauthenticated');
  const isKnown = new Set(known.split(','));
  const documents = bundle.documents.map((document) =>
    isKnown.has(`${document.name}:${document.version}`) ? { ...document, blob_base64: null } : document,
  );
  return { ...bundle, documents, ...(actor.service === null ? {} : { slots: await machineSlots(deps, actor) }) };
}

/** Of the credential that calls. */
async function machineSlots(
  { db }: Pick<RequestContext['deps'], 'db'>,
  { sessionId }: Actor,
): Promise<KeyBundle['slots']> {
  const slot = await findMachineSlot(db.read, sessionId);
  if (slot === undefined) return [];
  const { slot_id, kdf, blob, expires_at } = slot;
  const sealed = { kdf, salt_base64: '', blob_base64: blob.toString('base64') };
  return [{ slot_id, slot_type: 'machine', ...sealed, version: 1, expires_at: new Date(expires_at).toISOString() }];
}

const SALT_BYTES = 16;
/** A random recovery key needs no slow derivation and no salt. */
const RECOVERY_KDF = 'R1';

export interface FormerKey {
  readonly version: number;
  readonly fingerprint: string;
  readonly ed25519: Buffer;
  /** False if others may have known the key. */
  readonly isTrusted: boolean;
}

interface Expected {
  readonly userId: string;
  readonly kdf: Pick<Kdf, 'profiles'>;
  /** Null for the first keys. */
  readonly former: FormerKey | null;
  /** Path in the body, for errors. */
  readonly place: 'user.key_bundle' | 'key_bundle';
}

type Malformed = (member: string) => AppError;

const malformedIn =
  (place: string): Malformed =>
  (member) =>
    new AppError('bad_sealed_value', {
      errors: { [`${place}.${member}`]: [TEXTS.malformed(labelOf(member.split('.')))] },
    });

/** Checks structure and certificate (docs/spec/crypto.md §19.2–§19.3). @throws AppError `bad_sealed_value` */
export async function checkKeyBundle(bundle: NewKeyBundle, expected: Expected): Promise<PublicIdentity> {
  checkSlots(bundle.slots, expected.kdf, malformedIn(expected.place));
  return checkServiceKeys(bundle, expected);
}

/** As `checkKeyBundle`, without slots: a service account has those of its credentials. */
export async function checkServiceKeys(
  bundle: Omit<NewKeyBundle, 'slots'>,
  { userId, former, place = 'key_bundle' }: Pick<Expected, 'userId' | 'former'> & Partial<Pick<Expected, 'place'>>,
): Promise<PublicIdentity> {
  const { keyset, certificate } = bundle;
  const malformed = malformedIn(place);
  const version = (former?.version ?? 0) + 1;
  if (certificate.user_id !== userId) throw malformed('certificate.user_id');
  if (certificate.keyset_version !== version) throw malformed('certificate.keyset_version');
  if (certificate.prev_fpr !== '' && certificate.prev_fpr !== former?.fingerprint) {
    throw malformed('certificate.prev_fpr');
  }
  if (keyset.version !== version) throw malformed('keyset.version');
  if (!isKeysetShape(bytesOf(malformed, 'keyset.blob_base64', keyset.blob_base64))) {
    throw malformed('keyset.blob_base64');
  }
  const identity = await identityOf(certificate, malformed);
  if (!(await isVouchedFor(certificate, identity, former))) throw malformed('certificate.sig_prev_base64');
  return identity;
}

function checkSlots(slots: NewKeyBundle['slots'], kdf: Expected['kdf'], malformed: Malformed): void {
  const types = slots.map(({ slot_type }) => slot_type);
  if (!types.includes('password') || new Set(types).size !== types.length) throw malformed('slots');
  for (const [at, slot] of slots.entries()) judgeSlot(slot, kdf, (member) => malformed(`slots.${at}.${member}`));
}

type SentSlot = Pick<NewKeyBundle['slots'][number], 'slot_type' | 'kdf' | 'salt_base64' | 'blob_base64'>;

/** @throws AppError `bad_sealed_value` */
export const checkSlot = (slot: SentSlot, kdf: Expected['kdf']): void => judgeSlot(slot, kdf, malformedIn('slot'));

/** Checks a wrap that a passkey opens. @throws AppError `bad_sealed_value` */
export function checkPasskeySlot({ kdf, salt_base64, blob_base64 }: Omit<SentSlot, 'slot_type'>): void {
  const malformed = malformedIn('slot');
  if (kdf !== PASSKEY_PROFILE) throw malformed('kdf');
  if (bytesOf(malformed, 'salt_base64', salt_base64).length !== SALT_BYTES) throw malformed('salt_base64');
  if (!isSlotShape(bytesOf(malformed, 'blob_base64', blob_base64))) throw malformed('blob_base64');
}

function judgeSlot(slot: SentSlot, kdf: Expected['kdf'], malformed: Malformed): void {
  const isRecovery = slot.slot_type === 'recovery';
  const isKnown = isRecovery ? slot.kdf === RECOVERY_KDF : Object.hasOwn(kdf.profiles, slot.kdf);
  if (!isKnown) throw malformed('kdf');
  const salt = bytesOf(malformed, 'salt_base64', slot.salt_base64);
  if (salt.length !== (isRecovery ? 0 : SALT_BYTES)) throw malformed('salt_base64');
  if (!isSlotShape(bytesOf(malformed, 'blob_base64', slot.blob_base64))) throw malformed('blob_base64');
}

/** Strict base64. */
function bytesOf(malformed: Malformed, member: string, base64: string): Uint8Array {
  if (base64 === '') return new Uint8Array();
  try {
    return decodeBase64(base64);
  } catch (error) {
    if (error instanceof CryptoError) throw malformed(member);
    throw error;
  }
}

async function identityOf(certificate: NewKeyBundle['certificate'], malformed: Malformed): Promise<PublicIdentity> {
  try {
    return await verifyCertificate(certificate);
  } catch (error) {
    if (error instanceof CryptoError) throw malformed('certificate.sig_base64');
    throw error;
  }
}

/** A signature of the former key is optional, but must be valid. */
async function isVouchedFor(
  { sig_prev_base64, prev_fpr }: NewKeyBundle['certificate'],
  identity: PublicIdentity,
  former: FormerKey | null,
): Promise<boolean> {
  if (sig_prev_base64 === null) return true;
  if (former === null || !former.isTrusted || prev_fpr === '') return false;
  return verify(new Uint8Array(former.ed25519), certificateMessage(identity), decodeBase64(sig_prev_base64));
}
