import { offboard, offboardingOf } from '../../accounts/offboard.ts';
import { COMMAND_LINE, accountOf, besideTheServer } from '../beside.ts';
import { EXIT } from '../command.ts';
import type { Command } from '../command.ts';

export const userOffboard: Command = {
  summary: 'Ends the access of somebody who leaves, and lists the groups that are left.',
  details: [
    'Ends all sessions, tokens, open invitations and roles of the site, and disables the',
    'account. Memberships are ended by the admins of the groups, who are listed: each group',
    'gets a new key then, which only their clients can make. It may be run again.',
  ],
  args: ['e-mail'],
  options: { 'keep-enabled': { help: 'Leaves the account enabled.' } },
  run: (call) =>
    besideTheServer(call, async (deps) => {
      const { terminal } = call;
      const { user_id, email } = await accountOf(deps, call.args[0] ?? '');
      const disable = !call.isOn('keep-enabled');
      const ended = await offboard(deps, { actor: null, origin: COMMAND_LINE }, user_id, { disable });
      const { user, groups, gets_backups } = await offboardingOf(deps, null, user_id);
      const counts = `${ended.sessions} session(s), ${ended.tokens} token(s), ${ended.invitations} invitation(s)`;
      terminal.say(`${email}: ${counts} ended. The account is ${user.disabled === true ? 'disabled' : 'enabled'}.`);
      if (gets_backups) terminal.say('Mails about backups still go to this address: change it on the backup page.');
      if (groups.length > 0) terminal.say(`Member of ${groups.length} group(s) still:`);
      for (const { name, role, admins } of groups) {
        const names = admins.map((admin) => admin.name).join(', ');
        terminal.say(
          `  ${JSON.stringify(name)} (${role}), ${names === '' ? 'no other admin' : `administered by ${names}`}`,
        );
      }
      return EXIT.done;
    }),
};
