import { releaseSignIn } from '../../accounts/change-account.ts';
import { COMMAND_LINE, accountOf, besideTheServer } from '../beside.ts';
import { EXIT } from '../command.ts';
import type { Command } from '../command.ts';

export const userRelease: Command = {
  summary: 'Lets somebody sign in again whom too many failed sign-ins hold up.',
  details: ['Passwords, keys and sessions stay as they are. A disabled account stays disabled.'],
  args: ['e-mail'],
  options: {},
  run: (call) =>
    besideTheServer(call, async (deps) => {
      const { user_id, email } = await accountOf(deps, call.args[0] ?? '');
      await releaseSignIn(deps, { actor: null, origin: COMMAND_LINE }, user_id);
      call.terminal.say(`Failed sign-ins hold ${email} up no more.`);
      return EXIT.done;
    }),
};
