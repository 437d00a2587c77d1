/** Signing in and out, which use the engine in this process. */
import { spawn } from 'node:child_process';
import { hostname } from 'node:os';
import { me } from '@passwordbroker/core/contract/account/session';
import { AppError } from '@passwordbroker/core/contract/problem';
import { urlOf } from '@passwordbroker/core/domain/url';
import { beginBrowserSignIn } from '@passwordbroker/client/session/program-sign-in';
import { askedFactor, proveFactor } from '@passwordbroker/client/session/second-step';
import { connectAgent } from '../agent/connect.ts';
import { agentNote } from '../agent/agent-address.ts';
import { createNodeClient, type NodeClient } from '../engine/node-platform.ts';
import { openStateFolder } from '../engine/state-folder.ts';
import { EXIT, failureOf, wrongUsage } from '../failure.ts';
import { shown } from '../terminal/output.ts';
import { CODE_QUESTIONS, type Context, TRIES } from './command.ts';

/** Signs in at the server that is given, was chosen before, or is asked for. Ends a running agent. @throws CommandError, AppError */
export async function signIn(context: Context): Promise<void> {
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
}

/** Ends the session that the state folder has, if it has one. @throws NetworkError without a connection */
export async function signOut(state: string): Promise<void> {
  const client = createNodeClient(openStateFolder(state));
  await client.session.check();
  if (client.session.view().status === 'logged-in') await client.session.logOut();
}

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
