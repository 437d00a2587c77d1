import type { User, KeyBundle } from '@passwordbroker/core/contract/entities';
import type { changeMasterPassword } from '@passwordbroker/core/contract/account/own-keys';
import type { PlainBodyOf } from '@passwordbroker/core/contract/endpoint';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { SIGN_UP_TEXTS } from '@passwordbroker/core/contract/users/users';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import {
  changeMasterPassword as rewriteSlot,
  createKeyring,
  type Keyring,
} from '@passwordbroker/core/domain/keyring/keyring';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { recordEvent } from '../audit/audit-log.ts';
import type { ReceivedBody } from '../http/body/body.ts';
import type { Actor, Context, Deps, Origin } from '../http/context.ts';
import type { FieldTexts } from '../http/validation.ts';
import { giveNotice } from '../mail/outbox-repository.ts';
import { ownerOf } from '../platform/passwords/derivation-queue.ts';
import { readKeyBundle, storeSlot } from '../users/keys/key-repository.ts';
import { masterPasswordWeakness } from '../users/password-rules.ts';
import { asUser, findUser } from '../users/user-repository.ts';
import { isMasterPasswordGiven, withCallerKeyring } from './caller-keyring.ts';
import { recordingUse } from './master-password-use.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';
import { openDocument } from '@passwordbroker/core/domain/keyring/documents';
import { rekey, type RekeyWire } from '@passwordbroker/core/domain/keyring/rekey';
import { readTrustRecord, type TrustRecord } from '@passwordbroker/core/domain/trust/trust-record';
import { asGrant } from '../groups/group-answers.ts';
import { listEveryGrant } from '../own-keys/rekey-repository.ts';
import { replaceKeys, type RekeyBody } from '../own-keys/rekey.ts';
import { recordOfDatabase } from './trust/first-record.ts';

type Changing = Context<typeof changeMasterPassword, PlainBodyOf<typeof changeMasterPassword>>;

/** Problems with the passwords, except whether the current one is right. */
export function newMasterPasswordTexts(
  { members }: Pick<ReceivedBody, 'members'>,
  actor: Pick<Actor, 'hasKeys'> | null,
): FieldTexts {
  const texts: FieldTexts = {};
  if (actor?.hasKeys !== false && !isMasterPasswordGiven(members['master_password'])) {
    texts['master_password'] = ['MasterPassword is missing'];
  }
  const wanted = members['new_master_password'] ?? '';
  if (wanted === '') texts['new_master_password'] = [SIGN_UP_TEXTS.masterPasswordEmpty];
  else if (typeof wanted !== 'string') texts['new_master_password'] = [TEXTS.text(LABEL)];
  else if (/\0|\p{Surrogate}/u.test(wanted)) texts['new_master_password'] = [TEXTS.malformed(LABEL)];
  else if (Buffer.byteLength(wanted.normalize('NFKC')) > LIMITS.masterPasswordBytes) {
    texts['new_master_password'] = [TEXTS.tooLong(LIMITS.masterPasswordBytes)(LABEL)];
  }
  if ((members['new_master_password_confirmation'] ?? '') !== wanted) {
    texts['new_master_password_confirmation'] = [SIGN_UP_TEXTS.masterPasswordMismatch];
  }
  return texts;
}

const LABEL = 'new master password';

/**
 * Rewrites the password slot (docs/spec/api.md §3.4); replaces all keys if requested or exposed.
 * @throws AppError as `withCallerKeyring`; `conflict` after a concurrent change; `validation` under the
 * strict policy
 */
export async function changeOwnMasterPassword(context: Changing): Promise<User> {
  const { deps, actor, origin, body } = context;
  const wanted = body.new_master_password;
  if (typeof wanted !== 'string') throw new Error('The new master password was not examined');
  const about = [actor.name, actor.email];
  const weakness = await masterPasswordWeakness(deps, { masterPassword: wanted, about });
  if (weakness !== null) throw refuse('new_master_password', weakness);
  if (actor.hasKeys) {
    const account = await findUser(deps.db, actor.userId);
    const isWhole = body.rotate_keys === true || account?.must_rekey === 1;
    await withCallerKeyring(context, body.master_password, (opened) =>
      isWhole
        ? renewAllKeys({ deps: opened.deps, actor, origin }, opened.keyring, wanted)
        : rewriteOwnSlot(context, opened.deps, wanted),
    );
  } else {
    await makeFirstKeys({ deps: recordingUse(deps, { actor, origin }), actor, origin }, wanted);
  }
  const user = await findUser(deps.db, actor.userId);
  if (user === undefined) throw new AppError('unauthenticated');
  return asUser(user);
}

