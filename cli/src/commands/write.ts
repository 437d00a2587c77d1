/** add, edit, mv, rm, undo, group, generate, members, share, unshare. */
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { DEFAULTS, generatePassword } from '@passwordbroker/core/domain/fields/password-generator';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { ROLES, type Role } from '@passwordbroker/core/domain/policy';
import { CommandError, EXIT, wrongUsage } from '../failure.ts';
import type { Words } from '../engine/sharing.ts';
import type { Done, Given } from '../engine/writing.ts';
import { parsePath, parseReference } from '../references.ts';
import { tooLong } from '../terminal/terminal.ts';
import { shown, table } from '../terminal/output.ts';
import { agree, type Command, type Context, type Option, print } from './command.ts';

const VALUE_OPTIONS: Readonly<Record<string, Option>> = {
  generate: { type: 'boolean', help: 'generate the value' },
  length: { type: 'string', value: 'NUMBER', help: 'characters of a generated value (8 to 64)' },
  'value-stdin': { type: 'boolean', help: 'read the value from standard input; one line break at the end is dropped' },
  'value-file': { type: 'string', value: 'PATH', help: 'read the value from a file' },
};

export const ADD: Command = {
  name: 'add',
  usage: 'GROUP/ENTRY [--type TYPE] [--title TITLE] [--login LOGIN]',
  summary: 'Add a field, in a new entry unless there is one of this name.',
  options: {
    type: { type: 'string', value: 'TYPE', help: 'password (default), link, note, TOTP or file' },
    title: { type: 'string', value: 'TITLE', help: 'name of the field' },
    login: { type: 'string', value: 'LOGIN', help: 'user name of a password' },
    ...VALUE_OPTIONS,
  },
  takes: [1, 1],
  completesPaths: true,
  examples: ['pb add ops/db --login app --generate', 'pb add ops/db --type note --value-file notes.txt'],
  async run(context) {
    const { elements } = parseReference(context.given[0] ?? '');
    if (elements.length < 2) throw wrongUsage('Name the group and the entry: pb add GROUP/ENTRY');
    const given = await givenOf(context);
    const title = context.options.text('title') ?? TITLES[given.type];
    const engine = await context.engine('unlocked');
    tellUndo(context, await engine.call('add', { elements, title, given }));
  },
};

const TITLES = { password: 'Password', link: 'URL', note: 'Notes', TOTP: 'One-time password', file: 'File' } as const;

async function givenOf(context: Context): Promise<Given> {
  const type = context.options.text('type') ?? 'password';
  if (type === 'file') {
    const path = context.options.text('value-file');
    if (path === undefined) throw wrongUsage('Name the file: --value-file PATH');
    return { type, name: basename(path), base64: readBounded(path, LIMITS.fileBytes).toString('base64') };
  }
  if (type !== 'password' && type !== 'link' && type !== 'note' && type !== 'TOTP')
    throw wrongUsage('A type is password, link, note, TOTP or file.');
  return { type, value: await valueOf(context), login: context.options.text('login') };
}

/** Generated, from a file, standard input, or typed. */
async function valueOf({ options, terminal }: Context): Promise<string> {
  const path = options.text('value-file');
  if (options.is('generate')) return generatePassword({ ...DEFAULTS, length: options.number('length', 24, 8, 64) });
  if (path !== undefined) return textOf(readBounded(path, LIMITS.valueBytes));
  if (options.is('value-stdin')) {
    const text = textOf(await terminal.input(LIMITS.valueBytes + 2)).replace(/\r?\n$/, '');
    if (Buffer.byteLength(text) > LIMITS.valueBytes) throw tooLong();
    return text;
  }
  return terminal.ask('Value', { isSecret: true });
}

/** @throws CommandError unless it is UTF-8: other bytes would be lost */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw wrongUsage('The value is no text in UTF-8. Add it as a file: --type file --value-file PATH');
  }
}

function readBounded(path: string, most: number): Buffer {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw wrongUsage(`There is no file ${path}.`);
  if (found.isDirectory()) throw wrongUsage(`${path} is no file.`);
  const bytes = found.size > most ? null : readFileSync(path);
  if (bytes === null || bytes.length > most) throw wrongUsage(`${path} is too large.`);
  return bytes;
}

