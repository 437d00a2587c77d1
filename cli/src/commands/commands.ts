/** All commands, in the order of the help. */
import type { Command } from './command.ts';
import { COPY, GET, HISTORY, LS, SEARCH, TOTP } from './read.ts';
import { EXPORT } from './export.ts';
import { IMPORT } from './import.ts';
import { RUN } from './run.ts';
import { SERVICE } from './service.ts';
import { LOCK, LOGIN, LOGOUT, STATUS, UNLOCK } from './session.ts';
import { ADD, EDIT, GENERATE, GROUP, MEMBERS, MV, RM, SHARE, UNDO, UNSHARE } from './write.ts';
import { manualPage, shellScript, SHELLS } from './help.ts';
import { wrongUsage } from '../failure.ts';
import { VERSION } from '@passwordbroker/core/contract/client';

const COMPLETION: Command = {
  name: 'completion',
  usage: SHELLS.join(' | '),
  summary: 'Print a script with which the shell completes commands and options.',
  takes: [1, 1],
  examples: ['pb completion bash > ~/.local/share/bash-completion/completions/pb'],
  run: async ({ given, terminal }) => {
    const shell = SHELLS.find((name) => name === given[0]);
    if (shell === undefined) throw wrongUsage(`A shell is one of: ${SHELLS.join(', ')}.`);
    terminal.out(shellScript(shell, COMMANDS));
  },
};

const MANUAL: Command = {
  name: 'manual',
  usage: '',
  summary: 'Print the manual page.',
  takes: [0, 0],
  examples: ['pb manual | man -l -'],
  run: async ({ terminal }) => terminal.out(manualPage(COMMANDS, VERSION)),
};

export const COMMANDS: readonly Command[] = [
  LOGIN,
  LOGOUT,
  UNLOCK,
  LOCK,
  STATUS,
  LS,
  SEARCH,
  GET,
  COPY,
  TOTP,
  ADD,
  EDIT,
  MV,
  RM,
  UNDO,
  HISTORY,
  GROUP,
  MEMBERS,
  SHARE,
  UNSHARE,
  GENERATE,
  IMPORT,
  EXPORT,
  SERVICE,
  RUN,
  COMPLETION,
  MANUAL,
];
