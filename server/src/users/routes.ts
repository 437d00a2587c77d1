import {
  optOutOfServerCrypto,
  readDocument,
  removeSlot,
  replaceSlot,
  writeDocument,
} from '@passwordbroker/core/contract/account/own-keys';
import * as people from '@passwordbroker/core/contract/users/people';
import { AppError } from '@passwordbroker/core/contract/problem';
import * as users from '@passwordbroker/core/contract/users/users';
import { on, type Route, type RefusedBody } from '../http/route.ts';
import { readAccount, searchPeople } from './find-people.ts';
import { unlinkedIds } from '../identity/local-sign-in/local-sign-in.ts';
import {
  readOwnDocument,
  writeOwnDocument,
  removeOwnSlot,
  replaceOwnSlot,
  replacedVersion,
} from './keys/slots-and-documents.ts';
import { listCertificates, listPresentCertificates } from './keys/key-repository.ts';
import { releaseKeyBundle } from './keys/key-bundle.ts';
import { demandSetupToken } from './setup-token.ts';
import { recordEvent } from '../audit/audit-log.ts';
import { readsSite } from '../http/auth/authorise.ts';
import type { Actor, Deps, RequestContext } from '../http/context.ts';
import { writeOptOut, hasUsers, withoutFactorIds } from './user-repository.ts';
import type { BodyOf, PlainBodyOf, QueryOf } from '@passwordbroker/core/contract/endpoint';
import type { User } from '@passwordbroker/core/contract/entities';
import type { register } from '@passwordbroker/core/contract/users/users';
import type { FieldTexts } from '../http/validation.ts';
import { examinePerson, makeKeys, personOf, personTexts, sentKeys, storeAccount, type Joining } from './new-account.ts';

export const routes: readonly Route[] = [
  on(
    users.register,
    {
      sealed: (context) => registerSealed(context, context.body),
      plain: (context) => registerPlain(context, context.body),
    },
    {
      permit: mayRegister,
      demand: demandSetupToken,
      moreBodyErrors: moreErrorsOfPerson,
      errorKeys: { 'user.username': 'user.name' },
    },
  ),
  on(people.search, async ({ deps, actor, query }) =>
    searchPeople(deps, actor, query, await filteredIds(deps, actor, query.only)),
  ),
  on(people.get, ({ deps, params }) => readAccount(deps, params.id)),
  on(users.certificates, async ({ deps, params }) => {
    const [certificate, ...previous] = await listCertificates(deps.db, params.id);
    if (certificate === undefined) throw new AppError('not_found');
    return { certificate, previous };
  }),
  on(users.certificatesOf, async ({ deps, query }) => ({
    certificates: await listPresentCertificates(deps.db, query.user_ids),
  })),
  on(users.keyBundle, (context) => releaseKeyBundle(context, context.actor, context.query)),
  on(readDocument, (context) => readOwnDocument(context)),
  on(optOutOfServerCrypto, (context) => setOptOut(context, context.body.status)),
  on(replaceSlot, (context) => replaceOwnSlot(context), {
    // A missing header is reported first.
    permit: async (request) => void replacedVersion(request),
  }),
  on(removeSlot, (context) => removeOwnSlot(context), {
    permit: async (request) => void replacedVersion(request),
  }),
  on(writeDocument, (context) => writeOwnDocument(context), {
    permit: async (request) => void replacedVersion(request),
  }),
];

/** The server then refuses the caller's master password (docs/spec/api.md §3.4). */
async function setOptOut(
  { deps, actor, origin }: RequestContext & { readonly actor: Actor },
  status: boolean,
): Promise<{ status: boolean }> {
  await deps.db.transact(async (tx) => {
    await writeOptOut(tx, actor.userId, status, deps.clock.now());
    const details = { server_crypto_opt_out: status };
    await recordEvent(tx, deps, { event_type: 'settings_changed', actor, origin, ...ofUser(actor), details });
  });
  return { status };
}

const ofUser = ({ userId }: Actor) => ({ target_type: 'user', target_id: userId });

type SealedSignUp = BodyOf<typeof register>;
type PlainSignUp = PlainBodyOf<typeof register>;

/**
 * Anyone may register the first user, then only site admins. @throws AppError `unauthenticated`, `forbidden`
 */
async function mayRegister({ deps, actor }: RequestContext): Promise<void> {
  if (!(await hasUsers(deps.db))) return;
  if (actor === null) throw new AppError('unauthenticated');
  if (!actor.isAdmin) throw new AppError('forbidden');
}

const joiningOf = ({ actor }: RequestContext): Joining => ({ by: actor === null ? 'first sign-up' : 'site admin' });

/** Errors that the schema does not report. */
async function moreErrorsOfPerson(context: RequestContext, refused: RefusedBody): Promise<FieldTexts> {
  return personTexts(context.deps, personOf(refused), joiningOf(context));
}

/** The client created the keys. */
async function registerSealed(context: RequestContext, { user }: SealedSignUp): Promise<User> {
  const joining = joiningOf(context);
  await examinePerson(context.deps, user, joining);
  return inTurn(context, async () => storeAccount(context, user, await sentKeys(context.deps, user), joining));
}

/** The server creates the keys. */
async function registerPlain(context: RequestContext, { user }: PlainSignUp): Promise<User> {
  const joining = joiningOf(context);
  await examinePerson(context.deps, user, joining);
  return inTurn(context, async () =>
    storeAccount(context, user, await makeKeys(context, user.master_password), joining),
  );
}

/** One first sign-up at a time, so that concurrent ones do not all derive keys. */
async function inTurn({ deps, actor }: RequestContext, register: () => Promise<User>): Promise<User> {
  if (actor !== null) return register();
  return deps.firstSignUps.run(async () => {
    if (await hasUsers(deps.db)) throw new AppError('unauthenticated');
    return register();
  });
}

/** The accounts that `only` asks for; null without it. @throws AppError `forbidden` for callers who see no accounts */
async function filteredIds(
  deps: Deps,
  actor: Actor,
  only: QueryOf<typeof people.search>['only'],
): Promise<ReadonlySet<string> | null> {
  if (only === undefined) return null;
  if (!readsSite(actor)) throw new AppError('forbidden');
  const { read } = deps.db;
  const queries = {
    without_factor: () => withoutFactorIds(read),
    unlinked: () => unlinkedIds(deps),
    break_glass: () => read.selectFrom('users').select('user_id').where('break_glass', '=', 1),
  };
  const rows = await (await queries[only]()).execute();
  return new Set(rows.map(({ user_id }) => user_id));
}
