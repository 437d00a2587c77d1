/** ls, search, get, copy, totp, history. */
import type { FieldHistory, HistoryEvent } from '@passwordbroker/core/contract/entities';
import type { Purpose, Via } from '@passwordbroker/core/contract/faces';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '../engine/operations.ts';
import { wrongUsage } from '../failure.ts';
import type { Code, Row, Value } from '../engine/reading.ts';
import { parsePath, parseReference, type Reference } from '../references.ts';
import { withNewFile } from '../terminal/new-file.ts';
import { shown, table } from '../terminal/output.ts';
import { type Command, type Context, print } from './command.ts';
import { CLEAR_AFTER, clearAfterOf } from '../engine/clipboard.ts';

const DETAILS = { type: 'boolean', short: 'l', help: 'also logins and ids' } as const;

export const LS: Command = {
  name: 'ls',
  usage: '[PATH] [-r] [-l]',
  summary: 'List groups and entries, or the fields of an entry. Never shows a value.',
  options: { recursive: { type: 'boolean', short: 'r', help: 'all levels below' }, long: DETAILS },
  takes: [0, 1],
  completesPaths: true,
  examples: ['pb ls', 'pb ls ops/databases -l'],
  async run(context) {
    const elements = parsePath(context.given[0] ?? '');
    const engine = await context.engine('signed in');
    printRows(context, await engine.call('list', { elements, isDeep: context.options.is('recursive') }));
  },
};

export const SEARCH: Command = {
  name: 'search',
  usage: 'QUERY… [-l]',
  summary: 'Search titles, logins and tags, as in the browser. The first hundred are shown.',
  options: { long: DETAILS },
  takes: [1, 50],
  examples: ['pb search router', 'pb search tag:production postgres'],
  async run(context) {
    const engine = await context.engine('signed in');
    printRows(context, await engine.call('search', { query: context.given.join(' ') }));
  },
};

function printRows(context: Context, rows: readonly Row[]): void {
  const { options, terminal } = context;
  const cells = (row: Row) => {
    const name = row.kind === 'group' ? `${row.path}/` : row.path;
    return options.is('long') ? [name, row.login ?? row.type ?? '', row.id] : [name, row.login ?? row.type ?? ''];
  };
  print(context, rows, () => table(rows.map(cells), terminal.isTerminal ? terminal.columns : null));
}

export const GET: Command = {
  name: 'get',
  usage: 'REF… [-n] [-o FILE]',
  summary: 'Write a value to standard output. The server records that you opened it.',
  options: {
    'no-newline': { type: 'boolean', short: 'n', help: 'no line break behind the value' },
    output: { type: 'string', short: 'o', value: 'FILE', help: 'write into a new file that only you can read' },
    force: { type: 'boolean', help: 'replace the file' },
    secret: { type: 'boolean', help: 'also the secret of a one-time password' },
  },
  takes: [1, 100],
  completesPaths: true,
  examples: ['pb get ops/db/password', 'pb get ops/db#login', 'pb get ops/db/backup-key -o key.pem'],
  async run(context) {
    const { given, options, terminal, isJson } = context;
    const references = given.map(parseReference);
    const file = options.text('output');
    if (file !== undefined && references.length > 1) throw wrongUsage('With -o give one reference.');
    const engine = await context.engine('unlocked');
    const asked = { references, use: { purpose: 'show' }, withSecrets: options.is('secret') } as const;
    const reveal = async () => {
      const values = await engine.call('reveal', asked);
      for (const value of values) tellDisagreements(context, value);
      return values;
    };
    if (file !== undefined)
      return withNewFile({ path: file, isReplaced: options.is('force') }, async (write) => {
        const values = await reveal();
        for (const value of values) write(isJson ? documentOf(values) : bytesOf(value));
      });
    const values = await reveal();
    if (isJson) return terminal.out(documentOf(values));
    for (const value of values) {
      if (value.base64 !== null && terminal.isTerminal)
        throw wrongUsage(`“${shown(value.path)}” is a file. Save it with -o FILE, or use a pipe.`);
      terminal.out(bytesOf(value));
      const needsBreak = values.length > 1 || (terminal.isTerminal && !options.is('no-newline'));
      if (needsBreak) terminal.out('\n');
    }
  },
};

const bytesOf = ({ base64, text }: Value) =>
  base64 === null ? Buffer.from(text ?? '') : Buffer.from(base64, 'base64');

const documentOf = (values: readonly Value[]) => `${JSON.stringify(values.map(jsonOf), null, 2)}\n`;

const jsonOf = ({ path, type, title, login, text, base64 }: Value) => ({
  path,
  type,
  title,
  login,
  ...(base64 === null ? { value: text } : { value_base64: base64 }),
});

function tellDisagreements({ terminal }: Context, { path, disagreements }: Value): void {
  if (disagreements.length > 0)
    terminal.note(
      `${shown(path)}: the list of the server shows other details than the sealed value (${disagreements.join(', ')}).`,
    );
}

