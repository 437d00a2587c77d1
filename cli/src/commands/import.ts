/** import: a file of another program, shown before anything is stored. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { formatFileSize } from '@passwordbroker/core/domain/fields/file-size';
import type { ReadFile } from '@passwordbroker/client/vault/vault';
import type { Engine } from '../engine/operations.ts';
import type { Compared, Detected } from '../engine/importing.ts';
import { failureOf, wrongUsage } from '../failure.ts';
import { parsePath } from '../references.ts';
import { shown } from '../terminal/output.ts';
import { agree, type Command, type Context, print, TRIES, withCancel } from './command.ts';

export const IMPORT: Command = {
  name: 'import',
  usage: 'FILE [--into GROUP [--duplicates WHAT] [--compare]] [--dry-run] [--key-file PATH]',
  summary: 'Import a file of another password manager as a new tree, or into a group. What is in it is shown first.',
  options: {
    into: { type: 'string', value: 'GROUP', help: 'existing group that takes the groups and entries of the file' },
    duplicates: {
      type: 'string',
      value: 'WHAT',
      help: 'what becomes of entries that look like ones in the group: skip (default), add, or revise: compare the values, give those that differ a new version; each compared value is recorded as opened',
    },
    compare: {
      type: 'boolean',
      help: 'compare the values of entries that look like ones in the group first: equal ones are left out; each value is recorded as opened',
    },
    'dry-run': { type: 'boolean', help: 'only show what is in the file' },
    'key-file': { type: 'string', value: 'PATH', help: 'key file of a KeePass database' },
  },
  takes: [1, 1],
  examples: [
    'pb import passwords.kdbx',
    'pb import bitwarden.json --dry-run',
    'pb import new.kdbx --into ops --duplicates revise',
  ],
  async run(context) {
    const { given, options, terminal, isJson, isQuiet } = context;
    const path = fileAt(given[0] ?? '');
    const keyFile = options.text('key-file');
    const { into, duplicates, values } = targetOf(context);
    const engine = await context.engine('unlocked');
    const detected = await engine.call('detectFile', { path });
    if (detected.size > detected.limit) throw wrongUsage(`The file is larger than ${formatFileSize(detected.limit)}.`);
    if (detected.needs === 'columns')
      throw wrongUsage(
        'This is a table of no known program. Import it in the browser, where you say what its columns mean.',
      );
    const read = await readWith(context, engine, detected, path, keyFile === undefined ? null : fileAt(keyFile));
    const drop = () => engine.call('dropFile', { handle: read.handle });
    const found = into === null ? null : await compared(engine, read, { into, values }, drop);
    if (!isJson) terminal.out(rehearsal(detected, read) + duplicateLines(read, found, duplicates));
    if (options.is('dry-run')) {
      await drop();
      const same = found === null ? {} : { duplicates: found.same.length, elsewhere: found.elsewhere.length };
      if (isJson)
        print(context, { kind: detected.label, counts: read.counts, ...same, skipped: read.skipped }, () => '');
      return;
    }
    const equal = equalOf(found);
    const differing = (found?.same ?? []).filter((at) => !equal.has(at));
    const without = [...equal, ...(duplicates === 'skip' ? differing : [])];
    const where = into === null ? 'as a new tree' : `into “${shown(into.join('/'))}”`;
    await agree(context, `Import ${read.counts.entries - without.length} entries ${where}?`).catch(
      async (error: unknown) => {
        await drop();
        throw error;
      },
    );
    const revise = duplicates === 'revise' ? differing : [];
    const target = found === null ? null : { groups: found.groups, without, revise };
    const imported = await withCancel((signal) =>
      engine.call('storeFile', { handle: read.handle, path, into: target }, { signal }),
    );
    print(context, imported, () =>
      into === null
        ? `Imported as “${shown(imported.name)}”.\n`
        : `Imported into “${shown(imported.name)}”: ${imported.counts.entries} entries, ${imported.counts.updated ?? 0} new versions.\n`,
    );
    if (isQuiet) return;
    terminal.note(`Undo: pb undo ${imported.operation_id}`);
    if (detected.needs === 'nothing')
      terminal.note(`The file ${shown(path)} is not encrypted. Delete it, also from the trash of this computer.`);
  },
};

const DUPLICATES = ['skip', 'add', 'revise'] as const;
type ForDuplicates = (typeof DUPLICATES)[number];

function targetOf({ options }: Context): {
  readonly into: readonly string[] | null;
  readonly duplicates: ForDuplicates;
  readonly values: boolean;
} {
  const [into, given] = [options.text('into'), options.text('duplicates')];
  const duplicates = given === undefined ? 'skip' : DUPLICATES.find((one) => one === given);
  if (duplicates === undefined) throw wrongUsage('Duplicates are skip, add or revise.');
  const values = options.is('compare');
  if (into === undefined && (given !== undefined || values)) throw wrongUsage('Name the group: --into GROUP');
  return { into: into === undefined ? null : parsePath(into), duplicates, values };
}

async function compared(
  engine: Engine,
  { handle, groups }: ReadFile,
  target: { readonly into: readonly string[]; readonly values: boolean },
  drop: () => Promise<void>,
) {
  try {
    return await withCancel((signal) => engine.call('compareFile', { handle, groups, ...target }, { signal }));
  } catch (error) {
    await drop();
    throw error;
  }
}

const WHAT = {
  skip: ['is skipped', 'are skipped'],
  add: ['is added as new', 'are added as new'],
  revise: ['gets new versions of values that differ', 'get new versions of values that differ'],
} as const;

const count = (entries: number, one: string, several: string) =>
  entries === 1 ? `1 entry ${one}` : `${entries} entries ${several}`;

const equalOf = (found: Compared | null): ReadonlySet<number> =>
  new Set(found?.differing.flatMap(([at, titles]) => (titles.length === 0 ? [at] : [])));

/** Titles of fields that differ, never values. */
function duplicateLines({ entries }: ReadFile, found: Compared | null, duplicates: ForDuplicates): string {
  if (found === null) return '';
  const titleOf = (at: number) => shown(entries[at]?.title ?? '');
  const equal = equalOf(found).size;
  const others = found.same.length - equal;
  return [
    ...(equal === 0
      ? []
      : [`${count(equal, 'is equal to one in the group and is', 'are equal to ones in the group and are')} skipped.`]),
    ...(others === 0
      ? []
      : [
          `${count(others, 'looks like one in the group. It', 'look like ones in the group. They')} ${WHAT[duplicates][others === 1 ? 0 : 1]}.`,
        ]),
    ...found.differing.flatMap(([at, titles]) =>
      titles.length === 0 ? [] : [`  ${titleOf(at)} differs: ${titles.map(shown).join(', ')}`],
    ),
    ...(found.elsewhere.length === 0
      ? []
      : [
          `${count(found.elsewhere.length, 'looks like one in another group. It is', 'look like ones in other groups. They are')} added as new.`,
        ]),
    ...found.elsewhere.slice(0, MOST_NAMED).map(([at, group]) => `  ${titleOf(at)}, in ${shown(group)}`),
    ...(found.elsewhere.length > MOST_NAMED ? [`  and ${found.elsewhere.length - MOST_NAMED} more`] : []),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

const MOST_NAMED = 20;

const fileAt = (path: string): string => {
  if (!existsSync(path)) throw wrongUsage(`There is no file ${path}.`);
  return resolve(path);
};

/** Asks for the password of the file up to three times. */
async function readWith(
  { terminal }: Context,
  engine: Engine,
  { id: kind, needs }: Detected,
  path: string,
  keyFile: string | null,
): Promise<ReadFile> {
  for (let left = TRIES; ; left -= 1) {
    const password = needs === 'password' ? await terminal.ask('Password of the file', { isSecret: true }) : null;
    try {
      return await engine.call('readFile', { path, kind, password, keyFile });
    } catch (error) {
      const { code, message } = failureOf(error);
      if (code !== 'wrong_password' || left === 1) throw error;
      terminal.note(message);
    }
  }
}

function rehearsal({ label, size, better }: Detected, { counts, skipped }: ReadFile): string {
  const { groups, entries, fields, versions, files } = counts;
  return [
    `${label}, ${formatFileSize(size)}: ${entries} entries in ${groups} groups, ${fields} values, ${versions} earlier versions, ${files} files`,
    ...(better === undefined ? [] : [`This program can also export ${better}, which holds more than this file.`]),
    ...skipped.flatMap(({ kind, reason, count, places = [] }) => [
      `  ${count} × ${kind}: ${reason}`,
      ...places.map((place) => `      ${shown(place)}`),
    ]),
    '',
  ].join('\n');
}
