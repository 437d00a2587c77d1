/** Lists, searches, reveals and histories. */
import type { FieldHistory, TreeNode } from '@passwordbroker/core/contract/entities';
import type { FieldType } from '@passwordbroker/core/domain/fields/field-kinds';
import { totpCode } from '@passwordbroker/core/domain/fields/totp';
import type { Resolve } from '@passwordbroker/client/vault/entries/resolve';
import type { Disagreement, ReleaseUse, Revealed, Vault } from '@passwordbroker/client/vault/vault';
import { wrongUsage } from '../failure.ts';
import { encodeElement, type Reference } from '../references.ts';
import type { Clipboard } from './clipboard.ts';
import { fieldsFor, fieldsOf, groupsAt, oneEntry, oneField, oneGroup, type FoundField } from './find.ts';
import { resolvedFor, type ResolvedReference } from './resolved.ts';

export interface Row {
  readonly kind: 'group' | 'entry' | 'field';
  readonly path: string;
  readonly id: string;
  /** Of an entry or a password. */
  readonly login: string | null;
  /** Of a field. */
  readonly type: FieldType | null;
}

export interface Value {
  readonly path: string;
  readonly type: FieldType;
  readonly title: string;
  readonly login: string | null;
  /** The part that the reference names; null for the bytes of a file. */
  readonly text: string | null;
  readonly base64: string | null;
  readonly disagreements: readonly Disagreement[];
}

export interface Code {
  readonly code: string;
  readonly secondsLeft: number;
  /** Milliseconds that the clock of this computer is ahead of the server's; 0: not known. */
  readonly clockOff: number;
}

export interface TimedCode {
  readonly code: string;
  /** Unix ms. */
  readonly until: number;
}

type Reads = Pick<
  Vault['read'],
  'tree' | 'entries' | 'entriesById' | 'search' | 'history' | 'reveal' | 'revealSeveral' | 'openFile'
>;

/**
 * @param signedIn rejects unless somebody is signed in
 * @param clockOff as `Code.clockOff`
 */
export function readingOf(
  { read, resolve }: { readonly read: Reads; readonly resolve: Resolve },
  clipboard: Clipboard,
  signedIn: () => Promise<void>,
  clockOff: () => number,
) {
  const fileOf = async (found: FoundField): Promise<Value> => {
    const { blob, revealed } = await read.openFile(found);
    const base64 = Buffer.from(await blob.arrayBuffer()).toString('base64');
    return { ...shownOf(revealed), path: found.path, type: 'file', text: null, base64 };
  };

  return {
    /** Groups and entries below a group; all levels if `isDeep`. */
    async list({
      elements,
      isDeep,
    }: {
      readonly elements: readonly string[];
      readonly isDeep: boolean;
    }): Promise<Row[]> {
      await signedIn();
      const tree = await read.tree();
      if (elements.length === 0) return rowsBelow(read, tree, '', isDeep);
      if (groupsAt(tree, elements).length === 0) {
        const entry = await oneEntry(read, { text: elements.join('/'), elements, part: null });
        return (await fieldsOf(read, entry)).map(rowOfField);
      }
      const { path, node } = oneGroup(tree, elements);
      const below = await rowsBelow(read, node.children, `${path}/`, isDeep);
      return [...below, ...(await entryRows(read, node, path))];
    },

    async search({ query }: { readonly query: string }): Promise<Row[]> {
      await signedIn();
      const [tree, found] = await Promise.all([read.tree(), read.search({ query, page: 1, perPage: SEARCHED })]);
      const paths = pathsOf(tree);
      return found.data.map(({ title, entry_id, entry_group, passwords }) => ({
        kind: 'entry' as const,
        path: `${paths.get(entry_group.entry_group_id) ?? encodeElement(entry_group.name)}/${encodeElement(title)}`,
        id: entry_id,
        login: passwords[0]?.login ?? null,
        type: null,
      }));
    },

    /**
     * All are found before the first is revealed.
     * @param use for the history
     * @param withSecrets also of one-time passwords, instead of their codes
     * @throws CommandError before anything is revealed
     */
    async reveal({
      references,
      use,
      withSecrets,
    }: {
      readonly references: readonly Reference[];
      readonly use: ReleaseUse;
      readonly withSecrets: boolean;
    }): Promise<Value[]> {
      await signedIn();
      // What is printed is compared with a whole list.
      const resolved = use.purpose === 'run' ? await resolvedFor(resolve, references) : null;
      const listed = resolved === null ? await fieldsFor(read, references) : [];
      const found = resolved ?? listed;
      if (!withSecrets && found.some(({ field }, at) => field.type === 'TOTP' && references[at]?.part === null))
        throw wrongUsage('For the code use pb totp; for the secret itself add --secret.');
      const isFile = (at: number) => found[at]?.field.type === 'file' && references[at]?.part !== 'name';
      const texts = await read.revealSeveral(
        found.filter((_, at) => !isFile(at)),
        use,
      );
      const opened = texts.values();
      const values: Value[] = [];
      for (const [at, field] of found.entries()) {
        const reference = references[at];
        const file = isFile(at) ? listed[at] : undefined;
        if (file !== undefined) {
          values.push(await fileOf(file));
          continue;
        }
        const revealed = opened.next().value;
        if (reference === undefined || revealed === undefined) throw new RangeError('One value for each reference');
        values.push(valueOf(reference, field, revealed));
      }
      return values;
    },

    /** The code of a one-time password; its secret stays here. */
    async code({ reference }: { readonly reference: Reference }): Promise<Code> {
      await signedIn();
      const found = await oneField(read, reference, 'TOTP');
      const code = codeOf(await read.reveal(found));
      return { ...code, clockOff: clockOff() };
    },

    /** The codes of the next seconds, of one opening: its record is one, and the vault locks meanwhile as without. */
    async codes({
      reference,
      seconds,
    }: {
      readonly reference: Reference;
      readonly seconds: number;
    }): Promise<{ readonly codes: readonly TimedCode[]; readonly clockOff: number }> {
      await signedIn();
      const revealed = await read.reveal(await oneField(read, reference, 'TOTP'));
      const codes: TimedCode[] = [];
      const end = Date.now() + seconds * 1000;
      for (let at = Date.now(); at < end;) {
        const { code, secondsLeft } = codeOf(revealed, at);
        at = (Math.floor(at / 1000) + secondsLeft) * 1000;
        codes.push({ code, until: at });
      }
      return { codes, clockOff: clockOff() };
    },

    /** Puts a value, or the code of a one-time password, on the clipboard and clears it after some seconds. */
    async copy({
      reference,
      clearAfter,
      isCode,
    }: {
      readonly reference: Reference;
      readonly clearAfter: number;
      readonly isCode: boolean;
    }): Promise<Pick<Code, 'clockOff'>> {
      await signedIn();
      const found = await oneField(read, reference, isCode ? 'TOTP' : 'password');
      if (found.field.type === 'file') throw wrongUsage('A file cannot be copied. Save it: pb get REF -o FILE');
      const revealed = await read.reveal(found, undefined, 'copy');
      const text = isCode || found.field.type === 'TOTP' ? codeOf(revealed).code : partOf(reference, revealed);
      await clipboard.copy(text, clearAfter);
      return { clockOff: clockOff() };
    },

    async history({ reference }: { readonly reference: Reference }): Promise<readonly FieldHistory[]> {
      await signedIn();
      return read.history(await oneField(read, reference));
    },
  };
}

