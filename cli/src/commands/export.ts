/** export: groups into a file. What it lacks is said before it is stored. */
import { accessSync, constants, lstatSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Export } from '@passwordbroker/core/contract/entries/exports';
import { EXPORT_FORMATS, type ExportFormat, isEncrypted } from '@passwordbroker/core/domain/exchange/export-formats';
import { formatFileSize } from '@passwordbroker/core/domain/fields/file-size';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { KINDS, leftByChoice, type Missing, missingIn } from '@passwordbroker/client/vault/entries/export-scope';
import type { ExportWork } from '@passwordbroker/client/vault/vault';
import type { Exportable, Opened } from '../engine/exporting.ts';
import type { Engine } from '../engine/operations.ts';
import { alreadyThere, CommandError, EXIT, failureOf, wrongUsage } from '../failure.ts';
import { parsePath } from '../references.ts';
import { shown } from '../terminal/output.ts';
import { agree, type Command, type Context, newSecret, print, withCancel, withFreshSignIn } from './command.ts';

export const EXPORT: Command = {
  name: 'export',
  usage: '[GROUP…] -o FILE [--format KIND] [--no-history] [--no-files] [--leave-out] [--password-file PATH] [--force]',
  summary:
    'Write groups and those below them, or all groups, into a file. Every value in it is recorded as opened by you.',
  options: {
    output: {
      type: 'string',
      short: 'o',
      value: 'FILE',
      help: 'a new file that only you can read; - writes an encrypted one into a pipe',
    },
    force: { type: 'boolean', help: 'replace the file' },
    format: {
      type: 'string',
      value: 'KIND',
      help: 'encrypted: pbx (our archive, default), kdbx (KeePass), bitwarden; not encrypted: bitwarden-plain, csv-manager, csv-table, cxf',
    },
    'no-history': { type: 'boolean', help: 'without earlier versions' },
    'no-files': { type: 'boolean', help: 'without files' },
    'leave-out': { type: 'boolean', help: 'without the groups that you can read, but may not export' },
    'password-file': {
      type: 'string',
      value: 'PATH',
      help: 'the password of the new file, from a file that only you can read; one line break at the end is dropped',
    },
  },
  takes: [0, 1000],
  completesPaths: true,
  examples: [
    'pb export ops -o ops.pbx',
    'pb export --format kdbx -o all.kdbx',
    'pb export ops --password-file key.txt --yes -o - > ops.pbx',
    'pb export ops --format kdbx --password-file key.txt -o ops.kdbx --yes',
  ],
  async run(context) {
    const { given, options, terminal, isQuiet } = context;
    const format = formatOf(options.text('format') ?? 'pbx');
    const path = isPiped(context, format) ? null : targetOf(options.text('output'), options.is('force'));
    const wanted = { files: !options.is('no-files'), history: !options.is('no-history') };
    const groups = given.map(parsePath).filter((elements) => elements.length > 0);
    if (!isEncrypted(format) && options.text('password-file') !== undefined)
      throw wrongUsage('This kind of file has no password.');
    if (!context.isYes && !terminal.canAsk()) throw wrongUsage('Nobody can be asked here. Add --yes.');
    const engine = await context.engine('unlocked');
    const scope = await engine.call('exportable', { groups });
    requireAllowed(scope, format, options.is('leave-out'));
    const password = isEncrypted(format)
      ? await newSecret(context, 'Password of the file', options.text('password-file'))
      : '';
    const started = await start(context, engine, {
      scope: { groups: scope.groups.map(({ id }) => id) },
      format,
      history: KINDS[format].history && wanted.history,
      files: KINDS[format].files && wanted.files,
    });
    try {
      terminal.note(await rehearsal(started, wanted));
      if (started.counts.values === 0) throw new CommandError(EXIT.notFound, 'empty', 'There are no values in it.');
      await agree(context, `Export ${count(started.counts.values, 'value')}?`);
    } catch (error) {
      await engine.call('cancelExport', { exportId: started.export_id });
      throw error;
    }
    const opened = await open(context, engine, { started, name: scope.name, password });
    const lacks = lacksOf(opened);
    if (lacks.length > 0) {
      terminal.note(lacks.join('\n'));
      await agree(context, 'Store the file all the same?').catch(async (error: unknown) => {
        await engine.call('dropOpened', { exportId: opened.exportId });
        throw error;
      });
    }
    if (path === null) return writeOut(context, engine, opened);
    await engine.call('storeExport', { exportId: opened.exportId, path, isForced: options.is('force') });
    const { values, gone, failed, lost, size } = opened;
    print(context, { path, format, size, values, gone, failed, lost }, () => `${path}: ${count(values, 'value')}\n`);
    if (!isQuiet && !isEncrypted(format))
      terminal.note(`${path} is not encrypted. Delete it as soon as it is used, also from the trash of this computer.`);
  },
};

