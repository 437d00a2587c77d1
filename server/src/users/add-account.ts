import type { User } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { SIGN_UP_TEXTS } from '@passwordbroker/core/contract/users/users';
import { isEmail } from '@passwordbroker/core/domain/sign-up-rules';
import { recordEvent } from '../audit/audit-log.ts';
import { brokenUniqueness } from '../db/failures.ts';
import type { Transact } from '../db/database.ts';
import type { Deps, Origin } from '../http/context.ts';
import type { FieldTexts } from '../http/validation.ts';
import { factorDueOfNew } from '../identity/factors/policy.ts';
import { mustLink } from '../identity/local-sign-in/local-sign-in.ts';
import { ownerOf } from '../platform/passwords/derivation-queue.ts';
import {
  identityKey,
  asUser,
  hasUsers,
  insertUser,
  isEmailTaken,
  isNameTaken,
  type UserRow,
} from './user-repository.ts';
import { newPasswordTexts } from './password-rules.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';

interface NewAccount {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly isAdmin: boolean;
}

/**
 * From the command line, without keys, which need the owner's browser. The first account becomes site admin.
 * @throws AppError `validation`, `conflict`
 */
export async function addAccount(deps: Deps, origin: Origin, account: NewAccount): Promise<User> {
  const errors = await findings(deps, account);
  if (Object.keys(errors).length > 0) throw new AppError('validation', { errors });
  const isFirst = !(await hasUsers(deps.db));
  const now = deps.clock.now();
  const row: UserRow = {
    user_id: deps.newId(),
    name: account.name,
    name_key: identityKey(account.name),
    email: account.email,
    email_key: identityKey(account.email),
    password_hash: await deps.derivations.run(ownerOf({ actor: null, origin }), () =>
      deps.accountPasswords.hash(account.password),
    ),
    is_admin: isFirst || account.isAdmin ? 1 : 0,
    first_user: isFirst ? 1 : null,
    epoch: 1,
    mp_exposed_at: null,
    must_rekey: 0,
    server_crypto_opt_out: 0,
    keyset_version: 0,
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
  await deps.db
    .transact((tx) => store(tx, deps, origin, row))
    .catch((error: unknown) => {
      if (brokenUniqueness(error) === null) throw error;
      throw new AppError('conflict', { message: SERVER_TEXTS.signingUp });
    });
  return asUser(row);
}

async function store(tx: Transact, deps: Deps, origin: Origin, row: UserRow): Promise<void> {
  await insertUser(tx, {
    ...row,
    must_link: await mustLink(tx),
    factor_due_at: await factorDueOfNew(tx, row.is_admin === 1, row.created_at),
  });
  const target = { target_type: 'user', target_id: row.user_id };
  await recordEvent(tx, deps, { event_type: 'user_created', actor: null, origin, ...target });
}

async function findings(deps: Deps, { name, email, password }: NewAccount): Promise<FieldTexts> {
  const about = [name, email];
  const texts = await newPasswordTexts(deps, { password, password_confirmation: password }, { about });
  if (password === '') texts['password'] = [SIGN_UP_TEXTS.passwordEmpty];
  if (!isEmail(email)) texts['email'] = [SIGN_UP_TEXTS.emailBad];
  if (await isNameTaken(deps.db, identityKey(name))) texts['name'] = [SIGN_UP_TEXTS.nameTaken];
  if (await isEmailTaken(deps.db, identityKey(email))) texts['email'] = [SIGN_UP_TEXTS.emailTaken];
  return texts;
}
