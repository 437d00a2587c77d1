/** Reads the arguments and runs the command. */
import { constants } from 'node:os';
import { parseArgs } from 'node:util';
import { connectAgent } from './agent/connect.ts';
import { agentNote } from './agent/agent-address.ts';
import { type Command, type Context, type Options, unlock, withProgress } from './commands/command.ts';
import { COMMANDS } from './commands/commands.ts';
import { helpOf, helpOfCommand, SHARED_OPTIONS } from './commands/help.ts';
import { systemClipboard } from './engine/clipboard.ts';
import type { Asked } from './engine/node-platform.ts';
import type { CallOptions, Engine, InputOf, OperationName, OutputOf } from './engine/operations.ts';
import { openStateFolder } from './engine/state-folder.ts';
import { CommandError, EXIT, failureOf, LOCKED, wrongUsage } from './failure.ts';
import { SERVICE_VARIABLES } from './run/variables.ts';
import type { Terminal } from './terminal/terminal.ts';
import { VERSION } from '@passwordbroker/core/contract/client';

/** @returns the exit code */
export async function runCommandLine(
  arguments_: readonly string[],
  environment: NodeJS.ProcessEnv,
  terminal: Terminal,
): Promise<number> {
  try {
    return await run(arguments_, environment, terminal);
  } catch (error) {
    const { exit, ...told } = failureOf(error);
    const own = arguments_.includes('--') ? arguments_.slice(0, arguments_.indexOf('--')) : arguments_;
    terminal.note(own.includes('--json') ? JSON.stringify({ error: told }) : told.message);
    return exit;
  }
}

