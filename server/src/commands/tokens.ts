import { AppError } from '@passwordbroker/core/contract/problem';
import { listAllTokens, revokeTokenOf } from '../identity/credentials.ts';
import { COMMAND_LINE, besideTheServer } from './beside.ts';
import { CommandError, EXIT, type Command } from './command.ts';

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
