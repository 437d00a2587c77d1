/** Sign-up (`api.md` §3.2): the first user by himself, later ones by a site admin. */
import type { User } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { SIGN_UP_TEXTS } from '@passwordbroker/core/contract/users';
import type { NewKeyBundle, register } from '@passwordbroker/core/contract/users';
import type { BodyOf, PlainBodyOf } from '@passwordbroker/core/contract/endpoint';
import { isEmail } from '@passwordbroker/core/domain/email';
import { createKeyring } from '@passwordbroker/core/domain/keyring';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { recordEvent } from '../audit/audit-log.ts';
import { brokenUniqueness } from '../db/failures.ts';
import type { Transact } from '../db/database.ts';
import type { RequestContext } from '../http/context.ts';
import { grantSession } from '../identity/grant-session.ts';
import { hashAccountPassword } from '../platform/argon2.ts';
import { ATTEMPT_LIMITS, countAttempt, uncountAttempt } from '../platform/attempts.ts';
import { sameText } from '../platform/secrets.ts';
import { identityKey } from './identity-key.ts';
import { checkFirstKeyBundle } from './key-bundle-check.ts';
import { insertKeys } from './key-repository.ts';
import { asUser, hasUsers, isEmailTaken, insertUser, isNameTaken } from './user-repository.ts';
import { newPasswordTexts } from './password-rules.ts';
import type { UserRow } from './user-repository.ts';

type SealedSignUp = BodyOf<typeof register>;
type PlainSignUp = PlainBodyOf<typeof register>;
type Person = Pick<SealedSignUp['user'], 'username' | 'email' | 'password' | 'password_confirmation'>;

/** Anyone while nobody has signed up, then site admins. */
export async function mayRegister({ deps, actor }: RequestContext): Promise<void> {
  if (!(await hasUsers(deps.db))) return;
  if (actor === null) throw new AppError('unauthenticated');
  if (!actor.isAdmin) throw new AppError('forbidden');
}

/** Throws `setup_token_invalid` when whoever wants to be the first does not bring the setup token of this site, where it has one. */
export async function demandSetupToken(
  context: RequestContext,
  { setup_token: inBody }: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { deps, actor, origin } = context;
  const demanded = deps.config.setupToken;
  if (demanded === null || actor !== null) return;
  const key = `setup-token:${origin.address}`;
  await countAttempt(deps, key, ATTEMPT_LIMITS.setupToken);
  const given = inBody ?? context.header('x-setup-token');
  if (typeof given !== 'string' || !sameText(given, demanded)) throw new AppError('setup_token_invalid');
  await deps.db.transact((tx) => uncountAttempt(tx, key));
}

/** From a client that made the keys by itself. */
export async function registerSealed(context: RequestContext, { user }: SealedSignUp): Promise<User> {
  await examinePerson(context, user, {});
  const fingerprint = await checkFirstKeyBundle(user.key_bundle, user.user_id, context.deps.kdf);
  return store(context, user, { userId: user.user_id, bundle: user.key_bundle, fingerprint, isExposed: false });
}

/** From a client that leaves it to us: the master password is used here once and forgotten. */
export async function registerPlain(context: RequestContext, { user }: PlainSignUp): Promise<User> {
  const { deps, actor } = context;
  await examinePerson(context, user, masterPasswordTexts(user));
  const userId = deps.newId();
  const { bundle, fingerprint } = await deps.derivations.run(async () => {
    // Of many at once only the first has to pay for keys.
    if (actor === null && (await hasUsers(deps.db))) throw new AppError('unauthenticated');
    const made = await createKeyring({ userId, masterPassword: user.master_password, kdf: deps.kdf });
    made.keyring.lock();
    return { bundle: { ...made.bundle, slots: [...made.bundle.slots] }, fingerprint: made.keyring.fingerprint };
  });
  return store(context, user, { userId, bundle, fingerprint, isExposed: true });
}

type Texts = Record<string, string[]>;

