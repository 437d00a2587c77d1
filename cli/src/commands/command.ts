/** A command as data: parsing, help, completion and the manual page are made from it. */
import { readFileSync } from 'node:fs';
import { requirePrivate } from '../engine/state-folder.ts';
import type { Engine } from '../engine/operations.ts';
import { CommandError, EXIT, failureOf, wrongUsage } from '../failure.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface Option {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  readonly multiple?: true;
  /** 'SECONDS' */
  readonly value?: string;
  readonly help: string;
}

export interface Command {
  readonly name: string;
  /** 'REF [-n]' */
  readonly usage: string;
  readonly summary: string;
  readonly options?: Readonly<Record<string, Option>>;
  /** Least and most arguments. */
  readonly takes: readonly [least: number, most: number];
  /** Its arguments are groups, entries or fields, which the shell completes while the vault is unlocked. */
  readonly completesPaths?: true;
  /** Everything behind `--` is the command to run. */
  readonly takesCommand?: true;
  readonly examples: readonly string[];
  readonly run: (context: Context) => Promise<number | void>;
}

export interface Context {
  readonly terminal: Terminal;
  readonly environment: NodeJS.ProcessEnv;
  readonly given: readonly string[];
  readonly options: Options;
  /** Output for programs. */
  readonly isJson: boolean;
  /** Without progress and notices. */
  readonly isQuiet: boolean;
  /** Questions are answered with yes. */
  readonly isYes: boolean;
  /**
   * Where operations run: the agent, or this process. @param needs `unlocked` asks for the master password with
   * `--no-agent`. @throws CommandError if the vault is locked
   */
  engine(needs: 'signed in' | 'unlocked'): Promise<Engine>;
}

export interface Options {
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
  is(name: string): boolean;
  /** @throws CommandError unless it is a whole number within the bounds */
  number(name: string, otherwise: number, least: number, most: number): number;
}

/** One JSON document, or lines for people. */
export function print({ isJson, terminal }: Context, value: unknown, lines: () => string): void {
  terminal.out(isJson ? `${JSON.stringify(value, null, 2)}\n` : lines());
}

/** @throws CommandError if the person says no, or cannot be asked */
export async function agree({ terminal, isYes }: Context, question: string): Promise<void> {
  if (isYes) return;
  if (!terminal.canAsk()) throw wrongUsage('Nobody can be asked here. Add --yes.');
  const answer = await terminal.ask(`${question} [y/N]`);
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new CommandError(EXIT.givenUp, 'given_up', 'Nothing was changed.');
}

/** How often a secret is asked for. */
export const TRIES = 3;

/**
 * Runs the call, once more after the person has confirmed the account password where the server asks for that.
 * @throws CommandError with exit 9 if nobody can be asked
 */
export async function withFreshSignIn<T>({ terminal }: Context, engine: Engine, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (failureOf(error).code !== 'reauth_required') throw error;
  }
  if (!terminal.canAsk())
    throw new CommandError(
      EXIT.notSignedIn,
      'reauth_required',
      'This needs a sign-in of the last ten minutes: pb login',
    );
  const [method] = await engine.call('codesToConfirm', undefined);
  terminal.note('Confirm that it is you.');
  for (let left = TRIES; ; left -= 1) {
    const password = await terminal.ask('Account password', { isSecret: true });
    const code = method === undefined ? null : await terminal.ask(CODE_QUESTIONS[method], { isSecret: true });
    try {
      await engine.call('confirmSignIn', { password, code });
      break;
    } catch (error) {
      const { code: problem, message } = failureOf(error);
      if (problem !== 'validation' || left === 1) throw error;
      terminal.note(message);
    }
  }
  return call();
}

export const CODE_QUESTIONS = { totp: 'One-time code', recovery: 'Recovery code' } as const;

/** A new password: typed twice, or from a file of this account alone. @throws CommandError */
export async function newSecret({ terminal }: Context, question: string, file: string | undefined): Promise<string> {
  if (file !== undefined) return secretIn(file);
  for (let left = TRIES; ; left -= 1) {
    const secret = await terminal.ask(question, { isSecret: true });
    const isSame = secret !== '' && secret === (await terminal.ask('Repeat it', { isSecret: true }));
    if (isSame) return secret;
    const problem = secret === '' ? 'It is empty.' : 'The two are not the same.';
    if (left === 1) throw new CommandError(EXIT.usage, 'no_password', problem);
    terminal.note(problem);
  }
}

function secretIn(file: string): string {
  requirePrivate(file);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)).replace(/\r?\n$/, '');
  } catch {
    throw wrongUsage(`${file} is no text in UTF-8 that can be read.`);
  }
  if (text === '' || /[\r\n]/.test(text)) throw wrongUsage(`${file} is not one line with a password.`);
  return text;
}

/** Asks for the master password up to three times. @throws CommandError with exit 3 */
export async function unlock(terminal: Terminal, open: (masterPassword: string) => Promise<void>): Promise<void> {
  for (let left = TRIES; ; left -= 1) {
    const masterPassword = await terminal.ask('Master password', { isSecret: true, without: EXIT.locked });
    try {
      return await withProgress(terminal, open(masterPassword));
    } catch (error) {
      const failure = failureOf(error);
      if (left === 1 || failure.code !== 'wrong_master_password') throw error;
      terminal.note(failure.message);
    }
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A signal cancels the work, which then ends by itself; a second one ends the command at once. */
export async function withCancel<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const cancel = () => stop.abort();
  for (const signal of SIGNALS) process.once(signal, cancel);
  try {
    return await work(stop.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, cancel);
  }
}

const BEAT_MS = 500;

/** Shows on a terminal that something goes on that takes more than a second. */
export async function withProgress<T>(terminal: Terminal, work: Promise<T>): Promise<T> {
  if (!terminal.hasProgress) return work;
  const began = Date.now();
  const show = () => terminal.progress(`Working… ${Math.round((Date.now() - began) / 1000)} s`);
  show();
  const timer = setInterval(show, BEAT_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    terminal.progress(null);
  }
}
