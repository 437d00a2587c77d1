/** A command as data: parsing, help, completion and the manual page are made from it. */
import type { Engine } from '../engine/operations.ts';
import { CommandError, EXIT, wrongUsage } from '../failure.ts';
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