async function run(arguments_: readonly string[], environment: NodeJS.ProcessEnv, terminal: Terminal): Promise<number> {
  const [name, ...rest] = arguments_;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    terminal.out(helpOf(COMMANDS));
    return name === undefined ? EXIT.usage : EXIT.done;
  }
  if (name === '--version') {
    terminal.out(`${VERSION}\n`);
    return EXIT.done;
  }
  const command = COMMANDS.find((one) => one.name === name);
  if (command === undefined) throw wrongUsage(`There is no command “${name}”. All of them: pb --help`);
  const { values, given } = parsed(command, rest);
  if (values['help'] === true) {
    terminal.out(helpOfCommand(command));
    return EXIT.done;
  }
  const [least, most] = command.takes;
  if (given.length < least || given.length > most) throw wrongUsage(`Use: pb ${name} ${command.usage}`);
  const engines: Engine[] = [];
  const running = new Set<Promise<unknown>>();
  const stopListening = onSignals(terminal, running);
  const isOwn = values['no-agent'] === true;
  const context: Context = {
    terminal,
    environment,
    given,
    options: optionsOf(values),
    isJson: values['json'] === true,
    isQuiet: values['quiet'] === true,
    isYes: values['yes'] === true,
    async engine(needs) {
      const engine = await engineOf(environment, terminal, needs, isOwn, running);
      engines.push(engine);
      const isSilent = values['quiet'] === true;
      const call: Engine['call'] = (operation, input, asked) => {
        const work = engine.call(operation, input, asked);
        return isSilent || asked?.onProgress !== undefined ? work : withProgress(terminal, work);
      };
      return { call, end: () => engine.end() };
    },
  };
  try {
    return (await command.run(context)) ?? EXIT.done;
  } finally {
    for (const engine of engines) engine.end();
    stopListening();
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * A signal ends the process with 128 + its number; the first one after the changes that run in this process.
 * @returns stops that
 */
function onSignals(terminal: Terminal, running: ReadonlySet<Promise<unknown>>): () => void {
  let isEnding = false;
  const onSignal = (signal: NodeJS.Signals) => {
    // A program of `run` gets it instead.
    if (process.listenerCount(signal) > 1) return;
    const end = () => process.exit(128 + constants.signals[signal]);
    if (isEnding) end();
    isEnding = true;
    terminal.note(running.size === 0 ? 'Interrupted.' : 'Interrupted. What has begun is finished first.');
    void Promise.allSettled(running).then(end);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
}

/** Options that would carry a secret, which other programs and the shell's history would see. */
const SECRETS = /^--(?:password|master-password|token|value|secret-value)(?:=|$)/;
const NO_SECRETS =
  'Secrets do not go into the command line: other programs and the shell’s history see it. Use the prompt, --value-stdin or --value-file.';

type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

/** @throws CommandError */
function parsed(command: Command, rest: readonly string[]): { values: Values; given: readonly string[] } {
  const split = command.takesCommand === true ? rest.indexOf('--') : -1;
  const own = split === -1 ? rest : rest.slice(0, split);
  if (own.some((argument) => SECRETS.test(argument))) throw wrongUsage(NO_SECRETS);
  const options = Object.fromEntries(
    Object.entries({ ...command.options, ...SHARED_OPTIONS }).map(([name, { type, short, multiple }]) => [
      name,
      { type, ...(short === undefined ? {} : { short }), ...(multiple === undefined ? {} : { multiple }) },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({ args: [...own], options, allowPositionals: true });
    if (command.takesCommand !== true) return { values, given: positionals };
    if (positionals.length > 0 || (split === -1 && values['help'] !== true))
      throw wrongUsage(`Use: pb ${command.name} ${command.usage}`);
    return { values, given: split === -1 ? [''] : rest.slice(split + 1) };
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw wrongUsage(`${error instanceof Error ? error.message : String(error)} Explained: pb ${command.name} --help`);
  }
}

function optionsOf(values: Values): Options {
  const text = (name: string) => {
    const value = values[name];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    text,
    texts(name) {
      const value = values[name];
      return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
    },
    is: (name) => values[name] === true,
    number(name, otherwise, least, most) {
      const given = text(name);
      const number = given === undefined ? otherwise : Number(given);
      if (given === '' || !Number.isInteger(number) || number < least || number > most)
        throw wrongUsage(`--${name} takes a number from ${least} to ${most}.`);
      return number;
    },
  };
}

/** They change nothing, so they can be left at any time. */
const READS: ReadonlySet<OperationName> = new Set<OperationName>([
  'status',
  'unlock',
  'list',
  'search',
  'reveal',
  'code',
  'codes',
  'history',
  'members',
  'words',
  'detectFile',
  'readFile',
  'readOpened',
  'services',
]);

async function engineOf(
  environment: NodeJS.ProcessEnv,
  terminal: Terminal,
  needs: 'signed in' | 'unlocked',
  isOwn: boolean,
  running: Set<Promise<unknown>>,
): Promise<Engine> {
  if (SERVICE_VARIABLES.some((name) => (environment[name] ?? '') !== '')) {
    const { createServiceEngine, serviceSource } = await import('./engine/engine.ts');
    const service = serviceSource(environment);
    if (service !== null) return createServiceEngine(service, environment, (sentence) => terminal.note(sentence));
  }
  const note = agentNote(environment);
  if (!isOwn) {
    const agent = await connectAgent(note);
    if (agent !== null && !agent.isOtherVersion) return agent;
    agent?.end();
  }
  const { createNodeClient, operationsOf } = await import('./engine/engine.ts');
  const client = createNodeClient(openStateFolder(note.state));
  const operations = operationsOf(client, systemClipboard());
  const stays = new AbortController().signal;
  const engine: Engine = {
    async call<Name extends OperationName>(name: Name, input: InputOf<Name>, options: CallOptions = {}) {
      const operation = operations[name] as (input: InputOf<Name>, asked: Asked) => Promise<OutputOf<Name>>;
      const { signal = stays, onProgress = () => undefined } = options;
      const work = operation(input, { signal, gone: stays, onProgress });
      if (READS.has(name)) return work;
      running.add(work);
      return work.finally(() => running.delete(work));
    },
    end: () => client.keyring.lock(),
  };
  if (needs === 'signed in') return engine;
  await operations.status();
  if (!isOwn) throw new CommandError(EXIT.locked, 'locked', LOCKED);
  await unlock(terminal, (masterPassword) => engine.call('unlock', { masterPassword }));
  return engine;
}
