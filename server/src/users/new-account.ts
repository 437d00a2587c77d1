/** Shared by all kinds of sign-up (docs/spec/api.md §3.2, §3.3). */
import type { User } from '@passwordbroker/core/contract/entities';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import { AppError } from '@passwordbroker/core/contract/problem';
import { SIGN_UP_TEXTS } from '@passwordbroker/core/contract/users/users';
import type { FirstDocuments, NewKeyBundle } from '@passwordbroker/core/contract/users/users';
import { isEmail } from '@passwordbroker/core/domain/sign-up-rules';
import { createKeyring } from '@passwordbroker/core/domain/keyring/keyring';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { isDocumentShape } from '@passwordbroker/core/domain/fields/sealed-shape';
import { demandSiteAdmin } from '../accounts/change-account.ts';
import { recordEvent } from '../audit/audit-log.ts';
import { brokenUniqueness } from '../db/failures.ts';
import type { Transact } from '../db/database.ts';
import type { Deps, RequestContext } from '../http/context.ts';
import type { RefusedBody } from '../http/route.ts';
import { memberAt, type FieldTexts } from '../http/validation.ts';
import { factorDueOfNew } from '../identity/factors/policy.ts';
import { demandLocalSignIn, mustLink } from '../identity/local-sign-in/local-sign-in.ts';
import { grantSession } from '../identity/grant-session.ts';
import { proofOfSignUp } from '../identity/sign-in-proof.ts';
import { ownerOf } from '../platform/passwords/derivation-queue.ts';
import { insertDocuments, insertKeys } from './keys/key-repository.ts';
import { identityKey, asUser, insertUser, isEmailTaken, isNameTaken, type UserRow } from './user-repository.ts';
import { checkKeyBundle } from './keys/key-bundle.ts';
import { masterPasswordWeakness, newPasswordTexts } from './password-rules.ts';

/** Seconds. */
const RECOVERY_SECONDS = 5;

export interface NewPerson {
  readonly username: string;
  readonly email: string;
  readonly password: string;
  readonly password_confirmation?: string | undefined;
}

export interface NewMasterPassword {
  readonly master_password: string;
  readonly master_password_confirmation?: string | undefined;
}

export interface Joining {
  readonly by: 'first sign-up' | 'site admin' | 'invitation';
  /** Runs in the transaction with the new account; uses up what works once, such as an invitation. */
  readonly claim?: (tx: Transact, userId: string) => Promise<void>;
}

/** @throws AppError `validation` with all errors */
export async function examinePerson(
  deps: Deps,
  person: NewPerson & Partial<NewMasterPassword>,
  joining: Pick<Joining, 'by'>,
  more: FieldTexts = {},
): Promise<void> {
  const errors = { ...(await personTexts(deps, person, joining)), ...more };
  if (Object.keys(errors).length > 0) throw new AppError('validation', { errors });
}

/** A first sign-up does not check taken names, to reveal nothing about a concurrent one. */
export async function personTexts(
  deps: Deps,
  person: NewPerson & Partial<NewMasterPassword>,
  { by }: Pick<Joining, 'by'>,
): Promise<FieldTexts> {
  const about = [person.username, person.email];
  const texts: FieldTexts = {};
  if (!isEmail(person.email)) texts['user.email'] = [SIGN_UP_TEXTS.emailBad];
  Object.assign(texts, await newPasswordTexts(deps, person, { prefix: 'user.', about }));
  if (person.master_password !== undefined) {
    Object.assign(texts, await masterPasswordTexts(deps, person, person.master_password, about));
  }
  if (by !== 'first sign-up') {
    if (await isNameTaken(deps.db, identityKey(person.username))) texts['user.name'] = [SIGN_UP_TEXTS.nameTaken];
    if (await isEmailTaken(deps.db, identityKey(person.email))) texts['user.email'] = [SIGN_UP_TEXTS.emailTaken];
  }
  return texts;
}

/** Invalid members of the body become ''. */
export function personOf({ members, found }: RefusedBody): NewPerson & Partial<NewMasterPassword> {
  const textOf = (name: string) => {
    const sent = memberAt(members, ['user', name]);
    return typeof sent === 'string' ? sent : '';
  };
  const pair = (name: string) => {
    const password = textOf(name);
    const confirmation = textOf(`${name}_confirmation`);
    return { password, confirmation: confirmation === '' && password !== '' ? undefined : confirmation };
  };
  const [account, master] = [pair('password'), pair('master_password')];
  return {
    username: Object.hasOwn(found, 'user.name') ? '' : textOf('username').trim(),
    email: Object.hasOwn(found, 'user.email') ? '' : textOf('email').trim(),
    password: account.password,
    password_confirmation: account.confirmation,
    ...((memberAt(members, ['user', 'key_bundle']) ?? null) === null && {
      master_password: master.password,
      master_password_confirmation: master.confirmation,
    }),
  };
}

async function masterPasswordTexts(
  deps: Deps,
  { password, master_password_confirmation }: NewPerson & Partial<NewMasterPassword>,
  masterPassword: string,
  about: readonly string[],
): Promise<FieldTexts> {
  const texts: FieldTexts = {};
  if (Buffer.byteLength(masterPassword.normalize('NFKC')) > LIMITS.masterPasswordBytes) {
    texts['user.master_password'] = [TEXTS.tooLong(LIMITS.masterPasswordBytes)('master password')];
  } else {
    const weakness = await masterPasswordWeakness(deps, { masterPassword, password, about });
    if (weakness !== null) texts['user.master_password'] = [weakness];
  }
  if (master_password_confirmation !== masterPassword) {
    texts['user.master_password_confirmation'] = [SIGN_UP_TEXTS.masterPasswordMismatch];
  }
  return texts;
}

