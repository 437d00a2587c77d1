/**
 * Seals what was read from a file into the batch of `api.md` §3.10: ids chosen here, one key a group, one content key a revision, no unwrap at all. It comes in
 * portions, so that neither side ever holds all of it twice.
 */
import { v7 } from 'uuid';
import { type Bytes, utf8 } from '../crypto/bytes.ts';
import type { TotpAlgorithm } from './field-kinds.ts';
import { type SealedRevisionWire, sealField, sealFile } from './field.ts';
import type { GroupKey } from './grants.ts';
import { type NewGroupKeyWire, createGroupKeys } from './group-keys.ts';
import type { KeepassTree, PlainContent, SkippedThing, TreeField, TreeGroup } from './keepass/tree.ts';
import type { Keyring } from './keyring.ts';
import { type FieldContent, wipeContent } from './payload.ts';

export interface ImportGroupWire extends NewGroupKeyWire {
  readonly entry_group_id: string;
  readonly parent_entry_group_id?: string;
  readonly name: string;
  readonly created_at?: string;
  readonly updated_at?: string;
}

export interface ImportEntryWire {
  readonly entry_id: string;
  readonly entry_group_id: string;
  readonly title: string;
  readonly created_at?: string;
  readonly updated_at?: string;
}

/** The search copy of what is sealed; a type has some of them. */
export interface PlainColumnsWire {
  readonly title: string;
  readonly login?: string;
  readonly totp_hash_algorithm?: TotpAlgorithm;
  readonly totp_timeout?: number;
  readonly file_name?: string;
  readonly file_mime?: string;
  readonly file_size?: number;
}

/** A revision has columns of its own where they are not those of its field. */
export interface ImportRevisionWire extends SealedRevisionWire, Partial<PlainColumnsWire> {
  readonly created_at?: string;
}

export interface ImportFieldWire extends PlainColumnsWire {
  readonly field_id: string;
  readonly entry_id: string;
  readonly type: TreeField['type'];
  readonly revisions: readonly ImportRevisionWire[];
}

export interface SealedHead {
  readonly type: 'head';
  readonly groups: readonly ImportGroupWire[];
  readonly entries: readonly ImportEntryWire[];
  /** How many fields follow. */
  readonly fields: number;
  readonly skipped: readonly SkippedThing[];
}

export interface SealedPortion {
  readonly type: 'portion';
  readonly fields: readonly ImportFieldWire[];
  /** Sealed file bodies by part name, `file_{field_id}_{rev}`. */
  readonly bodies: readonly { readonly part: string; readonly bytes: Bytes }[];
}

