import { parseArgs } from 'node:util';
import { AppError } from '@passwordbroker/core/contract/problem';
import { ConfigError, readConfig } from '../app/config.ts';
import { DataDirShared } from '../db/data-folder.ts';
import { SchemaError } from '../db/schema/migrate.ts';
import { DataDirInUse, NoDatabase } from '../db/sqlite/connections.ts';
import { MoveRefused } from '../moving/move-to-server.ts';
import { NotEmpty } from '../seed/seed.ts';
import { CommandError, EXIT, UsageError, type Command, type Exit, type Terminal } from './command.ts';
import { COMMANDS } from './commands.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Runs the command that the arguments name; reports all errors on the terminal. */
export async function runCommandLine(
  args: readonly string[],
  environment: Environment,
  terminal: Terminal,
): Promise<Exit> {
  const found = findCommand(args);
  if (found === null) {
    const isAsked = isHelp(args[0]) || (isFamily(args[0]) && isHelp(args[1]));
    if (isAsked) terminal.say(HELP);
    else terminal.tell(HELP);
    return isAsked ? EXIT.done : EXIT.usage;
  }
  const { name, command, rest } = found;
  try {
    const parsed = parse(command, rest);
    if (parsed === null) {
      terminal.say(helpOf(name, command));
      return EXIT.done;
    }
    return await command.run({ config: readConfig(environment), terminal, ...parsed });
  } catch (error) {
    terminal.tell(sentenceOf(error));
    if (!(error instanceof UsageError)) return EXIT.failed;
    terminal.tell(`Try: npx passwordbroker ${name} --help`);
    return EXIT.usage;
  }
}

const isHelp = (word: string | undefined) => word === '--help' || word === '-h' || word === 'help';

/** The first word of a command of two words. */
const isFamily = (word = '') => Object.keys(COMMANDS).some((name) => name.startsWith(`${word} `));

/** The command that the first one or two words name. */
function findCommand(args: readonly string[]) {
  for (const words of [2, 1]) {
    const name = args.slice(0, words).join(' ');
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (command !== undefined && args.length >= words) return { name, command, rest: args.slice(words) };
  }
  return null;
}

/** Null if help was requested. @throws UsageError, which never repeats an argument: it may be a secret */
function parse(command: Command, rest: readonly string[]) {
  if (rest.some(isHelp)) return null;
  if (rest.some((word) => /^--(master-)?password(=|$)/.test(word))) {
    throw new UsageError(
      'A password is no argument: every account of this machine can read arguments. Use --password-stdin.',
    );
  }
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple: true },
    ]),
  );
  const { values, positionals } = parseOrRefuse({ args: [...rest], options, allowPositionals: true });
  if (positionals.length !== command.args.length) {
    throw new UsageError(
      command.args.length === 0
        ? 'It takes no arguments.'
        : `It takes ${command.args.map((name) => `<${name}>`).join(' ')}.`,
    );
  }
  const given = (name: string) => [values[name] ?? []].flat();
  for (const [name, { value, isRepeatable }] of Object.entries(command.options)) {
    if (value !== undefined && isRepeatable !== true && given(name).length > 1) {
      throw new UsageError(`--${name} is given more than once.`);
    }
  }
  return {
    args: positionals,
    values: (option: string) => given(option).map(String),
    isOn: (option: string) => given(option).includes(true),
  };
}

function parseOrRefuse(input: Parameters<typeof parseArgs>[0]) {
  try {
    return parseArgs(input);
  } catch {
    throw new UsageError('An option is unknown or lacks its value.');
  }
}

/** The message of an error for a person; a stack only for unexpected errors. */
function sentenceOf(error: unknown): string {
  if (error instanceof ConfigError) {
    return `The configuration is wrong:\n${error.problems.map((problem) => `  - ${problem}`).join('\n')}`;
  }
  if (error instanceof AppError) {
    const texts = Object.values(error.errors ?? {}).flat();
    return texts.length === 0 ? error.message : texts.join('\n');
  }
  const EXPECTED = [
    UsageError,
    CommandError,
    NotEmpty,
    SchemaError,
    DataDirInUse,
    DataDirShared,
    NoDatabase,
    MoveRefused,
  ];
  if (EXPECTED.some((kind) => error instanceof kind)) return (error as Error).message;
  return error instanceof Error ? (error.stack ?? error.message) : 'Something went wrong.';
}

const column = (rows: readonly (readonly [string, string])[]) => {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`).join('\n');
};

const HELP = `Usage: npx passwordbroker <command>

Commands:
${column(Object.entries(COMMANDS).map(([name, { summary }]) => [name, summary]))}

  <command> --help tells more about one of them.

The configuration is that of the server: DATA_DIR and the other variables of the
environment. All but migrate, seed and backup restore may be used while the server runs.

Exit codes: 0 done, 1 not done (the reason is on stderr), 2 wrong usage.`;

function helpOf(name: string, { summary, details, args, options }: Command): string {
  const named = args.map((arg) => ` <${arg}>`).join('');
  const rows = Object.entries(options).map(([option, { value, help }]): [string, string] => [
    `--${option}${value === undefined ? '' : ` <${value}>`}`,
    help,
  ]);
  return [
    `Usage: npx passwordbroker ${name}${named}${rows.length === 0 ? '' : ' [options]'}`,
    '',
    summary,
    ...details,
    ...(rows.length === 0 ? [] : ['', column(rows)]),
  ].join('\n');
}
