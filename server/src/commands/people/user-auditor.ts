import { setAuditor } from '../../accounts/change-account.ts';
import { COMMAND_LINE, accountOf, besideTheServer } from '../beside.ts';
import { EXIT } from '../command.ts';
import type { Command } from '../command.ts';

export const userAuditor: Command = {
  summary: 'Makes somebody an auditor, or no longer one.',
  details: [
    'An auditor reads the logs, the lists of users, tokens, invitations and backups, and the',
    'settings of the site. He changes nothing of it and downloads no backup.',
  ],
  args: ['e-mail'],
  options: { undo: { help: 'Takes it back.' } },
  run: (call) =>
    besideTheServer(call, async (deps) => {
      const account = await accountOf(deps, call.args[0] ?? '');
      const isAuditor = !call.isOn('undo');
      await setAuditor(deps, { actor: null, origin: COMMAND_LINE }, account.user_id, isAuditor);
      call.terminal.say(`${account.email} is ${isAuditor ? 'an auditor' : 'no auditor'} now.`);
      return EXIT.done;
    }),
};