const SEARCHED = 100;

const valueOf = (reference: Reference, { field, path }: FoundField | ResolvedReference, revealed: Revealed): Value => ({
  ...shownOf(revealed),
  path,
  type: field.type,
  text: partOf(reference, revealed),
  base64: null,
});

const shownOf = ({ title, login, disagreements }: Pick<Value, 'title' | 'login' | 'disagreements'>) => ({
  title,
  login,
  disagreements,
});

interface Opened {
  readonly type: FieldType;
  readonly login: string | null;
  readonly text: string;
  readonly totp: { readonly algorithm: 'sha1' | 'sha256' | 'sha512'; readonly period: number } | null;
  readonly file: { readonly name: string } | null;
}

/** @throws CommandError for a part that the field does not have */
function partOf({ part, text }: Reference, revealed: Opened): string {
  const value = { value: revealed.text, login: revealed.login, name: revealed.file?.name, code: null }[part ?? 'value'];
  if (part === 'code') return codeOf(revealed).code;
  if (value === null || value === undefined) throw wrongUsage(`“${text}” names a part that this field does not have.`);
  return value;
}

/** @throws CommandError */
function codeOf({ totp, text }: Opened, now = Date.now()): Omit<Code, 'clockOff'> {
  if (totp === null) throw wrongUsage('This field shows no one-time codes.');
  return totpCode({ ...totp, secret: text }, now);
}

/** Groups that are asked for at the same time. */
const GROUPS_AT_ONCE = 16;

/** Each group, with its entries and everything below it if `isDeep`. */
async function rowsBelow(
  read: Pick<Vault['read'], 'entries'>,
  nodes: readonly TreeNode[],
  above: string,
  isDeep: boolean,
): Promise<Row[]> {
  const groups: { readonly node: TreeNode; readonly path: string }[] = [];
  const collect = (some: readonly TreeNode[], before: string) => {
    for (const node of some) {
      const path = before + encodeElement(node.title);
      groups.push({ node, path });
      if (isDeep) collect(node.children, `${path}/`);
    }
  };
  collect(nodes, above);
  const contents: Row[][] = groups.map(() => []);
  const waiting = groups.entries();
  const take = async () => {
    for (const [at, { node, path }] of waiting) contents[at] = await entryRows(read, node, path);
  };
  if (isDeep) await Promise.all(Array.from({ length: GROUPS_AT_ONCE }, take));
  return groups.flatMap(({ node, path }, at) => [
    { kind: 'group' as const, path, id: node.entry_group_id, login: null, type: null },
    ...(contents[at] ?? []),
  ]);
}

async function entryRows(read: Pick<Vault['read'], 'entries'>, node: TreeNode, path: string): Promise<Row[]> {
  if (node.role === 'guest') return [];
  return (await read.entries(node.entry_group_id)).map(({ title, entry_id, login }) => ({
    kind: 'entry',
    path: `${path}/${encodeElement(title)}`,
    id: entry_id,
    login,
    type: null,
  }));
}

const rowOfField = ({ path, field }: FoundField): Row => ({
  kind: 'field',
  path,
  id: field.field_id,
  login: field.type === 'password' ? field.login : null,
  type: field.type,
});

function pathsOf(tree: readonly TreeNode[], above = '', paths = new Map<string, string>()): Map<string, string> {
  for (const node of tree) {
    const path = above + encodeElement(node.title);
    paths.set(node.entry_group_id, path);
    pathsOf(node.children, `${path}/`, paths);
  }
  return paths;
}
