/** login, logout, unlock, lock, status; config, doctor. */
import { connectAgent, startAgent } from '../agent/connect.ts';
import { agentNote } from '../agent/agent-address.ts';
import { forgetState, openStateFolder } from '../engine/state-folder.ts';
import { CommandError, EXIT, LOCKED, NOT_SIGNED_IN } from '../failure.ts';
import { type Command, print, unlock } from './command.ts';

export const LOGIN: Command = {
  name: 'login',
  usage: '[URL] [--email ADDRESS | --browser [--open]]',
  summary: 'Sign in to a server. Your master password is not asked for.',
  options: {
    email: { type: 'string', value: 'ADDRESS', help: 'sign in as this person' },
    browser: {
      type: 'boolean',
      help: 'sign in by a browser, there with a security key, a passkey or a provider; also one of another computer',
    },
    open: { type: 'boolean', help: 'open the browser of this computer' },
  },
  takes: [0, 1],
  examples: ['pb login https://vault.example.org', 'pb login https://vault.example.org --browser'],
  async run(context) {
    const { signIn } = await import('../engine/engine.ts');
    await signIn(context);
  },
};

export const LOGOUT: Command = {
  name: 'logout',
  usage: '[--forget]',
  summary: 'End the session of this device and lock.',
  options: { forget: { type: 'boolean', help: 'also remove what this device has accepted about people and groups' } },
  takes: [0, 0],
  examples: ['pb logout'],
  async run({ environment, options }) {
    const note = agentNote(environment);
    await (await connectAgent(note))?.stop();
    const { signOut } = await import('../engine/engine.ts');
    if (!options.is('forget')) return signOut(note.state);
    // Damaged files, or a server that is away, must not keep anybody from removing them.
    await signOut(note.state).catch(() => undefined);
    forgetState(note.state);
  },
};

export const UNLOCK: Command = {
  name: 'unlock',
  usage: '[--for MINUTES]',
  summary: 'Open the vault with the master password. An agent keeps it open in the background.',
  options: { for: { type: 'string', value: 'MINUTES', help: 'lock after so many minutes without use (1 to 60)' } },
  takes: [0, 0],
  examples: ['pb unlock', 'pb unlock --for 30'],
  async run({ terminal, environment, options, isQuiet }) {
    const note = agentNote(environment);
    const state = openStateFolder(note.state);
    if ((await state.tokens.all()).length === 0)
      throw new CommandError(EXIT.notSignedIn, 'unauthenticated', NOT_SIGNED_IN);
    if (options.text('for') !== undefined)
      state.plain.setItem('passwordbroker.lock-minutes', String(options.number('for', 10, 1, 60)));
    const running = await connectAgent(note);
    if (running?.isOtherVersion === true) await running.stop();
    const isRunning = running !== null && !running.isOtherVersion;
    const agent = isRunning ? running : await startAgent(note, environment);
    try {
      await unlock(terminal, (masterPassword) => agent.call('unlock', { masterPassword }));
    } catch (error) {
      if (!isRunning) await agent.stop();
      throw error;
    }
    agent.end();
    if (!isQuiet) terminal.note('The vault is unlocked.');
  },
};

export const LOCK: Command = {
  name: 'lock',
  usage: '',
  summary: 'Lock the vault and end the agent.',
  takes: [0, 0],
  examples: ['pb lock'],
  async run({ environment }) {
    await (await connectAgent(agentNote(environment)))?.stop();
  },
};

export const STATUS: Command = {
  name: 'status',
  usage: '',
  summary: 'Say who is signed in where. Exit code 0: unlocked, 3: locked, 9: not signed in.',
  takes: [0, 0],
  examples: ['pb status --json'],
  async run(context) {
    const status = await (await context.engine('signed in')).call('status', undefined);
    print(
      context,
      status,
      () => `${status.name} <${status.email}> at ${status.server}: ${status.isUnlocked ? 'unlocked' : 'locked'}\n`,
    );
    if (!status.isUnlocked) {
      if (!context.isQuiet) context.terminal.note(LOCKED);
      return EXIT.locked;
    }
    return EXIT.done;
  },
};

export const CONFIG: Command = {
  name: 'config',
  usage: 'list | get NAME | set NAME VALUE',
  summary:
    'Choices of this device: server, lock-minutes (without use, 1 to 60), clear-after (seconds until the clipboard is cleared, 5 to 3600).',
  takes: [1, 3],
  examples: ['pb config list', 'pb config get server', 'pb config set lock-minutes 30'],
  async run(context) {
    const { runConfig } = await import('../engine/engine.ts');
    await runConfig(context, `Use: pb config ${CONFIG.usage}`);
  },
};

export const DOCTOR: Command = {
  name: 'doctor',
  usage: '',
  summary: 'Look for what may be wrong on this computer: folder, agent, server, versions, clock, clipboard.',
  takes: [0, 0],
  examples: ['pb doctor'],
  async run(context) {
    const { runDoctor } = await import('../engine/engine.ts');
    return runDoctor(context);
  },
};
