import { serveConnections, type Operations } from '../calls.ts';
import { describe } from './failure.ts';
import { keeperOperations } from './operations.ts';
import { startClient } from './start-client.ts';

/** Calls that are no use by a person: they do not keep the vault open. */
const QUIET = new Set(['captured', 'look', 'pendingSave', 'status']);

/** Makes the engine and answers connections. @returns the operations, for a background in the same page */
export function serveKeeper() {
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
  return operations;
}
