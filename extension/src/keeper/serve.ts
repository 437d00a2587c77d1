import { type Call, callHere, type Operations, serveConnections } from '../calls.ts';
import { describe } from './failure.ts';
import { type KeeperOperations, keeperOperations } from './operations.ts';
import { startClient } from './start-client.ts';

/** Calls that are no use by a person: they do not keep the vault open. */
const QUIET = new Set<string>([
  'captured',
  'look',
  'pendingSave',
  'status',
  'unlockPasskeys',
] satisfies (keyof KeeperOperations)[]);

/** Makes the engine and answers connections. @returns calls for a background in the same page */
export function serveKeeper(): Call<KeeperOperations> {
  const client = startClient();
  const operations = keeperOperations(client);
  const touching = Object.fromEntries(
    Object.entries(operations as Operations).map(([name, run]) => [
      name,
      (input: unknown) => {
        if (!QUIET.has(name)) client.touch();
        return run(input);
      },
    ]),
  );
  serveConnections(touching, describe);
  return callHere(touching, describe);
}
