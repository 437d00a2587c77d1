import type { BodyOf, PlainBodyOf } from '@passwordbroker/core/contract/endpoint';
import type { User } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { register } from '@passwordbroker/core/contract/users/users';
import type { RequestContext } from '../http/context.ts';
import type { RefusedBody } from '../http/route.ts';
import type { FieldTexts } from '../http/validation.ts';
import { examinePerson, makeKeys, personOf, personTexts, sentKeys, storeAccount } from './new-account.ts';
import type { Joining } from './new-account.ts';
import { hasUsers } from './user-repository.ts';

type SealedSignUp = BodyOf<typeof register>;
type PlainSignUp = PlainBodyOf<typeof register>;

/**
 * Anyone may register the first user, then only site admins. @throws AppError `unauthenticated`, `forbidden`
 */
export async function mayRegister({ deps, actor }: RequestContext): Promise<void> {
  if (!(await hasUsers(deps.db))) return;
  if (actor === null) throw new AppError('unauthenticated');
  if (!actor.isAdmin) throw new AppError('forbidden');
}

const joiningOf = ({ actor }: RequestContext): Joining => ({ by: actor === null ? 'first sign-up' : 'site admin' });

/** Errors that the schema does not report. */
export const alsoWrongWithPerson = async (context: RequestContext, refused: RefusedBody): Promise<FieldTexts> =>
  personTexts(context.deps, personOf(refused), joiningOf(context));

/** The client created the keys. */
export async function registerSealed(context: RequestContext, { user }: SealedSignUp): Promise<User> {
  const joining = joiningOf(context);
  await examinePerson(context.deps, user, joining);
  return inTurn(context, async () => storeAccount(context, user, await sentKeys(context.deps, user), joining));
}

/** The server creates the keys. */
export async function registerPlain(context: RequestContext, { user }: PlainSignUp): Promise<User> {
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
