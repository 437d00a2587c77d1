/**
 * Many entries with sealed values, histories and files. The content of every revision follows from its name,
 * so that a restored one can be compared.
 */
import { v7 } from 'uuid';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import { decodeBase64, encodeBase64, utf8 } from '@passwordbroker/core/crypto/bytes';
import { openField, openFile, sealField, sealFile } from '@passwordbroker/core/domain/fields/field';
import type { GroupKey } from '@passwordbroker/core/domain/groups/grants';
import { openGroup } from '@passwordbroker/core/domain/groups/group-keys';
import { siteRulesOf } from '@passwordbroker/core/domain/sites/site-rules';
import type { FieldContent } from '@passwordbroker/core/domain/fields/payload';
import type { Database } from '../../db/database.ts';
import { openBulkWriter } from '../../db/bulk/writer.ts';
import type { Tables } from '../../db/schema/tables.ts';
import { NO_MARKS } from '../../entries/mark-entry.ts';
import { sealedGroup } from '../../testing/sealed-place.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';

type FieldRow = Tables['fields'];
type RevisionRow = Tables['field_revisions'];

interface Made {
  readonly entries: Tables['entries'][];
  readonly fields: FieldRow[];
  readonly revisions: RevisionRow[];
  readonly history: Tables['field_history'][];
}

const PORTION = 250;
/** Revisions of a password, the latest one last. */
const REVISIONS = 3;
const FILE_EVERY = 10;

/**
 * Fills a new group of the person with entries: a password with a history and a note each, and a file of two
 * revisions in every tenth.
 */
export async function fillSealed(app: TestApp, person: SignedIn, count: number): Promise<string> {
  const { body, groupKey } = await sealedGroup(person, { name: 'Round trip' });
  await person.call(groups.create, { body });
  const writer = await openBulkWriter(app.deps.db.path);
  try {
    for (let at = 0; at < count; at += PORTION) {
      const made = await makePortion(app, groupKey, { from: at, to: Math.min(count, at + PORTION), by: person.userId });
      await app.deps.db.exclusive(() =>
        writer.transact(async (_, insert) => {
          await insert('entries', made.entries);
          await insert('fields', made.fields);
          await insert('field_revisions', made.revisions);
          await insert('field_history', made.history);
        }),
      );
    }
  } finally {
    await writer.close();
  }
  return body.entry_group_id;
}

interface Portion {
  readonly from: number;
  readonly to: number;
  readonly by: string;
}

async function makePortion({ deps }: TestApp, key: GroupKey, { from, to, by }: Portion): Promise<Made> {
  const made: Made = { entries: [], fields: [], revisions: [], history: [] };
  for (let at = from; at < to; at += 1) {
    const now = deps.clock.now();
    const times = { created_at: now, updated_at: now };
    const entry_id = v7();
    const title = `Entry ${at}`;
    const entry = { entry_id, entry_group_id: key.groupId, title, ...NO_MARKS };
    made.entries.push({ ...entry, created_by: by, trashed_by: null, ...times });
    const kinds = ['password', 'link', ...(at % FILE_EVERY === 0 ? (['file'] as const) : [])] as const;
    for (const type of kinds) {
      const field_id = v7();
      const last = type === 'password' ? REVISIONS : type === 'file' ? 2 : 1;
      for (let rev = 1; rev <= last; rev += 1) {
        const revision = await sealedRevision(deps.bodies, key, { entry_id, field_id, type, rev, by, now });
        made.revisions.push(revision);
        made.history.push(historyOf(revision));
        if (rev === last) made.fields.push(fieldOf(revision, entry_id, type));
      }
    }
  }
  return made;
}

interface NewField {
  readonly entry_id: string;
  readonly field_id: string;
  readonly type: 'password' | 'link' | 'file';
  readonly rev: number;
}

async function sealedRevision(
  bodies: Database['bodies'],
  key: GroupKey,
  place: NewField & { readonly by: string; readonly now: number },
): Promise<RevisionRow> {
  const { entry_id, field_id, type, rev, by, now } = place;
  const title = `${type} ${rev}`;
  const file =
    type === 'file'
      ? await sealFile(field_id, { name: `${rev}.bin`, mime: 'application/octet-stream', bytes: fileOf(place) })
      : null;
  const value = utf8(textOf(place));
  const content: FieldContent =
    file !== null
      ? { type: 'file', title, file: file.secret }
      : type === 'password'
        ? { type, title, login: 'ada', value }
        : { type: 'link', title, value, sites: sitesOf(place) };
  const where = { entryGroupId: key.groupId, entryId: entry_id, fieldId: field_id, type, rev };
  const sealed = await sealField(key, where, content);
  const body = file === null ? null : await bodies.put(file.body);
  return {
    field_id,
    rev,
    crypto_profile: sealed.crypto_profile,
    gk_version: sealed.gk_version,
    cek_wrapped: Buffer.from(decodeBase64(sealed.cek_wrapped)),
    value: Buffer.from(decodeBase64(sealed.value_encrypted)),
    body_sha256: body?.sha256 ?? null,
    body_size: body?.size ?? null,
    title,
    login: type === 'password' ? 'ada' : null,
    totp_hash_algorithm: null,
    totp_timeout: null,
    file_name: file?.secret.name ?? null,
    file_mime: file?.secret.mime ?? null,
    file_size: file?.secret.size ?? null,
    site: sealed.site_sealed === undefined ? null : Buffer.from(decodeBase64(sealed.site_sealed)),
    author_sig: null,
    created_by: by,
    created_at: now,
  };
}

