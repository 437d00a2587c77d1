import * as people from '@passwordbroker/core/contract/users/people';
import { examine, refuseFindings } from '../../http/validation.ts';
import { addAccount } from '../../users/add-account.ts';
import { COMMAND_LINE, besideTheServer } from '../beside.ts';
import { EXIT, needed, passwordOption } from '../command.ts';
import type { Command } from '../command.ts';

export const userAdd: Command = {
  summary: 'Makes an account with an account password.',
  details: [
    'Its owner chooses a master password at the first sign-in: it never comes here. The',
    'first account of a site is its site admin’s.',
  ],
  args: [],
  options: {
    name: { value: 'name', help: 'What the person is called; nobody else may be.' },
    email: { value: 'e-mail', help: 'What the person signs in with.' },
    admin: { help: 'Makes a site admin.' },
    ...passwordOption,
  },
  async run(call) {
    const given = { name: needed(call, 'name'), email: needed(call, 'email') };
    const read = examine(people.update.body.schema, given);
    refuseFindings(read);
    const { name = '', email = '' } = read.value as Partial<typeof given>;
    const password = await call.terminal.secret('Password', call.isOn('password-stdin'));
    return besideTheServer(call, async (deps) => {
      const isAdmin = call.isOn('admin');
      const user = await addAccount(deps, COMMAND_LINE, { name, email, password, isAdmin });
      call.terminal.say(`${user.email} can sign in${user.is_admin ? ' as site admin' : ''}.`);
      return EXIT.done;
    });
  },
};