function formatOf(text: string): ExportFormat {
  const format = EXPORT_FORMATS.find((one) => one === text);
  if (format === undefined) throw wrongUsage(`A kind is one of: ${EXPORT_FORMATS.join(', ')}.`);
  return format;
}

/** Whether it goes to standard output: `-o -`. @throws CommandError unless it is encrypted, and goes into a pipe or file */
function isPiped({ options, terminal, isJson }: Context, format: ExportFormat): boolean {
  if (options.text('output') !== '-') return false;
  if (!isEncrypted(format)) throw wrongUsage('Only an encrypted export goes to standard output. Name a file: -o FILE');
  if (terminal.isTerminal || isJson) throw wrongUsage('An export goes to standard output only into a pipe.');
  return true;
}

/** @throws CommandError if the reader or the file is gone: what was read is no whole file */
async function writeOut({ terminal }: Context, engine: Engine, { exportId, size }: Opened): Promise<void> {
  for (let at = 0; at < size;) {
    const bytes = Buffer.from(await engine.call('readOpened', { exportId, at }), 'base64');
    terminal.out(bytes);
    at += bytes.length;
  }
  await engine.call('dropOpened', { exportId });
}

/** Absolute; known to be writable before anything is opened. @throws CommandError */
function targetOf(given: string | undefined, isForced: boolean): string {
  if (given === undefined || given === '') throw wrongUsage('Name the file: -o FILE');
  const path = resolve(given);
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there !== undefined && !there.isFile()) throw wrongUsage(`${path} is no file.`);
  if (there !== undefined && !isForced) throw alreadyThere(path);
  const folder = dirname(path);
  try {
    if (!statSync(folder).isDirectory()) throw new Error('no folder');
    accessSync(folder, constants.W_OK);
  } catch {
    throw new CommandError(EXIT.failed, 'no_file', `Files cannot be written in ${folder}.`);
  }
  return path;
}

const LEAST_ROLE = {
  nobody: 'Exports are switched off on this site.',
  admins: 'An admin of a group may export it.',
  moderators: 'Admins and moderators of a group may export it.',
  members: 'Members of a group may export it.',
} as const;

/** @throws CommandError with exit 6 */
function requireAllowed(
  { exportBy, withPlain, groups, refused }: Exportable,
  format: ExportFormat,
  leavesOut: boolean,
): void {
  const refuse = (message: string) => new CommandError(EXIT.refused, 'forbidden', message);
  if (exportBy === 'nobody') throw refuse(LEAST_ROLE.nobody);
  if (!isEncrypted(format) && !withPlain) throw refuse('Files without encryption are switched off on this site.');
  if (groups.length === 0) throw refuse(`There is nothing here that you may export. ${LEAST_ROLE[exportBy]}`);
  if (refused.length === 0 || leavesOut) return;
  const names = refused.map(({ path }) => `  ${shown(path)}`).join('\n');
  throw refuse(
    `You may not export ${count(refused.length, 'group')}. ${LEAST_ROLE[exportBy]} Leave them out: --leave-out\n${names}`,
  );
}

type Request = Omit<Parameters<typeof ask>[1], 'endsOther'>;
const ask = (engine: Engine, input: Parameters<typeof engine.call<'startExport'>>[1]) =>
  engine.call('startExport', input);