export interface SealOptions {
  readonly rootName: string;
  /** Milliseconds. */
  readonly now: number;
  readonly signal?: AbortSignal | undefined;
  /** Fields sealed so far, and all of them. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Enough to keep WebCrypto busy in a browser. More would only be in memory, half done, for the garbage collector to carry about. */
const SEALED_AT_ONCE = 16;
/** Fields in one portion, at most. */
const PORTION = 250;
const FILE_MIME = 'application/octet-stream';

/** One field and what it is sealed under. Survives a structured clone to another thread. */
export interface FieldWork {
  readonly field: TreeField;
  readonly groupKey: GroupKey;
  readonly entryId: string;
}

/** Everything but the fields, which may then be sealed portion by portion, in any thread. @throws the signal's reason when aborted */
export async function prepareImport(
  keyring: Keyring,
  tree: KeepassTree,
  { rootName, now, signal }: Pick<SealOptions, 'rootName' | 'now' | 'signal'>,
): Promise<{ head: SealedHead; work: readonly FieldWork[] }> {
  const groups = await makeGroups(keyring, tree, rootName, now, signal);
  const entries = tree.entries.map((entry) => ({
    entry_id: v7(),
    entry_group_id: groupAt(groups, entry.group).wire.entry_group_id,
    title: entry.title,
    ...times(entry),
  }));
  const work = tree.entries.flatMap((entry, at) =>
    entry.fields.map((field) => ({
      field,
      groupKey: groupAt(groups, entry.group).groupKey,
      entryId: entries[at]?.entry_id ?? '',
    })),
  );
  const wires = groups.map(({ wire }) => wire);
  return { head: { type: 'head', groups: wires, entries, fields: work.length, skipped: tree.skipped }, work };
}

export async function sealPortion(work: readonly FieldWork[]): Promise<SealedPortion> {
  const waiting = work.entries();
  const sealed: Awaited<ReturnType<typeof sealTreeField>>[] = [];
  const take = async () => {
    for (const [at, one] of waiting) sealed[at] = await sealTreeField(one.groupKey, one.entryId, one.field);
  };
  await Promise.all(Array.from({ length: SEALED_AT_ONCE }, take));
  return { type: 'portion', fields: sealed.map(({ wire }) => wire), bodies: sealed.flatMap(({ bodies }) => bodies) };
}

/** First the head, then portions of fields. @throws the signal's reason when aborted */
export async function* sealImport(
  keyring: Keyring,
  tree: KeepassTree,
  options: SealOptions,
): AsyncGenerator<SealedHead | SealedPortion> {
  const { signal, onProgress } = options;
  const { head, work } = await prepareImport(keyring, tree, options);
  yield head;
  let done = 0;
  for (const some of portionsOf(work)) {
    signal?.throwIfAborted();
    const portion = await sealPortion(some);
    onProgress?.((done += some.length), work.length);
    yield portion;
  }
}

/** A portion ends here too, so that a few large values do not make one that is too large for memory. */
const PORTION_BYTES = 4 * 1024 * 1024;

/** The work in portions for `sealPortion`: at most 250 fields, and not much more than 4 MiB of values, each. */
export function* portionsOf(work: readonly FieldWork[]): Generator<readonly FieldWork[]> {
  let some: FieldWork[] = [];
  let bytes = 0;
  for (const one of work) {
    some.push(one);
    bytes += sizeOf(one.field);
    if (some.length < PORTION && bytes < PORTION_BYTES) continue;
    yield some;
    some = [];
    bytes = 0;
  }
  if (some.length > 0) yield some;
}

const sizeOf = ({ revisions }: TreeField) =>
  revisions.reduce((sum, { content }) => sum + (content.type === 'file' ? content.bytes : content.value).length, 0);

interface MadeGroup {
  readonly wire: ImportGroupWire;
  readonly groupKey: GroupKey;
}

function groupAt(groups: readonly MadeGroup[], at: number): MadeGroup {
  const group = groups[at];
  if (group === undefined) throw new RangeError('A group comes before what lies in it');
  return group;
}

/** Keys of so many groups are made at the same time. */
const GROUPS_AT_ONCE = 16;

async function makeGroups(
  keyring: Keyring,
  tree: KeepassTree,
  rootName: string,
  now: number,
  signal: AbortSignal | undefined,
): Promise<MadeGroup[]> {
  const ids = tree.groups.map(() => v7());
  const idAt = (at: number): string => {
    const id = ids[at];
    if (id === undefined) throw new RangeError('A group comes before what lies in it');
    return id;
  };
  const members = [{ identity: keyring.identity, role: 'admin' as const }];
  const make = async (group: TreeGroup, at: number): Promise<MadeGroup> => {
    const groupId = idAt(at);
    const { groupKey, wire } = await createGroupKeys(keyring, { groupId, members, now });
    const place = group.parent === null ? {} : { parent_entry_group_id: idAt(group.parent) };
    const name = group.parent === null ? rootName : group.name;
    return { groupKey, wire: { entry_group_id: groupId, ...place, name, ...wire, ...times(group) } };
  };
  const made: MadeGroup[] = [];
  for (let at = 0; at < tree.groups.length; at += GROUPS_AT_ONCE) {
    signal?.throwIfAborted();
    const some = tree.groups.slice(at, at + GROUPS_AT_ONCE);
    made.push(...(await Promise.all(some.map((group, index) => make(group, at + index)))));
  }
  return made;
}

const time = (at: number) => new Date(at).toISOString();

function times({ created, modified }: { readonly created: number | null; readonly modified: number | null }) {
  return {
    ...(created === null ? {} : { created_at: time(created) }),
    ...(modified === null ? {} : { updated_at: time(modified) }),
  };
}

async function sealTreeField(groupKey: GroupKey, entryId: string, field: TreeField) {
  const fieldId = v7();
  const { type } = field;
  const present = field.revisions.at(-1);
  if (present === undefined) throw new RangeError('A field has a revision');
  const columns = columnsOf(present.content);
  const bodies: { part: string; bytes: Bytes }[] = [];
  const revisions: ImportRevisionWire[] = [];
  for (const [at, { content, at: when }] of field.revisions.entries()) {
    const place = { entryGroupId: groupKey.groupId, entryId, fieldId, type, rev: at + 1 };
    const { sealable, body } = await sealableOf(fieldId, content);
    if (body !== null) bodies.push({ part: `file_${fieldId}_${place.rev}`, bytes: body });
    const sealed = await sealField(groupKey, place, sealable).finally(() => wipeContent(sealable));
    const own = content === present.content ? {} : differences(columnsOf(content), columns);
    revisions.push({ ...sealed, ...own, ...(when === null ? {} : { created_at: time(when) }) });
  }
  const wire: ImportFieldWire = { field_id: fieldId, entry_id: entryId, type, ...columns, revisions };
  return { wire, bodies };
}

/** What the first has otherwise than the second. */
function differences(columns: PlainColumnsWire, from: PlainColumnsWire): Partial<PlainColumnsWire> {
  const names = Object.keys(columns) as (keyof PlainColumnsWire)[];
  return Object.fromEntries(names.filter((name) => columns[name] !== from[name]).map((name) => [name, columns[name]]));
}

/** The content as it is sealed; a file's bytes become a sealed body whose key is in the content. */
async function sealableOf(
  fieldId: string,
  content: PlainContent,
): Promise<{ sealable: FieldContent; body: Bytes | null }> {
  switch (content.type) {
    case 'password':
      return { sealable: { ...content, value: utf8(content.value) }, body: null };
    case 'link':
    case 'note':
      return { sealable: { ...content, value: utf8(content.value) }, body: null };
    case 'TOTP': {
      const { type, title, value, algorithm, period } = content;
      return { sealable: { type, title, value: utf8(value), totp: { algorithm, period } }, body: null };
    }
    case 'file': {
      const { type, title, name, bytes } = content;
      const { body, secret } = await sealFile(fieldId, { name, mime: FILE_MIME, bytes });
      return { sealable: { type, title, file: secret }, body };
    }
  }
}

function columnsOf(content: PlainContent): PlainColumnsWire {
  const { title } = content;
  switch (content.type) {
    case 'password':
      return { title, login: content.login };
    case 'TOTP':
      return { title, totp_hash_algorithm: content.algorithm, totp_timeout: content.period };
    case 'file':
      return { title, file_name: content.name, file_mime: FILE_MIME, file_size: content.bytes.length };
    case 'link':
    case 'note':
      return { title };
  }
}
