/** Fields of an import, sealed portion by portion in any thread (docs/spec/api.md §3.10). */
import { type Bytes, utf8, randomBytes } from '../../crypto/bytes.ts';
import type { TotpAlgorithm } from '../fields/field-kinds.ts';
import { type SealedRevision, type SealedRevisionWire, sealFile, sealRevision, wireOf } from '../fields/field.ts';
import type { GroupKey } from '../groups/grants.ts';
import type { PlainContent, TreeField } from '../exchange/tree.ts';
import { type FieldContent, wipeContent } from '../fields/payload.ts';
import { type MaybePromise, andFinally } from '../../crypto/maybe-promise.ts';
import { v7 } from 'uuid';

/** Searchable copies of sealed metadata. */
export interface PlainColumnsWire {
  readonly title: string;
  readonly login?: string;
  readonly totp_hash_algorithm?: TotpAlgorithm;
  readonly totp_timeout?: number;
  readonly file_name?: string;
  readonly file_mime?: string;
  readonly file_size?: number;
}

interface ImportRevisionWire extends SealedRevisionWire, Partial<PlainColumnsWire> {
  readonly created_at?: string;
}

export interface ImportFieldWire extends PlainColumnsWire {
  readonly field_id: string;
  readonly entry_id: string;
  readonly type: TreeField['type'];
  readonly revisions: readonly ImportRevisionWire[];
}

/** The next revision of a field that exists. */
export interface ImportUpdateWire extends PlainColumnsWire {
  readonly entry_group_id: string;
  readonly entry_id: string;
  readonly field_id: string;
  readonly base_rev: number;
  readonly type: TreeField['type'];
  readonly revision: SealedRevisionWire;
}

export interface SealedPortion {
  readonly type: 'portion';
  readonly fields: readonly ImportFieldWire[];
  /** Empty unless the import goes into existing groups. */
  readonly updates: readonly ImportUpdateWire[];
  /** Sealed file bodies by part name, `file_{field_id}_{rev}`. */
  readonly bodies: readonly { readonly part: string; readonly bytes: Bytes }[];
}

/** Enough to keep WebCrypto busy. */
const SEALED_AT_ONCE = 16;
const PORTION = 250;
const FILE_MIME = 'application/octet-stream';

export interface NextRevision {
  readonly fieldId: string;
  readonly baseRev: number;
}

/** Can be cloned to another thread. */
export interface FieldWork {
  readonly field: TreeField;
  readonly groupKey: GroupKey;
  readonly entryId: string;
  /** Seals the field's newest revision as the next one of this field. */
  readonly next?: NextRevision;
}

export interface SealedField {
  readonly fieldId: string;
  readonly entryId: string;
  /** Null for a new field. */
  readonly base: { readonly entryGroupId: string; readonly rev: number } | null;
  readonly type: TreeField['type'];
  readonly columns: PlainColumnsWire;
  readonly revisions: readonly {
    readonly sealed: SealedRevision;
    /** Columns that differ from those of the field. */
    readonly own: Partial<PlainColumnsWire>;
    readonly at: number | null;
  }[];
}

export async function sealFields(
  work: readonly FieldWork[],
): Promise<{ fields: readonly SealedField[]; bodies: SealedPortion['bodies'] }> {
  const waiting = work.entries();
  const newId = monotonicIds(Date.now());
  const sealed: Awaited<ReturnType<typeof sealTreeField>>[] = [];
  const take = async () => {
    for (const [at, one] of waiting) sealed[at] = await sealTreeField(newId(), one);
  };
  await Promise.all(Array.from({ length: SEALED_AT_ONCE }, take));
  return { fields: sealed.map(({ field }) => field), bodies: sealed.flatMap(({ bodies }) => bodies) };
}

export async function sealPortion(work: readonly FieldWork[]): Promise<SealedPortion> {
  const { fields, bodies } = await sealFields(work);
  return {
    type: 'portion',
    fields: fields.filter(({ base }) => base === null).map(fieldWireOf),
    updates: fields.flatMap(updateWireOf),
    bodies,
  };
}