export const EDIT: Command = {
  name: 'edit',
  usage: 'REF [--title TITLE] [--login LOGIN] [--keep-value]',
  summary: 'Write the next revision of a field. The former one is opened for it, which is recorded.',
  options: {
    title: { type: 'string', value: 'TITLE', help: 'another name' },
    login: { type: 'string', value: 'LOGIN', help: 'another user name' },
    'keep-value': { type: 'boolean', help: 'change only title or login' },
    ...VALUE_OPTIONS,
  },
  takes: [1, 1],
  completesPaths: true,
  examples: ['pb edit ops/db/password --generate'],
  async run(context) {
    const { options } = context;
    const reference = parseReference(context.given[0] ?? '');
    const value = options.is('keep-value') ? null : await valueOf(context);
    const engine = await context.engine('unlocked');
    const [title, login] = [options.text('title') ?? null, options.text('login') ?? null];
    await engine.call('edit', { reference, value, title, login });
  },
};

export const MV: Command = {
  name: 'mv',
  usage: 'REF… GROUP',
  summary: 'Move entries into another group.',
  takes: [2, 1001],
  completesPaths: true,
  examples: ['pb mv old/db old/web ops'],
  async run(context) {
    const references = context.given.slice(0, -1).map(parseReference);
    const engine = await context.engine('unlocked');
    tellUndo(context, ...(await engine.call('move', { references, group: parsePath(context.given.at(-1) ?? '') })));
  },
};

export const RM: Command = {
  name: 'rm',
  usage: 'REF… [--yes]',
  summary: 'Move entries to the trash.',
  takes: [1, 1000],
  completesPaths: true,
  examples: ['pb rm ops/old-db'],
  async run(context) {
    const references = context.given.map(parseReference);
    await agree(
      context,
      `Move ${references.length === 1 ? `“${context.given[0] ?? ''}”` : `${references.length} entries`} to the trash?`,
    );
    const engine = await context.engine('signed in');
    tellUndo(context, ...(await engine.call('remove', { references })));
  },
};

export const UNDO: Command = {
  name: 'undo',
  usage: '[ID]',
  summary: 'Undo the last move, rename, deletion or import, or the one with this id.',
  takes: [0, 1],
  examples: ['pb undo'],
  async run(context) {
    const engine = await context.engine('signed in');
    const operationId = context.given[0] ?? null;
    let { stays, newReaders } = await engine.call('undo', { operationId, isAgreed: false });
    if (newReaders.length > 0) {
      const names = newReaders.map(shown).join(', ');
      await agree(context, `These people cannot read the entries now, and could then: ${names}. Move them back?`);
      ({ stays, newReaders } = await engine.call('undo', { operationId, isAgreed: true }));
    }
    print(context, { stays }, () =>
      stays === 0 ? '' : `${stays} things stay, because others have changed them since.\n`,
    );
  },
};

export const GROUP: Command = {
  name: 'group',
  usage: 'add PATH | rename PATH NAME | mv PATH TARGET | rm PATH',
  summary: 'Make, rename, move or delete a group. TARGET is the group above it; / is the top.',
  options: { 'same-members': { type: 'boolean', help: 'share a new group with the members of the group above' } },
  takes: [2, 3],
  completesPaths: true,
  examples: [
    'pb group add ops/databases --same-members',
    'pb group rename ops/db databases',
    'pb group mv ops/databases archive',
  ],
  async run(context) {
    const [verb, path = '', name] = context.given;
    const elements = parsePath(path);
    if (elements.length === 0) throw wrongUsage('Name the group.');
    if (verb === 'add' && name === undefined) {
      const engine = await context.engine('unlocked');
      await engine.call('addGroup', { elements, isShared: context.options.is('same-members') });
    } else if (verb === 'rename' && name !== undefined) {
      tellUndo(context, await (await context.engine('signed in')).call('renameGroup', { elements, name }));
    } else if (verb === 'mv' && name !== undefined) {
      const target = parsePath(name);
      tellUndo(context, await (await context.engine('signed in')).call('moveGroup', { elements, target }));
    } else if (verb === 'rm' && name === undefined) {
      await agree(context, `Move the group “${path}” with everything in it to the trash?`);
      tellUndo(context, await (await context.engine('signed in')).call('removeGroup', { elements }));
    } else throw wrongUsage(`Use: pb group ${GROUP.usage}`);
  },
};

