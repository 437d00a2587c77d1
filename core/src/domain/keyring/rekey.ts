/**
 * Replaces all keys of an account (`must_rekey`). The old keys do not sign the new ones, so others see that
 * the identity changed.
 */
import { decodeBase64, encodeBase64, utf8 } from '../../crypto/bytes.ts';
import { CryptoError } from '../../crypto/errors.ts';
import type { Kdf } from '../../crypto/kdf.ts';
import { open, seal } from '../../crypto/seal.ts';
import { EMPTY_DESK } from '../desk.ts';
import { DOCUMENT_NAMES, type StoredDocumentName } from './document-names.ts';
import { GRANT_ALGORITHM, unwrapGroupSecret, wrapGroupSecret } from '../groups/grants.ts';
import { type Keyring, type NewKeyBundleWire, createKeyring } from './keyring.ts';
import type { Role } from '../policy.ts';
import { EMPTY_RECORD, type TrustRecord } from '../trust/trust-record.ts';

export interface OwnGrantWire {
  readonly entry_group_id: string;
  readonly gk_version: number;
  readonly role: Role;
  readonly alg: string;
  readonly encrypted_aes_password_base64: string;
}

interface KeptDocument<Name extends string = string> {
  readonly name: Name;
  readonly version: number;
  readonly blob_base64: string | null;
}

/** The body of `PUT keyBundle` (docs/spec/api.md §3.4). */
export interface RekeyWire {
  readonly key_bundle: NewKeyBundleWire;
  /** `version` is the replaced one (0: none). */
  readonly documents: readonly {
    readonly name: StoredDocumentName;
    readonly version: number;
    readonly blob_base64: string;
  }[];
  readonly grants: readonly {
    readonly entry_group_id: string;
    readonly gk_version: number;
    readonly role: Role;
    readonly recipient_fpr: string;
    readonly encrypted_aes_password: string;
  }[];
}

/**
 * `old` stays open for the step-up proof. `documents` are all stored ones. `record` null: a new, empty one,
 * because somebody else may have used the old keys.
 * @throws CryptoError `password`, `locked`, `grant`; those of `open` for a damaged document
 */
export async function rekey(
  old: Keyring,
  request: {
    readonly masterPassword: string;
    readonly kdf: Kdf;
    readonly grants: readonly OwnGrantWire[];
    readonly documents: readonly KeptDocument[];
    readonly record: TrustRecord | null;
  },
): Promise<{ keyring: Keyring; wire: RekeyWire }> {
  const { masterPassword, kdf, grants, documents, record } = request;
  const { userId } = old;
  // Before creating new keys, so that damage aborts early.
  const secrets = await Promise.all(grants.map((grant) => openGrant(old, grant)));
  const versionOf = (sought: StoredDocumentName) => documents.find(({ name }) => name === sought)?.version ?? 0;
  const others = DOCUMENT_NAMES.flatMap((name) =>
    name === 'trust' ? [] : documents.filter((document) => document.name === name).map((one) => ({ ...one, name })),
  );
  const contents = await Promise.all(others.map((document) => openContent(old, document)));
  const pinsVersion = versionOf('pins');
  const trust = {
    // An empty record must not import the old pins either.
    record:
      record === null ? { ...EMPTY_RECORD, pins_n: pinsVersion === 0 ? 0 : pinsVersion + 1 } : { ...record, own: [] },
    replaces: versionOf('trust'),
  };
  try {
    const keysetVersion = old.identity.keysetVersion + 1;
    const made = await createKeyring({ userId, masterPassword, kdf, keysetVersion, trust });
    const { keyring, bundle } = made;
    const wire: RekeyWire = {
      key_bundle: bundle,
      documents: [
        ...(await Promise.all(
          contents.map(async ({ name, n, bytes }) => {
            const sealed = await seal('doc', keyring.keys().userKey, { userId, name, n: n + 1 }, bytes);
            return { name, version: n, blob_base64: encodeBase64(sealed) };
          }),
        )),
        made.trust,
      ],
      grants: await Promise.all(
        secrets.map(async ({ secret, entry_group_id, gk_version, role }) => {
          const wrapped = await wrapGroupSecret(secret, keyring.identity);
          const recipient_fpr = keyring.fingerprint;
          return { entry_group_id, gk_version, role, recipient_fpr, encrypted_aes_password: encodeBase64(wrapped) };
        }),
      ),
    };
    return { keyring, wire };
  } finally {
    for (const { secret } of secrets) secret.fill(0);
    for (const { bytes } of contents) bytes.fill(0);
  }
}

async function openGrant(from: Keyring, { alg, encrypted_aes_password_base64, ...place }: OwnGrantWire) {
  if (alg !== GRANT_ALGORITHM) throw new CryptoError('grant');
  return { ...place, secret: await unwrapGroupSecret(from, decodeBase64(encrypted_aes_password_base64)) };
}

async function openContent<Name extends string>(from: Keyring, { name, version: n, blob_base64 }: KeptDocument<Name>) {
  const context = { userId: from.userId, name, n };
  const { userKey } = from.keys();
  try {
    return { name, n, bytes: await open('doc', userKey, context, decodeBase64(blob_base64)) };
  } catch (failure) {
    // Favourites must not prevent new keys.
    if (name !== 'desk') throw failure;
    return { name, n, bytes: utf8(JSON.stringify(EMPTY_DESK)) };
  }
}
