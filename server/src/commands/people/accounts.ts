import * as people from '@passwordbroker/core/contract/users/people';
import { examine, refuseFindings } from '../../http/validation.ts';
import { addAccount } from '../../users/add-account.ts';
import {
  COMMAND_LINE,
  besideTheServer,
  accountOf,
  EXIT,
  needed,
  passwordOption,
  type Command,
  CommandError,
} from '../command.ts';
import { setAuditor, setAdmin, releaseSignIn } from '../../accounts/change-account.ts';
import { offboard, offboardingOf } from '../../accounts/offboard.ts';
import { resetKeys, soleGroupsOf } from '../../accounts/leave.ts';
import { create } from '@passwordbroker/core/contract/users/invites';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import { invite } from '../../invites/invites.ts';
import { hasUsers } from '../../users/user-repository.ts';
import { AppError } from '@passwordbroker/core/contract/problem';
import { factorsOf, resetFactors } from '../../identity/factors/reset.ts';
import { listAllTokens, revokeTokenOf } from '../../identity/credentials.ts';

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

export const userFactors: Command = {
  summary: 'Says which second factors somebody has, or resets them.',
  details: [
    'A reset removes all of them, and passkeys, ends sessions and tokens, and prints one recovery',
    'code, good for 72 hours: with it and the account password its owner signs in and sets up a new factor.',
  ],
  args: ['e-mail'],
  options: { reset: { help: 'Resets them, and prints the code, once.' } },
  run: (call) =>
    besideTheServer(call, async (deps) => {
      const { terminal } = call;
      const { user_id, email } = await accountOf(deps, call.args[0] ?? '');
      if (!call.isOn('reset')) {
        const { factor_state, factor_due_at, totp, passkeys, recovery_codes_left } = await factorsOf(deps, user_id);
        terminal.say(`state\t${factor_state}`);
        terminal.say(`authenticator app\t${totp ? 'yes' : 'no'}`);
        terminal.say(`security keys\t${passkeys}`);
        terminal.say(`recovery codes left\t${recovery_codes_left}`);
        terminal.say(`needed from\t${factor_due_at ?? 'not needed'}`);
        return EXIT.done;
      }
      const reset = await resetFactors(deps, { actor: null, origin: COMMAND_LINE }, user_id).catch((error: unknown) => {
        if (!(error instanceof AppError) || error.code !== 'no_factors') throw error;
        throw new CommandError(`${email} has no second factor.`);
      });
      terminal.say(reset.recovery_code);
      terminal.tell(`For ${email}, until ${reset.expires_at}. Hand it over in person.`);
      return EXIT.done;
    }),
};

/** For a forgotten master password (docs/spec/decisions.md K6). */
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

export const tokenList: Command = {
  summary: 'Lists the living tokens of everybody.',
  details: ['One per line, tabs between: id, owner, name, scopes, last use, end.'],
  args: [],
  options: {},
  run: (call) =>
    besideTheServer(call, async (deps) => {
      for (const { token_id, user, name, scopes, last_used_at, expires_at } of await listAllTokens(deps))
        call.terminal.say([token_id, user.email, name, scopes.join(' '), last_used_at, expires_at].join('\t'));
      return EXIT.done;
    }),
};

export const tokenRevoke: Command = {
  summary: 'Ends a token of anybody.',
  details: ['token list prints the ids. The owner is told by mail, where mail is configured.'],
  args: ['id'],
  options: {},
  run: (call) =>
    besideTheServer(call, async (deps) => {
      const [id = ''] = call.args;
      try {
        await revokeTokenOf(deps, { actor: null, origin: COMMAND_LINE }, id.toLowerCase());
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
        throw new CommandError(`There is no token with the id ${JSON.stringify(id)}.`);
      }
      call.terminal.say('The token has ended.');
      return EXIT.done;
    }),
};