async function rewriteOwnSlot({ deps, actor, origin, body }: Changing, opened: Deps, wanted: string): Promise<void> {
  const bundle = await readKeyBundle(deps.db, actor.userId);
  const present = bundle?.slots.find(({ slot_type }) => slot_type === 'password');
  if (bundle === undefined || present === undefined || typeof body.master_password !== 'string') {
    throw new AppError('conflict', { message: SERVER_TEXTS.noKeys });
  }
  const oldMasterPassword = body.master_password;
  const { slot_id, kdf, salt_base64, blob_base64 } = await deps.derivations
    .run(ownerOf({ actor, origin }), () =>
      rewriteSlot({ bundle, oldMasterPassword, newMasterPassword: wanted, kdf: deps.kdf }),
    )
    .catch(asMeanwhile);
  const [salt, blob] = [Buffer.from(salt_base64, 'base64'), Buffer.from(blob_base64, 'base64')];
  const slot = { slot_id, slot_type: 'password' as const, kdf, salt, blob };
  await opened.db
    .transact(async (tx) => {
      await storeSlot(tx, { userId: actor.userId, slot, version: present.version, now: deps.clock.now() });
      await recordEvent(tx, deps, { event_type: 'keys_changed', actor, origin, details: { slot: 'password' } });
      await giveNotice(tx, deps, 'master password changed', { to: actor, origin });
    })
    .catch(asMeanwhile);
}

/** The master password was right before: it has been changed concurrently. */
function asMeanwhile(error: unknown): never {
  const isOther =
    (error instanceof CryptoError && error.code === 'commit') ||
    (error instanceof AppError && error.code === 'slot_conflict');
  throw isOther ? new AppError('conflict', { message: SERVER_TEXTS.masterPasswordChanged }) : error;
}

interface Owner {
  readonly deps: Deps;
  readonly actor: Actor;
  readonly origin: Origin;
}

/**
 * Replaces all keys for a client that cannot make them (docs/spec/api.md §3.4).
 * @throws AppError `conflict` if keys, documents or groups have changed meanwhile; then nothing has changed
 */
async function renewAllKeys(owner: Owner, old: Keyring, masterPassword: string): Promise<void> {
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
  await replaceKeys(owner, old.identity.keysetVersion, sendable(made.wire)).catch(asKeysChanged);
}

/** For an account without keys: no password to check, nothing to carry over. */
async function makeFirstKeys(owner: Owner, masterPassword: string): Promise<void> {
  const { deps, actor } = owner;
  const { keyring, bundle, trust } = await deps.derivations.run(ownerOf(owner), () =>
    createKeyring({ userId: actor.userId, masterPassword, kdf: deps.kdf }),
  );
  keyring.lock();
  await replaceKeys(owner, 0, sendable({ key_bundle: bundle, documents: [trust], grants: [] })).catch(asKeysChanged);
}

/** As the parsed body of the sealed call. */
function sendable({ key_bundle, documents, grants }: RekeyWire): RekeyBody {
  return {
    key_bundle: { ...key_bundle, slots: [...key_bundle.slots] },
    documents: [...documents],
    grants: [...grants],
  };
}

/**
 * The stored trust record; for an account of release 1.0 that of the database.
 * @throws AppError `trust_record_missing`; CryptoError for a damaged one
 */
async function openRecord(deps: Deps, keyring: Keyring, documents: KeyBundle['documents']): Promise<TrustRecord> {
  const [stored, pins] = (['trust', 'pins'] as const).map((sought) => documents.find(({ name }) => name === sought));
  if (stored === undefined && keyring.isMadeWithRecord) throw new AppError('trust_record_missing');
  if (stored === undefined) return recordOfDatabase(deps, keyring, pins);
  return openDocument(keyring, { name: 'trust', n: stored.version }, stored.blob_base64, readTrustRecord);
}

const meanwhile = () => new AppError('conflict', { message: SERVER_TEXTS.keysChanged });

function asKeysChanged(error: unknown): never {
  const isOther = error instanceof AppError && ['slot_conflict', 'rewrap_set_mismatch'].includes(error.code);
  throw isOther ? meanwhile() : error;
}
