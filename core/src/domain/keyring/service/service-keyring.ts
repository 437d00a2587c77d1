/** The keys of a service account (docs/spec/crypto.md §6). */
import { encodeBase64 } from '../../../crypto/bytes.ts';
import { sha256 } from '#primitives';
import { CryptoError } from '../../../crypto/errors.ts';
import type { CertificateWire } from '../certificate.ts';
import { type Keyring, type LockedKeyring, type NewKeyBundleWire, createKeys, unlockWith } from '../keyring.ts';
import {
  type ServiceCredential,
  createMachineSlot,
  deriveMachineToken,
  newServiceCredential,
  openMachineSlot,
  writeCredential,
} from './service-credential.ts';

/** What the server stores of a credential. */
export interface NewCredentialWire {
  readonly slot_id: string;
  readonly blob_base64: string;
  readonly token_sha256_base64: string;
}

export interface NewServiceKeys {
  readonly keyring: Keyring;
  readonly bundle: Omit<NewKeyBundleWire, 'slots'> & { readonly certificate: CertificateWire };
  readonly credential: NewCredentialWire;
  /** `pbsa1_…`, the only place of the secret. */
  readonly text: string;
}

/**
 * Creates the keys of a service account with its first credential.
 * @param account.keysetVersion the last version + 1
 */
export async function createServiceKeys(account: {
  readonly userId: string;
  readonly origin: string;
  readonly keysetVersion: number;
}): Promise<NewServiceKeys> {
  const { userId, origin, keysetVersion } = account;
  const made = newServiceCredential(userId, origin);
  try {
    const { keyring, slot, bundle } = await createKeys(userId, keysetVersion, (userKey) =>
      createMachineSlot(made, userKey),
    );
    return { keyring, bundle, credential: await wireOf(made, slot.blob_base64), text: writeCredential(made) };
  } finally {
    made.secret.fill(0);
  }
}

/**
 * Creates a further credential for the same keys. The caller wipes the secret of the present one.
 * @throws CryptoError as `openMachineSlot`
 */
export async function createNextCredential(
  bundle: Pick<LockedKeyring, 'slots'>,
  present: ServiceCredential,
): Promise<Pick<NewServiceKeys, 'credential' | 'text'>> {
  const made = newServiceCredential(present.userId, present.origin);
  const userKey = await openMachineSlot(bundle.slots, present);
  try {
    const slot = await createMachineSlot(made, userKey);
    return { credential: await wireOf(made, slot.blob_base64), text: writeCredential(made) };
  } finally {
    userKey.fill(0);
    made.secret.fill(0);
  }
}

/**
 * Opens the keys of a service account. The caller wipes the secret.
 * @throws CryptoError `certificate` for keys of another account; as `openMachineSlot`
 */
export async function unlockWithCredential(bundle: LockedKeyring, credential: ServiceCredential): Promise<Keyring> {
  if (bundle.user_id !== credential.userId) throw new CryptoError('certificate');
  return unlockWith(bundle, () => openMachineSlot(bundle.slots, credential));
}

async function wireOf(credential: ServiceCredential, blob_base64: string): Promise<NewCredentialWire> {
  const token = await deriveMachineToken(credential);
  try {
    const token_sha256_base64 = encodeBase64(await sha256(token));
    return { slot_id: credential.slotId, blob_base64, token_sha256_base64 };
  } finally {
    token.fill(0);
  }
}