export const COPY: Command = {
  name: 'copy',
  usage: 'REF [--clear-after SECONDS]',
  summary: 'Copy a value to the clipboard, and clear it after a minute, or what pb config says.',
  options: { 'clear-after': { type: 'string', value: 'SECONDS', help: 'clear after so many seconds (5 to 3600)' } },
  takes: [1, 1],
  completesPaths: true,
  examples: ['pb copy ops/db', 'pb copy ops/db#login --clear-after 20'],
  async run(context) {
    const { environment, given, options, terminal, isQuiet } = context;
    const { least, most } = CLEAR_AFTER;
    const clearAfter = options.number('clear-after', clearAfterOf(environment), least, most);
    requireAgent(context);
    const engine = await context.engine('unlocked');
    await engine.call('copy', { reference: parseReference(given[0] ?? ''), clearAfter, isCode: false });
    if (!isQuiet) terminal.note(`Copied. It is cleared after ${clearAfter} seconds.`);
  },
};

export const TOTP: Command = {
  name: 'totp',
  usage: 'REF [--copy | --watch]',
  summary: 'Show the code of a one-time password.',
  options: {
    copy: { type: 'boolean', help: 'copy it instead' },
    watch: { type: 'boolean', help: 'show each next code for ten minutes, until ^C' },
  },
  takes: [1, 1],
  completesPaths: true,
  examples: ['pb totp ops/console', 'pb totp ops/console --watch'],
  async run(context) {
    const { given, options, terminal, isQuiet } = context;
    const reference = parseReference(given[0] ?? '');
    if (options.is('watch') && (options.is('copy') || context.isJson))
      throw wrongUsage('--watch prints lines: it goes neither with --copy nor with --json.');
    if (options.is('copy')) requireAgent(context);
    const engine = await context.engine('unlocked');
    if (options.is('copy')) {
      const clearAfter = clearAfterOf(context.environment);
      tellClock(context, await engine.call('copy', { reference, clearAfter, isCode: true }));
      return;
    }
    if (options.is('watch')) return watch(context, engine, reference);
    const code = await engine.call('code', { reference });
    print(context, code, () => `${code.code}\n`);
    if (!isQuiet && terminal.isTerminal) terminal.note(`${code.secondsLeft} seconds left`);
    tellClock(context, code);
  },
};

/** A line for each code, and on a terminal the seconds that are left. */
async function watch(context: Context, engine: Engine, reference: Reference): Promise<void> {
  const { terminal, isQuiet } = context;
  const { codes, clockOff } = await engine.call('codes', { reference, seconds: WATCHED_SECONDS });
  engine.end();
  tellClock(context, { clockOff });
  for (const { code, until } of codes) {
    // Those of a sleep are left out.
    if (until <= Date.now()) continue;
    terminal.out(`${code}\n`);
    if (!isQuiet) terminal.note(`${Math.ceil((until - Date.now()) / 1000)} seconds left`);
    await sleep(until - Date.now());
  }
  if (!isQuiet) terminal.note('Ten minutes have passed.');
}

const WATCHED_SECONDS = 600;

/** Codes are made with the clock of this computer, as on a page. */
function tellClock({ terminal }: Context, { clockOff }: Pick<Code, 'clockOff'>): void {
  if (Math.abs(clockOff) <= CODE_MS) return;
  const off = `${Math.round(Math.abs(clockOff) / 1000)} seconds ${clockOff > 0 ? 'ahead of' : 'behind'}`;
  terminal.note(`The clock of this computer is ${off} that of the server. Set it: the code is probably wrong.`);
}

const CODE_MS = 30_000;

/** @throws CommandError with `--no-agent`: nothing would clear the clipboard later */
function requireAgent({ options }: Context): void {
  if (options.is('no-agent'))
    throw wrongUsage('Without the agent nothing clears the clipboard later. Use pb unlock, or pb get.');
}

export const HISTORY: Command = {
  name: 'history',
  usage: 'REF',
  summary: 'Who saw or changed a field, the newest first.',
  takes: [1, 1],
  completesPaths: true,
  examples: ['pb history ops/db/password'],
  async run(context) {
    const reference = parseReference(context.given[0] ?? '');
    const rows = await (await context.engine('signed in')).call('history', { reference });
    print(context, rows, () =>
      table(
        rows.map((row) => [
          row.created_at,
          `${actorOf(row.user, row.via)}: ${actionOf(row)}`,
          row.rev === null ? '' : `revision ${row.rev}`,
        ]),
        null,
      ),
    );
  },
};

/** Also names the program, unless it is the web client. */
function actorOf(user: FieldHistory['user'], via: Via = 'web'): string {
  const mark = user?.kind === 'service' ? ' (service)' : '';
  const program = via === 'web' ? '' : `, ${PROGRAMS[via]}`;
  return `${user?.name ?? 'deleted account'}${mark}${program}`;
}

function actionOf({ event_type, purpose, label }: FieldHistory): string {
  const action = purpose === undefined ? WORDS[event_type] : PURPOSE_WORDS[purpose];
  if (label === undefined) return action;
  return purpose === 'export' ? `${action} ${label}` : `${action} “${label}”`;
}

const PROGRAMS: Readonly<Record<Exclude<Via, 'web'>, string>> = {
  cli: 'command line',
  extension: 'browser extension',
  api: 'other program',
  service: 'other program',
};

const WORDS: Readonly<Record<HistoryEvent, string>> = {
  created: 'created',
  updated: 'changed',
  decrypted: 'shown',
  moved: 'moved',
  trashed: 'deleted',
  restored: 'restored',
};

const PURPOSE_WORDS: Readonly<Record<Purpose, string>> = {
  show: 'shown',
  copy: 'copied',
  fill: 'filled',
  run: 'run',
  compare: 'compared',
  site: 'prepared for web sites',
  export: 'exported as',
};