export const GENERATE: Command = {
  name: 'generate',
  usage: '[--length NUMBER]',
  summary: 'Print a new password. Nothing is stored.',
  options: { length: { type: 'string', value: 'NUMBER', help: 'characters (8 to 64, default 24)' } },
  takes: [0, 0],
  examples: ['pb generate --length 32'],
  async run(context) {
    const password = generatePassword({ ...DEFAULTS, length: context.options.number('length', 24, 8, 64) });
    print(context, { value: password }, () => `${password}\n`);
  },
};

export const MEMBERS: Command = {
  name: 'members',
  usage: 'GROUP',
  summary: 'List the members of a group.',
  takes: [1, 1],
  completesPaths: true,
  examples: ['pb members ops'],
  async run(context) {
    const elements = parsePath(context.given[0] ?? '');
    const { listed, isVerified } = await (await context.engine('signed in')).call('members', { elements });
    if (!isVerified) context.terminal.note(NOT_VERIFIED);
    const shortened = listed.map(({ role, user }) => ({ user_id: user.user_id, name: user.name, role }));
    print(context, shortened, () =>
      table(
        shortened.map(({ name, role }) => [name, role]),
        null,
      ),
    );
  },
};

const NOT_VERIFIED =
  'The vault is locked, so this list is what the server says. To compare it with the signed list: pb unlock';

export const SHARE: Command = {
  name: 'share',
  usage: 'GROUP PERSON ROLE',
  summary: 'Give a person access to a group, after comparing eight words of the key.',
  options: {
    words: { type: 'string', value: 'WORDS', help: 'the eight words that the person has read out' },
    'trust-for-now': { type: 'boolean', help: 'share now, compare later' },
  },
  takes: [3, 3],
  completesPaths: true,
  examples: ['pb share ops grace@example.org member'],
  async run(context) {
    const [path = '', person = '', role = ''] = context.given;
    if (!isRole(role)) throw wrongUsage(`A role is one of: ${ROLES.join(', ')}.`);
    const engine = await context.engine('unlocked');
    const words = await engine.call('words', { person });
    const how = await howTrusted(context, words);
    await engine.call('share', { elements: parsePath(path), words, role, how });
  },
};

const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text);

/** @throws CommandError with exit 10 or 11 unless the person decides to trust the key */
async function howTrusted({ options, terminal }: Context, { name, words, state }: Words) {
  if (state === 'trusted') return null;
  if (state === 'changed')
    throw new CommandError(
      EXIT.notTrusted,
      'key_changed',
      `The key of ${shown(name)} has changed. Compare the words in the browser first.`,
    );
  const told = options.text('words');
  if (told !== undefined) {
    if (told.trim().split(/\s+/).join(' ').toLowerCase() === words.join(' ')) return 'words';
    throw new CommandError(EXIT.notTrusted, 'words', `These are not the words of ${shown(name)}.`);
  }
  if (options.is('trust-for-now')) return 'first-use';
  if (!terminal.canAsk())
    throw new CommandError(
      EXIT.notTrusted,
      'words',
      'Nobody can compare the words here. Use --words or --trust-for-now.',
    );
  terminal.note(`${shown(name)} has these words:\n  ${words.join(' ')}`);
  const answer = await terminal.ask(
    `Does ${shown(name)} read you the same eight words? Type same, later (trust for now) or no`,
  );
  if (answer.trim() === 'same') return 'words';
  if (answer.trim() === 'later') return 'first-use';
  throw new CommandError(EXIT.givenUp, 'given_up', 'Not shared.');
}

export const UNSHARE: Command = {
  name: 'unshare',
  usage: 'GROUP PERSON',
  summary: 'End the access of a person to a group.',
  takes: [2, 2],
  completesPaths: true,
  examples: ['pb unshare ops "Grace Hopper"'],
  async run(context) {
    const [path = '', person = ''] = context.given;
    await agree(context, `End the access of “${person}” to “${path}”?`);
    await (await context.engine('unlocked')).call('unshare', { elements: parsePath(path), person });
  },
};

/** For `undo`: lines on standard error, or one document. */
function tellUndo({ terminal, isQuiet, isJson }: Context, ...done: readonly Done[]): void {
  const ids = done.flatMap(({ undo }) => undo ?? []);
  if (isJson) terminal.out(`${JSON.stringify({ undo: ids }, null, 2)}\n`);
  else if (!isQuiet) for (const id of ids) terminal.note(`Undo: pb undo ${id}`);
}
