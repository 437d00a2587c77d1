import { setAdmin } from '../../accounts/change-account.ts';
import { COMMAND_LINE, accountOf, besideTheServer } from '../beside.ts';
import { EXIT } from '../command.ts';
import type { Command } from '../command.ts';

export const userPromote: Command = {
  summary: 'Makes somebody a site admin, or no longer one.',
  details: ['The last site admin stays one.'],
  args: ['e-mail'],
  options: { undo: { help: 'Takes it back.' } },
  run: (call) =>
    besideTheServer(call, async (deps) => {
      const account = await accountOf(deps, call.args[0] ?? '');
      const isAdmin = !call.isOn('undo');
      await setAdmin(deps, { actor: null, origin: COMMAND_LINE }, account.user_id, isAdmin);
      call.terminal.say(`${account.email} is ${isAdmin ? 'a site admin' : 'no site admin'} now.`);
      return EXIT.done;
    }),
};