function updateWireOf({ fieldId, entryId, base, type, columns, revisions: [made] }: SealedField): ImportUpdateWire[] {
  if (base === null || made === undefined) return [];
  const ids = { entry_group_id: base.entryGroupId, entry_id: entryId, field_id: fieldId };
  return [{ ...ids, base_rev: base.rev, type, ...columns, revision: wireOf(made.sealed) }];
}

const fieldWireOf = ({ fieldId, entryId, type, columns, revisions }: SealedField): ImportFieldWire => ({
  field_id: fieldId,
  entry_id: entryId,
  type,
  ...columns,
  revisions: revisions.map(({ sealed, own, at }) => ({
    ...wireOf(sealed),
    ...own,
    ...(at === null ? {} : { created_at: new Date(at).toISOString() }),
  })),
});

export const presentColumns = (field: TreeField): PlainColumnsWire => columnsOf(presentOf(field).content);

function presentOf({ revisions }: TreeField): TreeField['revisions'][number] {
  const present = revisions.at(-1);
  if (present === undefined) throw new RangeError('A field has a revision');
  return present;
}

const PORTION_BYTES = 4 * 1024 * 1024;

/** At most 250 fields and about 4 MiB of values each. */
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

async function sealTreeField(newId: string, { field, groupKey, entryId, next }: FieldWork) {
  const { type } = field;
  const fieldId = next?.fieldId ?? newId;
  const present = presentOf(field);
  const columns = columnsOf(present.content);
  const bodies: { part: string; bytes: Bytes }[] = [];
  const revisions: SealedField['revisions'][number][] = [];
  for (const [at, { content, at: when }] of (next === undefined ? field.revisions : [present]).entries()) {
    const place = { entryGroupId: groupKey.groupId, entryId, fieldId, type, rev: (next?.baseRev ?? 0) + at + 1 };
    const made = sealableOf(fieldId, content);
    const { sealable, body } = made instanceof Promise ? await made : made;
    if (body !== null) bodies.push({ part: `file_${fieldId}_${place.rev}`, bytes: body });
    const sealing = andFinally(
      () => sealRevision(groupKey, place, sealable),
      () => wipeContent(sealable),
    );
    const sealed = sealing instanceof Promise ? await sealing : sealing;
    const own = content === present.content ? {} : differences(columnsOf(content), columns);
    revisions.push({ sealed, own, at: when });
  }
  const base = next === undefined ? null : { entryGroupId: groupKey.groupId, rev: next.baseRev };
  const sealedField: SealedField = { fieldId, entryId, base, type, columns, revisions };
  return { field: sealedField, bodies };
}

function differences(columns: PlainColumnsWire, from: PlainColumnsWire): Partial<PlainColumnsWire> {
  const names = Object.keys(columns) as (keyof PlainColumnsWire)[];
  return Object.fromEntries(names.filter((name) => columns[name] !== from[name]).map((name) => [name, columns[name]]));
}

interface Sealable {
  readonly sealable: FieldContent;
  readonly body: Bytes | null;
}

/** A file becomes a sealed body, whose key is part of the content. */
function sealableOf(fieldId: string, content: PlainContent): MaybePromise<Sealable> {
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
    case 'file':
      return sealedFileOf(fieldId, content);
  }
}

async function sealedFileOf(
  fieldId: string,
  { type, title, name, bytes }: Extract<PlainContent, { type: 'file' }>,
): Promise<Sealable> {
  const { body, secret } = await sealFile(fieldId, { name, mime: FILE_MIME, bytes });
  return { sealable: { type, title, file: secret }, body };
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

/** One call for each id would dominate the cost. */
const BATCH = 256;
const BYTES = 16;

/** Ascending UUIDs of version 7. @param now milliseconds */
export function monotonicIds(now: number): () => string {
  // The counter has 31 bits; starting in the lower half, it never overflows.
  let seq = new DataView(randomBytes(4).buffer).getUint32(0) >>> 2;
  let pool = randomBytes(0);
  return () => {
    if (pool.length < BYTES) pool = randomBytes(BATCH * BYTES);
    const random = pool.subarray(0, BYTES);
    pool = pool.subarray(BYTES);
    seq += 1;
    return v7({ msecs: now, seq, random });
  };
}
