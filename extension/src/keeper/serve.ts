import { isLocked } from '@passwordbroker/client/keyring/keyring-error';
import { NetworkError } from '@passwordbroker/client/transport/exchange';
import { AppError } from '@passwordbroker/core/contract/problem';
import { type Call, callHere, type Failure, type Operations, serveConnections } from '../calls.ts';
import { Refusal } from '../refusal.ts';
import { EXTENSION_TEXTS as TEXTS } from '../texts/extension.ts';
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

/** What the popup gets of an error: a sentence and a code. */
function describe(failure: unknown): Failure {
  if (failure instanceof AppError && failure.code === 'client_too_old') return { code: 'too_old', text: TEXTS.tooOld };
  if (failure instanceof AppError || failure instanceof Refusal) return { code: failure.code, text: failure.message };
  if (isLocked(failure)) return { code: 'locked', text: TEXTS.lockedMeanwhile };
  if (failure instanceof NetworkError) return { code: 'unreachable', text: TEXTS.unreachable };
  return { code: 'failed', text: failure instanceof Error ? failure.message : String(failure) };
}
