import { create } from '@passwordbroker/core/contract/users/invites';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import { examine, refuseFindings } from '../../http/validation.ts';
import { invite } from '../../invites/invites.ts';
import { hasUsers } from '../../users/user-repository.ts';
import { COMMAND_LINE, besideTheServer } from '../beside.ts';
import { CommandError, EXIT } from '../command.ts';
import type { Command } from '../command.ts';

export const inviteSomebody: Command = {
  summary: 'Invites somebody and prints the link, once. It is mailed, too, where mail is configured.',
  details: ['The link is for this address, works once, and ends an earlier invitation of the address.'],
  args: ['e-mail'],
  options: { name: { value: 'name', help: 'What the person will be called; absent, he chooses.' } },
  async run(call) {
    const [username] = call.values('name');
    const read = examine(create.body.schema, { user: { email: call.args[0], username } });
    refuseFindings(read);
    return besideTheServer(call, async (deps) => {
      // An invited person is no site admin, so the site would have none.
      if (!(await hasUsers(deps.db))) throw new CommandError('There is no account yet: begin with user add.');
      const body = read.value as BodyOf<typeof create>;
      const {
        inviteLinkUrl,
        invite: made,
        mail_sent,
      } = await invite({ deps, actor: null, origin: COMMAND_LINE, body });
      call.terminal.say(inviteLinkUrl);
      call.terminal.tell(`For ${made.email}, until ${made.expires_at}.`);
      if (deps.mailer !== null) call.terminal.tell(mail_sent ? 'It was mailed.' : 'It could not be mailed.');
      return EXIT.done;
    });
  },
};