const sitesOf = ({ field_id }: Pick<NewField, 'field_id'>) => siteRulesOf(`https://${field_id}.example`, 'domain');
const textOf = ({ field_id, rev }: Pick<NewField, 'field_id' | 'rev'>) => `revision ${rev} of ${field_id} ☂`;
/** 1 to 40 kB. */
function fileOf({ field_id, rev }: Pick<NewField, 'field_id' | 'rev'>): Uint8Array<ArrayBuffer> {
  const size = 1000 * (1 + (Number.parseInt(field_id.slice(-2), 16) % 40));
  return new Uint8Array(Buffer.alloc(size, textOf({ field_id, rev })));
}

function fieldOf(row: RevisionRow, entry_id: string, type: NewField['type']): FieldRow {
  const { field_id, rev, title, login, totp_hash_algorithm, totp_timeout, file_name, file_mime, file_size } = row;
  const columns = { title, login, totp_hash_algorithm, totp_timeout, file_name, file_mime, file_size };
  const people = { created_by: row.created_by, updated_by: row.created_by, trashed_by: null };
  return {
    field_id,
    entry_id,
    type,
    rev,
    ...columns,
    ...people,
    created_at: row.created_at,
    updated_at: row.created_at,
  };
}

const historyOf = ({ field_id, rev, created_by, created_at }: RevisionRow): Tables['field_history'] => ({
  field_edit_log_id: v7(),
  field_id,
  event_type: rev === 1 ? 'created' : 'updated',
  rev,
  user_id: created_by,
  created_at,
});

/** Opens every revision with the group key granted to the person, and compares it with what was sealed. */
export async function openAll(app: TestApp, person: Pick<SignedIn, 'call' | 'keyring'>, groupId: string) {
  const wire = await person.call(groups.roster, { params: { g: groupId } });
  const { groupKey } = await openGroup(person.keyring, wire, groupId);
  const opened = { values: 0, files: 0 };
  const { read } = app.deps.db;
  for (let after = ''; ;) {
    const fields = await read
      .selectFrom('fields')
      .select(['field_id', 'entry_id', 'type'])
      .where('field_id', '>', after)
      .orderBy('field_id')
      .limit(PORTION)
      .execute();
    if (fields.length === 0) return opened;
    after = fields.at(-1)?.field_id ?? '';
    const placeOf = new Map(fields.map((field) => [field.field_id, field]));
    const rows = await read
      .selectFrom('field_revisions')
      .selectAll()
      .where('field_id', 'in', [...placeOf.keys()])
      .execute();
    for (const row of rows) {
      const field = placeOf.get(row.field_id);
      if (field === undefined) throw new Error('A revision of no field');
      await openOne(app, groupKey, row, field);
      opened[field.type === 'file' ? 'files' : 'values'] += 1;
    }
  }
}

async function openOne(
  { deps }: TestApp,
  key: GroupKey,
  row: RevisionRow,
  { entry_id, type }: Pick<FieldRow, 'entry_id' | 'type'>,
): Promise<void> {
  const place = { entryGroupId: key.groupId, entryId: entry_id, fieldId: row.field_id, type, rev: row.rev };
  const content = await openField(key, place, {
    rev: row.rev,
    gk_version: row.gk_version,
    cek_wrapped_base64: encodeBase64(row.cek_wrapped),
    encrypted_value_base64: encodeBase64(row.value),
    site_sealed_base64: row.site === null ? undefined : encodeBase64(row.site),
  });
  const isSame =
    content.type === 'file'
      ? Buffer.from(await openFile(row.field_id, content.file, deps.bodies.open(row.body_sha256 ?? ''))).equals(
          fileOf(row),
        )
      : Buffer.from(content.value).toString() === textOf(row) &&
        (content.type !== 'link' || JSON.stringify(content.sites) === JSON.stringify(sitesOf(row)));
  if (!isSame) throw new Error(`Another value in revision ${row.rev} of ${row.field_id}`);
}
