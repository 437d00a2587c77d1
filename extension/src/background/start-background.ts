/** Listeners of the background. All are registered at once: the browser starts it for an event. */
import { api } from '../browser-api.ts';
import { answerCall, type Call, isOurs, isRequest } from '../calls.ts';
import type { KeeperOperations } from '../keeper/operations.ts';
import { backgroundOperations } from './operations.ts';
import { CAPTURED, createSaves } from './saves.ts';

const LOOK = 'look';
const FILL = 'fill';

interface Background {
  readonly keeper: Call<KeeperOperations>;
  /** Whether the keeper runs: if not, nothing is unlocked. */
  readonly isStarted: () => Promise<boolean>;
  /** Between looks whether the vault has to be locked. */
  readonly lookMinutes: number;
}

export function startBackground({ keeper, isStarted, lookMinutes }: Background): void {
  const saves = createSaves({ keeper, isStarted });
  const operations = backgroundOperations(keeper, saves);

  api.runtime.onMessage.addListener((message, sender, answer) => {
    if (!isRequest(message) || sender.id !== api.runtime.id) return undefined;
    // The only message that a script in a page may send. It gets no answer.
    if (message.name === CAPTURED) void saves.onCaptured(message.input, sender);
    if (!isOurs(sender)) return undefined;
    void answerCall(operations, message, describe).then(answer);
    return true;
  });

  async function look(isScreenLocked: boolean) {
    if (await isStarted()) await keeper('look', { isScreenLocked });
    await saves.refreshMark();
  }
  void api.alarms.create(LOOK, { periodInMinutes: lookMinutes });
  api.alarms.onAlarm.addListener(({ name }) => {
    if (name === LOOK) void look(false);
  });
  api.idle.onStateChanged.addListener((state) => {
    if (state === 'locked') void look(true);
  });

  api.permissions.onAdded.addListener(({ origins = [] }) => void saves.onPermissions(origins, []));
  api.permissions.onRemoved.addListener(({ origins = [] }) => void saves.onPermissions([], origins));
  api.runtime.onInstalled.addListener(({ reason }) => {
    if (reason === 'update') void saves.restore();
  });

  api.commands.onCommand.addListener((command, tab) => {
    if (command === FILL) void operations.fillOnly(tab);
  });
}

const describe = (failure: unknown) => ({
  code: failure instanceof Error && 'code' in failure ? String(failure.code) : 'failed',
  text: failure instanceof Error ? failure.message : String(failure),
});
