import type { KeyBundle } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { openDocument } from '@passwordbroker/core/domain/keyring/documents';
import { createKeyring } from '@passwordbroker/core/domain/keyring/keyring';
import type { Keyring } from '@passwordbroker/core/domain/keyring/keyring';
import { rekey } from '@passwordbroker/core/domain/keyring/rekey';
import type { RekeyWire } from '@passwordbroker/core/domain/keyring/rekey';
import { readTrustRecord } from '@passwordbroker/core/domain/trust/trust-record';
import type { TrustRecord } from '@passwordbroker/core/domain/trust/trust-record';
import { asGrant } from '../groups/group-answers.ts';
import type { Actor, Deps, Origin } from '../http/context.ts';
import { listEveryGrant } from '../own-keys/rekey-repository.ts';
import { replaceKeys } from '../own-keys/rekey.ts';
import type { NewKeys } from '../own-keys/rekey.ts';
import { ownerOf } from '../platform/passwords/derivation-queue.ts';
import { readKeyBundle } from '../users/keys/key-repository.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';
import { recordOfDatabase } from './trust/first-record.ts';

interface Owner {
  readonly deps: Deps;
  readonly actor: Actor;
  readonly origin: Origin;
}

/**
 * Replaces all keys for a client that cannot make them (docs/spec/api.md §3.4). @throws AppError `conflict`
 * after a concurrent change
 */
export async function renewAllKeys(owner: Owner, old: Keyring, masterPassword: string): Promise<void> {
  const { deps, actor } = owner;
  const bundle = await readKeyBundle(deps.db, actor.userId);
  if (bundle?.keyset?.version !== old.identity.keysetVersion) throw meanwhile();
  const grants = (await listEveryGrant(deps.db.read, actor.userId)).map(asGrant);
  const { kdf } = deps;
  const { documents } = bundle;
  const record = bundle.must_rekey ? null : await openRecord(deps, old, documents);
  const made = await deps.derivations.run(ownerOf(owner), () =>
    rekey(old, { masterPassword, kdf, grants, documents, record }),
  );
  made.keyring.lock();
  await replaceKeys(owner, old.identity.keysetVersion, sendable(made.wire)).catch(asMeanwhile);
}

/** Makes the first keys of an account. */
export async function makeFirstKeys(owner: Owner, masterPassword: string): Promise<void> {
  const { deps, actor } = owner;
  const { keyring, bundle, trust } = await deps.derivations.run(ownerOf(owner), () =>
    createKeyring({ userId: actor.userId, masterPassword, kdf: deps.kdf }),
  );
  keyring.lock();
  await replaceKeys(owner, 0, sendable({ key_bundle: bundle, documents: [trust], grants: [] })).catch(asMeanwhile);
}

function sendable({ key_bundle, documents, grants }: RekeyWire): NewKeys {
  return {
    key_bundle: { ...key_bundle, slots: [...key_bundle.slots] },
    documents: [...documents],
    grants: [...grants],
  };
}

/**
 * For an account of release 1.0 the record of the database. @throws AppError `trust_record_missing`;
 * CryptoError for a damaged one
 */
async function openRecord(deps: Deps, keyring: Keyring, documents: KeyBundle['documents']): Promise<TrustRecord> {
  const [stored, pins] = (['trust', 'pins'] as const).map((sought) => documents.find(({ name }) => name === sought));
  if (stored === undefined && keyring.isMadeWithRecord) throw new AppError('trust_record_missing');
  if (stored === undefined) return recordOfDatabase(deps, keyring, pins);
  return openDocument(keyring, { name: 'trust', n: stored.version }, stored.blob_base64, readTrustRecord);
}

const meanwhile = () => new AppError('conflict', { message: SERVER_TEXTS.keysChanged });

function asMeanwhile(error: unknown): never {
  const isOther = error instanceof AppError && ['slot_conflict', 'rewrap_set_mismatch'].includes(error.code);
  throw isOther ? meanwhile() : error;
}
