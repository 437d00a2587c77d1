/** login, logout, unlock, lock, status. */
import { spawn } from 'node:child_process';
import { hostname } from 'node:os';
import { me } from '@passwordbroker/core/contract/account/session';
import { AppError } from '@passwordbroker/core/contract/problem';
import { urlOf } from '@passwordbroker/core/domain/url';
import { beginBrowserSignIn } from '@passwordbroker/client/session/program-sign-in';
import { askedFactor, proveFactor } from '@passwordbroker/client/session/second-step';
import { connectAgent, startAgent } from '../agent/connect.ts';
import { agentNote } from '../agent/agent-address.ts';
import { createNodeClient, type NodeClient } from '../engine/node-platform.ts';
import { forgetState, openStateFolder } from '../engine/state-folder.ts';
import { CommandError, EXIT, failureOf, LOCKED, NOT_SIGNED_IN, wrongUsage } from '../failure.ts';
import { shown } from '../terminal/output.ts';
import { CODE_QUESTIONS, type Command, type Context, print, TRIES, unlock } from './command.ts';

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
    const { terminal, environment, given, options, isQuiet } = context;
    const note = agentNote(environment);
    const client = createNodeClient(openStateFolder(note.state));
    const url =
      given[0] ??
      client.servers.chosen() ??
      (await terminal.ask('Server, for example https://vault.example.org', WITHOUT));
    const origin = originOf(url);
    if (options.is('browser') || !(await takesPasswords(context, client, origin)))
      await signInByBrowser(context, client, origin);
    else await signInByPassword(context, client, origin);
    // An agent would go on with the former account.
    await (await connectAgent(note))?.stop();
    const { user } = client.session.view();
    if (!isQuiet) terminal.note(`Signed in as ${user?.name ?? ''} at ${origin}. Unlock the vault: pb unlock`);
  },
};

/** A sign-in that nobody can be asked about. */
const WITHOUT = { without: EXIT.notSignedIn } as const;

/** Names the identity providers of the site. */
async function takesPasswords({ terminal }: Context, { http }: NodeClient, origin: string): Promise<boolean> {
  http.setServer({ origin, token: null });
  const { ways } = await http.call(me);
  if (ways === undefined) return true;
  const names = ways.providers.map(({ name }) => shown(name)).join(', ');
  terminal.note(ways.password ? `To sign in with ${names}: pb login --browser` : `Sign in with ${names}.`);
  return ways.password;
}

async function signInByPassword(context: Context, client: NodeClient, origin: string): Promise<void> {
  const { terminal, options } = context;
  const email = options.text('email') ?? (await terminal.ask('E-mail', WITHOUT));
  const password = await terminal.ask('Account password', { isSecret: true, ...WITHOUT });
  try {
    await client.session.logInAt(origin, email, password);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'second_factor_required') throw error;
    const factor = askedFactor(error);
    const { methods, passkeys } = factor;
    const hasKey = passkeys.usable + passkeys.elsewhere.length > 0;
    if (methods.includes('totp') || !hasKey) {
      const method = methods.includes('totp') ? 'totp' : 'recovery';
      const code = await terminal.ask(CODE_QUESTIONS[method], { isSecret: true, ...WITHOUT });
      await proveFactor(client, factor, { method, code, remember: false });
      return;
    }
    terminal.note('This account signs in with a security key, which a browser asks.');
    await signInByBrowser(context, client, origin);
  }
}

async function signInByBrowser({ terminal, options }: Context, client: NodeClient, origin: string): Promise<void> {
  const begun = await beginBrowserSignIn(client, origin, hostname());
  const { link } = begun;
  terminal.note(`Open this address in a browser and sign in there:\n\n  ${link}\n`);
  terminal.note(`The page has to show ${begun.shown}. Then it gives you a code, for five minutes.`);
  if (options.is('open') && terminal.canAsk()) openBrowser(link, terminal);
  for (let left = TRIES; ; left -= 1) {
    const code = await terminal.ask('Code of the page', { isSecret: true, ...WITHOUT });
    try {
      return await begun.finish(code);
    } catch (error) {
      const { code: problem, message } = failureOf(error);
      if (problem !== 'validation' || left === 1) throw error;
      terminal.note(message);
    }
  }
}

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

function openBrowser(link: string, terminal: Context['terminal']): void {
  const [program, ...before] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...before, link], { detached: true, stdio: 'ignore' });
  child.on('error', () => terminal.note(`No browser was opened: ${program} does not start.`));
  child.unref();
}

/** @throws CommandError unless it is an address of a server: https, or http on this computer */
export function originOf(text: string): string {
  const url = urlOf(text.includes('://') ? text : `https://${text}`);
  if (url === null) throw wrongUsage(`“${text}” is no address.`);
  const { origin, protocol, hostname } = url;
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  if (protocol !== 'https:' && !(protocol === 'http:' && isLocal))
    throw wrongUsage('The address has to begin with https://.');
  return origin;
}

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
    if (!options.is('forget')) return signOut(note.state);
    // Damaged files, or a server that is away, must not keep anybody from removing them.
    await signOut(note.state).catch(() => undefined);
    forgetState(note.state);
  },
};

async function signOut(state: string): Promise<void> {
  const client = createNodeClient(openStateFolder(state));
  await client.session.check();
  if (client.session.view().status === 'logged-in') await client.session.logOut();
}

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
