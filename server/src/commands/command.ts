import type { Config } from '../app/config.ts';
import { openDeps } from '../app/deps.ts';
import type { Deps, Origin } from '../http/context.ts';
import { createLog, type Log } from '../platform/log.ts';
import { identityKey, findUserByEmail, type UserRow } from '../users/user-repository.ts';

/** `failed`: the reason is on stderr. */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const;
export type Exit = (typeof EXIT)[keyof typeof EXIT];

interface Option {
  /** Placeholder of its value in the help; absent for a switch. */
  readonly value?: string;
  readonly help: string;
  readonly isRepeatable?: true;
}

export interface Command {
  readonly summary: string;
  /** Whole sentences. */
  readonly details: readonly string[];
  /** Names of the arguments; all are required. */
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, Option>>;
  run(call: Call): Promise<Exit>;
}

export interface Terminal {
  /** Writes a result to stdout. */
  say(line: string): void;
  /** Writes a message to stderr. */
  tell(line: string): void;
  /**
   * Reads a new secret: the first line of stdin with `fromInput`, else typed twice without echo. @throws
   * UsageError
   */
  secret(name: string, fromInput: boolean): Promise<string>;
  /** As `secret`, for an existing one: typed once. @throws UsageError */
  knownSecret(name: string, fromInput: boolean): Promise<string>;
}

export interface Call {
  readonly config: Config;
  readonly terminal: Terminal;
  readonly args: readonly string[];
  /** All values of an option. */
  values(option: string): readonly string[];
  isOn(option: string): boolean;
}

/** Wrong usage of the command. */
export class UsageError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'UsageError';
  }
}

/** The command failed; the message is one sentence for the operator. */
export class CommandError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'CommandError';
  }
}

/** The value of an option. @throws UsageError if it is absent or empty */
export function needed(call: Call, option: string): string {
  const [value = ''] = call.values(option);
  if (value === '') throw new UsageError(`--${option} is needed.`);
  return value;
}

export const passwordOption = {
  'password-stdin': { help: 'Reads the password from the first line of standard input.' },
} as const;

/** The origin in the audit log of everything that the command line does. */
export const COMMAND_LINE: Origin = { address: 'command line', agentHash: null, userAgent: '', client: null };

/** Runs `work` on the database of a server that may be running. Logs nothing without `log`. */
export async function besideTheServer<T>(
  { config }: Pick<Call, 'config'>,
  work: (deps: Deps) => Promise<T>,
  log: Log = createLog('silent'),
): Promise<T> {
  const deps = await openDeps(config, log, { isSecondProcess: true });
  try {
    return await work(deps);
  } finally {
    deps.mailer?.close();
    await deps.db.close();
  }
}

/** @throws CommandError if there is no such account */
export async function accountOf(deps: Deps, email: string): Promise<UserRow> {
  const found = await findUserByEmail(deps.db, identityKey(email));
  if (found === undefined) throw new CommandError(`There is no account with the e-mail ${JSON.stringify(email)}.`);
  return found;
}