/** Another export of the person ends first, if the person wants that. */
async function start(context: Context, engine: Engine, request: Request): Promise<Export> {
  const begin = (endsOther: boolean) => withFreshSignIn(context, engine, () => ask(engine, { ...request, endsOther }));
  try {
    return await begin(false);
  } catch (error) {
    if (failureOf(error).code !== 'conflict') throw error;
    await agree(context, 'Another export of yours is under way, perhaps in a browser. End it?');
    return begin(true);
  }
}

const BEAT_MS = 500;

/** Opens the values, with progress; ^C cancels, and a second one ends the command at once. */
async function open(
  { terminal, isQuiet }: Context,
  engine: Engine,
  input: { readonly started: Export; readonly name: string; readonly password: string },
): Promise<Opened> {
  let text = 'Preparing the export';
  const tell = () => terminal.progress(isQuiet ? null : text);
  const beat = setInterval(tell, BEAT_MS);
  const onProgress = (work: ExportWork) => {
    text = progressOf(work);
    tell();
  };
  try {
    return await withCancel((signal) => engine.call('openExport', input, { signal, onProgress }));
  } finally {
    clearInterval(beat);
    terminal.progress(null);
  }
}

const progressOf = ({ phase, done, total }: ExportWork): string =>
  phase === 'opening' ? `Opening ${done} of ${total} values` : `Writing ${done} of ${total} entries`;

const count = (number: number, one: string, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;

/** Before anything is released. */
async function rehearsal(
  { format, counts }: Export,
  wanted: { readonly files: boolean; readonly history: boolean },
): Promise<string> {
  const { WRITERS } = await import('../engine/engine.ts');
  const { entry_groups, entries, values, file_bytes, types } = counts;
  const hasFiles = KINDS[format].files && wanted.files && types.file > 0;
  const missing = missingIn(format, counts).map(missingLine);
  const left = leftByChoice(format, wanted, counts).map(missingLine);
  return [
    `${WRITERS.find(({ id }) => id === format)?.label ?? format}: ${count(entry_groups, 'group')}, ${count(entries, 'entry', 'entries')}, ${count(values, 'value')}${hasFiles ? `, with files (${formatFileSize(file_bytes)})` : ''}`,
    ...(missing.length === 0 ? [] : [`This kind of file does not hold ${missing.join(' and ')}.`]),
    ...(left.length === 0 ? [] : [`Left out by your choice: ${left.join(' and ')}.`]),
    ...(hasFiles && file_bytes > LIMITS.importBytes ? [NOT_IMPORTABLE] : []),
    `${count(values, 'value')} will be recorded as opened by you.`,
    ...(isEncrypted(format)
      ? []
      : [
          `Everybody who gets this file can read ${count(types.password, 'password')}. Delete it as soon as it is used.`,
        ]),
    ...(format === 'csv-manager'
      ? ['Do not open this file in a spreadsheet program: a value that begins with = could run as a formula.']
      : []),
  ].join('\n');
}

const MISSING = { files: 'file', history: 'earlier version', totp: 'one-time password' } as const;
const missingLine = ({ what, count: number }: Missing): string => count(number, MISSING[what]);

const NOT_IMPORTABLE =
  'The file is too large for one import into PasswordBroker. Export fewer groups, or without earlier versions and files, if it is to be imported again.';

/** What the opened values are missing in the file. */
function lacksOf({ gone, failed, lost, isImportable }: Opened): readonly string[] {
  return [
    ...(gone > 0 ? [`${count(gone, 'value')} changed or taken away meanwhile, and not in the file.`] : []),
    ...(failed > 0 ? [`${count(failed, 'value')} damaged, and not in the file.`] : []),
    ...(isImportable ? [] : [NOT_IMPORTABLE]),
    ...(lost.length > 0 ? ['Not included, because this kind of file cannot store it:'] : []),
    ...lost.map(({ count: number, kind, reason }) => `  ${number} × ${kind}: ${reason}`),
  ];
}
