/** All commands, in the order of the help. */
import type { Command } from './command.ts';
import { COPY, GET, HISTORY, LS, SEARCH, TOTP } from './read.ts';
import { EXPORT } from './export.ts';
import { IMPORT } from './import.ts';
import { RUN } from './run.ts';
import { SERVICE } from './service.ts';
import { CONFIG, DOCTOR, LOCK, LOGIN, LOGOUT, STATUS, UNLOCK } from './session.ts';
import { ADD, EDIT, GENERATE, GROUP, MEMBERS, MV, RM, SHARE, UNDO, UNSHARE } from './write.ts';
import { manualPage, shellScript, SHELLS } from './help.ts';
import { connectAgent } from '../agent/connect.ts';
import { agentNote } from '../agent/agent-address.ts';
import { wrongUsage } from '../failure.ts';
import { parsePath } from '../references.ts';
import { shown } from '../terminal/output.ts';
import { VERSION } from '@passwordbroker/core/contract/client';

const COMPLETION: Command = {
  name: 'completion',
  usage: SHELLS.join(' | '),
  summary: 'Print a script with which the shell completes commands, options and, while the vault is unlocked, names.',
  takes: [1, 2],
  examples: ['pb completion bash > ~/.local/share/bash-completion/completions/pb'],
  async run({ given, terminal, environment }) {
    const [what, typed] = given;
    if (what === 'paths' && typed !== undefined) return terminal.out(await pathsLike(typed, environment));
    const shell = SHELLS.find((name) => name === what);
    if (shell === undefined || typed !== undefined) throw wrongUsage(`A shell is one of: ${SHELLS.join(', ')}.`);
    terminal.out(shellScript(shell, COMMANDS));
  },
};

/** Called by the scripts: lines that complete a reference. None without an open vault, and none after an error. */
async function pathsLike(typed: string, environment: NodeJS.ProcessEnv): Promise<string> {
  try {
    const agent = await connectAgent(agentNote(environment));
    if (agent === null || agent.isOtherVersion || !(await agent.call('status', undefined)).isUnlocked) return '';
    const elements = parsePath(typed.slice(0, typed.lastIndexOf('/') + 1));
    const rows = await agent.call('list', { elements, isDeep: false });
    agent.end();
    const paths = rows.map(({ kind, path }) => (kind === 'group' ? `${path}/` : path));
    return paths.flatMap((path) => (path.startsWith(typed) ? `${shown(path)}\n` : [])).join('');
  } catch {
    return '';
  }
}

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
  CONFIG,
  DOCTOR,
  COMPLETION,
  MANUAL,
];
