/** Reads a file of another program in the worker. */
import type { FileArgon2 } from '@passwordbroker/core/domain/exchange/file-argon2';
import { ExchangeError } from '@passwordbroker/core/domain/exchange/exchange-error';
import { detectFormat, fileLimitOf, type Format, FORMATS } from '@passwordbroker/core/domain/exchange/formats';
import type { ExchangeTree, TreeEntry } from '@passwordbroker/core/domain/exchange/tree';
import { FIELD_TYPES } from '@passwordbroker/core/domain/fields/field-kinds';
import { foldText } from '@passwordbroker/core/domain/search-text';
import { siteRulesOf } from '@passwordbroker/core/domain/sites/site-rules';
import type { InputOf, OutputOf } from '../calls.ts';
import type { DetectedFile, FileKind, ImportSource, ImportWork, ReadFile } from './import-calls.ts';

/** @throws ExchangeError with what the person can do */
export async function detect(file: Blob): Promise<DetectedFile> {
  const { format, table, needsOf } = await detectFormat(file);
  const kindOf = (one: Format): FileKind => ({
    id: one.id,
    label: one.label,
    needs: needsOf(one),
    takesKeyFile: one.id === 'kdbx',
    better: one.better,
  });
  return {
    ...kindOf(format),
    limit: await fileLimitOf(file),
    table,
    kinds: FORMATS.map(kindOf).filter(({ needs }) => needs !== 'columns' || table !== null),
  };
}

interface Reading {
  readonly signal: AbortSignal;
  readonly onProgress: (work: ImportWork) => void;
  readonly argon2: FileArgon2;
}

/** @throws ExchangeError; the signal's reason */
export async function readFile(
  { file, kind, ...given }: ImportSource,
  { signal, onProgress, argon2 }: Reading,
): Promise<ExchangeTree> {
  const format = FORMATS.find(({ id }) => id === kind);
  if (format === undefined) throw new ExchangeError('unknown_kind', 'This file is of no kind that can be imported.');
  const began = performance.now();
  const read = await format.load();
  return read(file, given, {
    now: Date.now(),
    signal,
    argon2: (derivation) => {
      onProgress({ phase: 'opening', done: 0, total: secondsOf(derivation) });
      return argon2(derivation);
    },
    onProgress: (done, total) => {
      if (total !== 1) onProgress({ phase: 'reading', done, total });
      else if (done > 0) {
        const seconds = (performance.now() - began) / 1000;
        onProgress({ phase: 'opening', done: seconds, total: seconds / done });
      }
    },
  });
}

/** What one thread of WebAssembly fills in a second, measured on a slow laptop. */
const KIB_A_SECOND = 300 * 1024;

const secondsOf = ({ memoryKib, iterations }: Parameters<FileArgon2>[0]) => (memoryKib * iterations) / KIB_A_SECOND;

export function shown({ groups, entries, skipped }: ExchangeTree): Omit<ReadFile, 'handle'> {
  const fields = entries.flatMap((entry) => entry.fields);
  const files = fields.filter(({ type }) => type === 'file');
  const bytes = files.flatMap(({ revisions }) =>
    revisions.map(({ content }) => (content.type === 'file' ? content.bytes.length : 0)),
  );
  return {
    counts: {
      groups: groups.length,
      entries: entries.length,
      fields: fields.length,
      versions: fields.reduce((sum, { revisions }) => sum + revisions.length - 1, 0),
      files: files.length,
      fileBytes: bytes.reduce((sum, size) => sum + size, 0),
    },
    groups: groups.map(({ name, parent }) => ({ name, parent })),
    entries: entries.map((entry) => ({
      group: entry.group,
      title: entry.title,
      kinds: kindsOf(entry),
      fields: entry.fields.length,
    })),
    skipped,
  };
}

type Existing = InputOf<'compareImport'>['existing'];

/** Each existing entry is taken once; `existing` is null if an earlier entry of the file took it. */
export function sameEntries({ entries }: ExchangeTree, existing: Existing): OutputOf<'compareImport'> {
  const known = new Map<string, number[]>();
  for (const [index, { group, title, login }] of existing.entries()) {
    const key = keyOf(group, title, login);
    const own = known.get(key);
    if (own === undefined) known.set(key, [index]);
    else own.push(index);
  }
  const free = new Set(existing.keys());
  const same: { at: number; existing: number | null }[] = [];
  const elsewhere: { at: number; existing: number }[] = [];
  for (const [at, entry] of entries.entries()) {
    const host = hostOf(entry);
    const having = (group: number | null) =>
      (known.get(keyOf(group, entry.title, loginOf(entry))) ?? []).filter((index) =>
        isSameHost(existing[index]?.hosts ?? [], host),
      );
    const own = having(entry.group);
    const first = own.find((index) => free.has(index)) ?? null;
    if (first !== null) free.delete(first);
    if (own.length > 0) same.push({ at, existing: first });
    const [other] = own.length > 0 ? [] : having(null);
    if (other !== undefined) elsewhere.push({ at, existing: other });
  }
  return { same, elsewhere };
}

const keyOf = (group: number | null, title: string, login: string | null) =>
  JSON.stringify([group, foldText(title).trim(), login ?? '']);

/** True if either side has no host. */
const isSameHost = (hosts: Existing[number]['hosts'], host: string | null) =>
  hosts.length === 0 || host === null || hosts.includes(host);

/** Of the first link; null unless it is a web address. */
function hostOf({ fields }: TreeEntry): string | null {
  const content = fields.find(({ type }) => type === 'link')?.revisions.at(-1)?.content;
  const [rule] = content?.type === 'link' ? siteRulesOf(content.value) : [];
  return rule === undefined || rule.mode === 'never' ? null : rule.host;
}

/** Of the first password, by title, that has one; as the server lists it. */
function loginOf({ fields }: TreeEntry): string {
  const passwords = fields.flatMap(({ revisions }) => {
    const content = revisions.at(-1)?.content;
    return content?.type === 'password' && content.login !== '' ? [content] : [];
  });
  const [first] = passwords.toSorted((a, b) => (a.title < b.title ? -1 : a.title > b.title ? 1 : 0));
  return first?.login ?? '';
}

const kindsOf = ({ fields }: TreeEntry) =>
  fields.reduce((bits, { type }) => bits | (1 << FIELD_TYPES.indexOf(type)), 0);
