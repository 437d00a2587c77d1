/** What the keeper does for the popup, the options and the background. */
import { captureOperations } from './captures.ts';
import { createClipboard } from './clipboard.ts';
import { entryOperations } from './entries.ts';
import { matchingOperations } from './matching.ts';
import { passkeyOperations } from './passkeys.ts';
import { savingOperations } from './saving.ts';
import { sessionOperations } from './session.ts';
import type { KeeperClient } from './start-client.ts';

export type KeeperOperations = ReturnType<typeof keeperOperations>;

export function keeperOperations(client: KeeperClient) {
  return {
    ...sessionOperations(client),
    ...entryOperations(client, createClipboard()),
    ...matchingOperations(client),
    ...passkeyOperations(client),
    ...savingOperations(client),
    ...captureOperations(client),
  };
}