export interface NewKeys {
  readonly userId: string;
  readonly bundle: NewKeyBundle;
  readonly fingerprint: string;
  /** Null from clients of release 1.0. */
  readonly trust: Buffer | null;
  /** True if the server has seen the master password. */
  readonly isExposed: boolean;
}

interface SentKeys {
  readonly user_id: string;
  readonly key_bundle: NewKeyBundle;
  readonly documents?: FirstDocuments | undefined;
}

/** @throws AppError `bad_sealed_value` */
export async function sentKeys(deps: Deps, { user_id, key_bundle, documents }: SentKeys): Promise<NewKeys> {
  const expected = { userId: user_id, kdf: deps.kdf, former: null, place: 'user.key_bundle' } as const;
  const { fingerprint } = await checkKeyBundle(key_bundle, expected);
  const [document] = documents ?? [];
  const trust = document === undefined ? null : Buffer.from(document.blob_base64, 'base64');
  if (trust !== null && !isDocumentShape(trust, 'trust')) {
    throw new AppError('bad_sealed_value', { errors: { 'user.documents': [TEXTS.malformed('documents')] } });
  }
  return { userId: user_id, bundle: key_bundle, fingerprint, trust, isExposed: false };
}

/** The master password is not stored. */
export async function makeKeys(context: RequestContext, masterPassword: string): Promise<NewKeys> {
  const { deps } = context;
  const userId = deps.newId();
  return deps.derivations.run(ownerOf(context), async () => {
    const { keyring, bundle, trust } = await createKeyring({ userId, masterPassword, kdf: deps.kdf });
    keyring.lock();
    return {
      userId,
      bundle: { ...bundle, slots: [...bundle.slots] },
      fingerprint: keyring.fingerprint,
      trust: Buffer.from(trust.blob_base64, 'base64'),
      isExposed: true,
    };
  });
}

/**
 * Signs the owner in, unless a site admin created the account.
 * @throws AppError `validation`, `id_taken`, `unauthenticated` if another first sign-up won; `local_sign_in_off`
 */
export async function storeAccount(
  context: RequestContext,
  person: NewPerson,
  keys: NewKeys,
  joining: Joining,
): Promise<User> {
  const { deps } = context;
  const password_hash = await deps.derivations.run(ownerOf(context), () => deps.accountPasswords.hash(person.password));
  const now = deps.clock.now();
  const isFirst = joining.by === 'first sign-up';
  const row: UserRow = {
    user_id: keys.userId,
    name: person.username,
    name_key: identityKey(person.username),
    email: person.email,
    email_key: identityKey(person.email),
    password_hash,
    is_admin: isFirst ? 1 : 0,
    first_user: isFirst ? 1 : null,
    epoch: 1,
    mp_exposed_at: keys.isExposed ? now : null,
    must_rekey: joining.by === 'site admin' ? 1 : 0,
    server_crypto_opt_out: 0,
    keyset_version: keys.bundle.certificate.keyset_version,
    created_at: now,
    updated_at: now,
    disabled_at: null,
    is_auditor: 0,
    factor_state: 'none',
    factor_due_at: null,
    has_password: 1,
    must_link: 0,
    break_glass: 0,
    kind: 'person',
  };
  // Again after the slow derivation: a recovery must not get a new account.
  if (isFirst && (deps.recovery.isRunning || (await deps.recovery.isElsewhere())))
    throw new AppError('unavailable', { retryAfter: RECOVERY_SECONDS });
  const handOut = await deps.db
    .transact((tx) => storeIn(tx, context, row, keys, joining))
    .catch((error: unknown) => {
      throw asRefusal(error, isFirst);
    });
  handOut();
  return asUser(row);
}

async function storeIn(
  tx: Transact,
  context: RequestContext,
  row: UserRow,
  keys: NewKeys,
  { by, claim }: Joining,
): Promise<() => void> {
  const { deps, origin } = context;
  if (by === 'site admin') await demandSiteAdmin(tx, context.actor);
  else await demandLocalSignIn({ ...deps, db: { read: tx } }, row);
  await claim?.(tx, row.user_id);
  await insertUser(tx, {
    ...row,
    must_link: await mustLink(tx),
    factor_due_at: await factorDueOfNew(tx, row.is_admin === 1, row.created_at),
  });
  await insertKeys(tx, row.user_id, keys.bundle, keys.fingerprint, row.created_at);
  const { trust } = keys;
  if (trust !== null) await insertDocuments(tx, [{ user_id: row.user_id, name: 'trust', n: 1, blob: trust }]);
  const isOwn = by !== 'site admin' || context.actor === null;
  const actor = isOwn ? { userId: row.user_id, email: row.email } : context.actor;
  const target = { target_type: 'user', target_id: row.user_id };
  await recordEvent(tx, deps, { event_type: 'user_created', actor, ...target, origin });
  if (keys.isExposed) await recordEvent(tx, deps, { event_type: 'mp_used_on_server', actor, ...target, origin });
  const method = by === 'invitation' ? 'invite' : 'sign-up';
  return isOwn ? grantSession(tx, deps, context, proofOfSignUp(row, method, row.created_at)) : () => {};
}

function asRefusal(error: unknown, isFirst: boolean): unknown {
  const broken = brokenUniqueness(error);
  if (broken === null) return error;
  if (isFirst || broken === 'users.first_user') return new AppError('unauthenticated');
  if (broken === 'users.name_key') {
    return new AppError('validation', { errors: { 'user.name': [SIGN_UP_TEXTS.nameTaken] } });
  }
  if (broken === 'users.email_key') {
    return new AppError('validation', { errors: { 'user.email': [SIGN_UP_TEXTS.emailTaken] } });
  }
  return new AppError('id_taken');
}