function masterPasswordTexts(user: PlainSignUp['user']): Texts {
  const texts: Texts = {};
  if (Buffer.byteLength(user.master_password.normalize('NFKC')) > LIMITS.masterPasswordBytes) {
    texts['user.master_password'] = [tooLong('master password', LIMITS.masterPasswordBytes)];
  }
  if (user.master_password_confirmation !== user.master_password) {
    texts['user.master_password_confirmation'] = [SIGN_UP_TEXTS.masterPasswordMismatch];
  }
  return texts;
}

const tooLong = (label: string, max: number) => `The ${label} is too long (at most ${max} characters).`;

/** Throws 422 for whatever is wrong with the person. */
async function examinePerson({ deps, actor }: RequestContext, person: Person, more: Texts): Promise<void> {
  const texts: Texts = {};
  if (!isEmail(person.email)) texts['user.email'] = [SIGN_UP_TEXTS.emailBad];
  Object.assign(texts, newPasswordTexts(person, 'user.'));
  // The first one finds nobody; whoever comes at the same moment must not learn what he is called.
  if (actor !== null) {
    if (await isNameTaken(deps.db, identityKey(person.username))) texts['user.name'] = [SIGN_UP_TEXTS.nameTaken];
    if (await isEmailTaken(deps.db, identityKey(person.email))) texts['user.email'] = [SIGN_UP_TEXTS.emailTaken];
  }
  const errors = { ...texts, ...more };
  if (Object.keys(errors).length > 0) throw new AppError('validation', { errors });
}

interface NewKeys {
  readonly userId: string;
  readonly bundle: NewKeyBundle;
  readonly fingerprint: string;
  /** Whether the master password was on this server. */
  readonly isExposed: boolean;
}

async function store(context: RequestContext, person: Person, keys: NewKeys): Promise<User> {
  const { deps, actor } = context;
  const password_hash = await deps.derivations.run(() => hashAccountPassword(person.password));
  const now = deps.clock.now();
  const row: UserRow = {
    user_id: keys.userId,
    name: person.username,
    name_key: identityKey(person.username),
    email: person.email,
    email_key: identityKey(person.email),
    password_hash,
    is_admin: actor === null ? 1 : 0,
    first_user: actor === null ? 1 : null,
    epoch: 1,
    mp_exposed_at: keys.isExposed ? now : null,
    must_rekey: actor === null ? 0 : 1,
    server_crypto_opt_out: 0,
    keyset_version: keys.bundle.certificate.keyset_version,
    created_at: now,
    updated_at: now,
    disabled_at: null,
  };
  const handOut = await deps.db
    .transact((tx) => storeIn(tx, context, row, keys))
    .catch((error: unknown) => {
      throw asRefusal(error, actor === null);
    });
  handOut();
  return asUser(row);
}

async function storeIn(tx: Transact, context: RequestContext, row: UserRow, keys: NewKeys): Promise<() => void> {
  const { deps, origin } = context;
  await insertUser(tx, row);
  await insertKeys(tx, row.user_id, keys.bundle, keys.fingerprint, row.created_at);
  const actor = context.actor ?? { userId: row.user_id, email: row.email };
  const target = { target_type: 'user', target_id: row.user_id };
  await recordEvent(tx, deps, { event_type: 'user_created', actor, ...target, origin });
  if (keys.isExposed) await recordEvent(tx, deps, { event_type: 'mp_used_on_server', actor, ...target, origin });
  // A site admin keeps his own session; the first user is signed in.
  if (context.actor !== null) return () => {};
  return grantSession(tx, deps, context, row);
}

/** Two at once are told apart by the constraints of the tables, not by looking first. */
function asRefusal(error: unknown, isFirst: boolean): unknown {
  switch (brokenUniqueness(error)) {
    case null:
      return error;
    case 'users.name_key':
      return isFirst
        ? new AppError('unauthenticated')
        : new AppError('validation', { errors: { 'user.name': [SIGN_UP_TEXTS.nameTaken] } });
    case 'users.email_key':
      return isFirst
        ? new AppError('unauthenticated')
        : new AppError('validation', { errors: { 'user.email': [SIGN_UP_TEXTS.emailTaken] } });
    case 'users.first_user':
      return new AppError('unauthenticated');
    default:
      return isFirst ? new AppError('unauthenticated') : new AppError('id_taken');
  }
}
