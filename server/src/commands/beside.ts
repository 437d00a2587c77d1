import { openDeps } from '../app/deps.ts';
import type { Deps, Origin } from '../http/context.ts';
import { createLog, type Log } from '../platform/log.ts';
import { identityKey, findUserByEmail, type UserRow } from '../users/user-repository.ts';
import { CommandError, type Call } from './command.ts';

/** The origin in the audit log of everything that the command line does. */
export const COMMAND_LINE: Origin = { address: 'command line', agentHash: null, userAgent: '' };

/** Runs `work` on the database of a server that may be running. Logs nothing without `log`. */
export async function besideTheServer<T>(
  { config }: Pick<Call, 'config'>,
  work: (deps: Deps) => Promise<T>,
  log: Log = createLog('silent'),
): Promise<T> {
  const deps = await openDeps(config, log, { beside: true });
  try {
    return await work(deps);
  } finally {
    deps.mailer?.close();
    await deps.db.close();
  }
}

/** @throws CommandError if there is no such account */
export async function accountOf(deps: Deps, email: string): Promise<UserRow> {
  const found = await findUserByEmail(deps.db, identityKey(email));
  if (found === undefined) throw new CommandError(`There is no account with the e-mail ${JSON.stringify(email)}.`);
  return found;
}
