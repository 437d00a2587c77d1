/** For a forgotten master password (docs/spec/decisions.md K6). */
import { resetKeys, soleGroupsOf } from '../../accounts/leave.ts';
import { COMMAND_LINE, accountOf, besideTheServer } from '../beside.ts';
import { EXIT } from '../command.ts';
import type { Command } from '../command.ts';

export const userReset: Command = {
  summary: 'Drops somebody’s keys and memberships; he makes new keys at the next sign-in.',
  details: [
    'What only he could open is lost. Groups where he is the only admin have to be named one',
    'by one: those with nobody else in them go to the trash, the others are left without an',
    'admin. Without --yes nothing is done, and the groups are listed.',
  ],
  args: ['e-mail'],
  options: {
    yes: { help: 'Does it.' },
    'confirm-group': { value: 'id', help: 'A group where he is the only admin; once for each.', isRepeatable: true },
  },
  run: (call) =>
    besideTheServer(call, async (deps) => {
      const { terminal } = call;
      const { user_id, email } = await accountOf(deps, call.args[0] ?? '');
      const groups = await soleGroupsOf(deps.db.read, user_id);
      const confirmed = call.values('confirm-group').map((id) => id.toLowerCase());
      const isConfirmed =
        confirmed.length === groups.length && groups.every((group) => confirmed.includes(group.entry_group_id));
      if (call.isOn('yes') && isConfirmed) {
        await resetKeys(deps, { actor: null, origin: COMMAND_LINE }, user_id, confirmed);
        terminal.say(`The keys of ${email} are gone. New ones are made at the next sign-in.`);
        return EXIT.done;
      }
      terminal.tell(`${email} would lose his keys and all memberships. Only admin of ${groups.length} group(s):`);
      for (const { entry_group_id, name, members } of groups) {
        terminal.tell(`  --confirm-group ${entry_group_id}  ${JSON.stringify(name)}, ${members} member(s)`);
      }
      terminal.tell('Nothing was done. It is done with --yes and each of these groups.');
      return EXIT.failed;
    }),
};
