/** What a command of the command line is, and what it gets. */
import type { Config } from '../app/config.ts';

/** Exit codes: done, not done (the reason is on stderr), used wrongly. */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const;
export type Exit = (typeof EXIT)[keyof typeof EXIT];

interface Option {
  /** What stands for its value in the help; absent for a switch. */
  readonly value?: string;
  readonly help: string;
  readonly isRepeatable?: true;
}

export interface Command {
  readonly summary: string;
  /** More about it, in whole sentences. */
  readonly details: readonly string[];
  /** Names of its arguments; every one is needed. */
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, Option>>;
  run(call: Call): Promise<Exit>;
}

/** The terminal. */
export interface Terminal {
  /** A line of what was asked for. */
  say(line: string): void;
  /** A line about it. */
  tell(line: string): void;
  /** A secret: the first line of standard input with `fromInput`, else typed twice without being seen. @throws UsageError */
  secret(name: string, fromInput: boolean): Promise<string>;
  /** As `secret`, for one that exists already: typed once. @throws UsageError */
  knownSecret(name: string, fromInput: boolean): Promise<string>;
}

export interface Call {
  readonly config: Config;
  readonly terminal: Terminal;
  readonly args: readonly string[];
  /** The values of an option, none when it is absent. */
  values(option: string): readonly string[];
  isOn(option: string): boolean;
}

/** The command was not used as its help says. */
export class UsageError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'UsageError';
  }
}

/** The command cannot do it; the message is one sentence for the operator. */
export class CommandError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'CommandError';
  }
}

/** The one value of an option. @throws UsageError when it is absent or empty */
export function needed(call: Call, option: string): string {
  const [value = ''] = call.values(option);
  if (value === '') throw new UsageError(`--${option} is needed.`);
  return value;
}

export const passwordOption = {
  'password-stdin': { help: 'Reads the password from the first line of standard input.' },
} as const;
