/** run: a program with secrets in its environment. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { basename } from 'node:path';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { CommandError, EXIT, wrongUsage } from '../failure.ts';
import { filledIn, readEnvFile, SERVICE_VARIABLES, templatesOf, type Template } from '../run/variables.ts';
import { formsOf, masker } from '../run/masking.ts';
import { shown } from '../terminal/output.ts';
import type { Reference } from '../references.ts';
import type { Command, Context } from './command.ts';

export const RUN: Command = {
  name: 'run',
  usage: '[-e FILE]… [--label NAME] [--mask|--no-mask] -- COMMAND…',
  summary: 'Run a program. References in its environment are replaced by their values.',
  options: {
    // Node 20 reads --env-file itself and ends if there is no such file.
    'env-file': {
      type: 'string',
      short: 'e',
      multiple: true,
      value: 'FILE',
      help: 'further variables, KEY=VALUE in lines',
    },
    label: { type: 'string', value: 'NAME', help: 'name in the history; else CI_JOB_NAME or the name of the program' },
    mask: { type: 'boolean', help: 'hide the values in the output of the program' },
    'no-mask': { type: 'boolean', help: 'do not hide them; the default on a terminal' },
  },
  takes: [1, 10_000],
  takesCommand: true,
  examples: ['DB_PASSWORD=pb://ops/db/password pb run -- ./migrate', 'pb run -e .env -- npm start'],
  async run(context) {
    const variables = variablesOf(context);
    const templates = templatesOf(variables);
    const values = await valuesOf(context, templates);
    const env: NodeJS.ProcessEnv = Object.fromEntries(variables);
    // The program gets values, not what opens more of them.
    for (const name of SERVICE_VARIABLES) delete env[name];
    for (const template of templates)
      env[template.name] = filledIn(template, (reference) => values.get(reference.text) ?? '');
    return start(context, env, [...values.values()]);
  },
};

/** The own environment, then each file. @throws CommandError */
function variablesOf({ environment, options }: Context): ReadonlyMap<string, string> {
  const variables = new Map<string, string>();
  for (const [name, value] of Object.entries(environment)) if (value !== undefined) variables.set(name, value);
  for (const file of options.texts('env-file'))
    for (const [name, value] of readEnvFile(file, readText(file))) variables.set(name, value);
  return variables;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw wrongUsage(`${file} cannot be read.`);
  }
}

/** By reference as written; each is revealed once. */
async function valuesOf(context: Context, templates: readonly Template[]): Promise<ReadonlyMap<string, string>> {
  const references = new Map<string, Reference>();
  for (const part of templates.flatMap(({ parts }) => parts))
    if (typeof part !== 'string') references.set(part.text, part);
  if (references.size === 0) return new Map();
  const engine = await context.engine('unlocked');
  const values = await engine.call('reveal', {
    references: [...references.values()],
    use: { purpose: 'run', label: nameOf(context) },
    withSecrets: true,
  });
  engine.end();
  return new Map([...references.keys()].map((text, at) => [text, textOf(text, values[at]?.text)]));
}

/** For the history: `--label`, the job of a pipeline, or the program; what could fake another line is escaped. */
const nameOf = ({ options, environment, given }: Context): string =>
  [options.text('label'), environment['CI_JOB_NAME'], basename(given[0] ?? '')]
    .map((name = '') =>
      shown(name.trim())
        .slice(0, LIMITS.releaseLabel)
        .replaceAll(/\p{Surrogate}/gu, '')
        .trim(),
    )
    .find((name) => name !== '') ?? 'a program';

function textOf(reference: string, text: string | null | undefined): string {
  if (text === null || text === undefined) throw wrongUsage(`${reference} is a file and cannot be a variable.`);
  return text;
}

function start(
  { given, options, terminal }: Context,
  env: NodeJS.ProcessEnv,
  values: readonly string[],
): Promise<number> {
  const [file = '', ...arguments_] = given;
  const isMasked = options.is('mask') || (!options.is('no-mask') && !terminal.isTerminal);
  const child = spawn(file, arguments_, { env, stdio: isMasked ? ['inherit', 'pipe', 'pipe'] : 'inherit' });
  const forms = formsOf(values);
  const ended = [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ].map(([from, to]) =>
    from === null || to === null
      ? Promise.resolve()
      : maskInto(from as NodeJS.ReadableStream, to as NodeJS.WritableStream, forms),
  );
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2', 'SIGWINCH'] as const;
  // From a terminal the child gets ^C and ^\ itself, as this process does, which waits for it.
  const isSentToBoth = (signal: NodeJS.Signals) =>
    (signal === 'SIGINT' || signal === 'SIGQUIT') && terminal.canAsk() && isInForeground();
  const forward = (signal: NodeJS.Signals) => {
    if (!isSentToBoth(signal)) child.kill(signal);
  };
  for (const signal of signals) process.on(signal, forward);
  return new Promise((resolve, reject) => {
    child.on('error', () => reject(new CommandError(EXIT.failed, 'no_command', `“${file}” cannot be started.`)));
    child.on('exit', (code, signal) => {
      for (const one of signals) process.off(one, forward);
      void Promise.all(ended).then(() => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
    });
  });
}

/** Whether the terminal sends its signals to the group of this process. Where the system does not tell, it is assumed. */
function isInForeground(): boolean {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const [, , ownGroup, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return ownGroup === foreground;
  } catch {
    return true;
  }
}

async function maskInto(
  from: NodeJS.ReadableStream,
  to: NodeJS.WritableStream,
  forms: readonly Buffer[],
): Promise<void> {
  const masking = masker(forms);
  for await (const chunk of from) if (!to.write(masking.add(Buffer.from(chunk)))) await once(to, 'drain');
  to.write(masking.end());
}
