/** Seals revisions as the next ones, or their keys for another group (docs/spec/crypto.md §10–§12). */
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import { openField, openFile, sealField, sealFile, rewrapField } from '@passwordbroker/core/domain/fields/field';
import type { GroupKey } from '@passwordbroker/core/domain/groups/grants';
import { type FieldContent, wipeContent } from '@passwordbroker/core/domain/fields/payload';
import type { InputOf, OutputOf } from '../calls.ts';
import { columnsOf, wellFormed } from './contents.ts';
import {
  openingKeyOf,
  sealingKeyOf,
  type HeldGroup,
  committedKeyOf,
  requireConfirmed,
  newestOf,
} from '../open-session.ts';
import type { Served } from '../remote.ts';
import { trustError } from '../keyring-error.ts';

/** @throws KeyringError `key_mismatch`, `read_only`; CryptoError if the old revision does not open */
export async function resealRevision(
  group: HeldGroup,
  { place, from, title, body }: InputOf<'reseal'>,
): Promise<OutputOf<'reseal'>> {
  const key = sealingKeyOf(group);
  const opened = await openField(openingKeyOf(group, from.gk_version), { ...place, rev: from.rev }, from);
  try {
    const renamed = { ...opened, title: wellFormed(title ?? opened.title) };
    if (body === undefined) return { ...(await sealed(key, place, renamed)), body: null };
    const fresh = await withNewBody(place.fieldId, renamed, new Uint8Array(body));
    try {
      return { ...(await sealed(key, place, fresh.content)), body: fresh.body };
    } finally {
      wipeContent(fresh.content);
    }
  } finally {
    wipeContent(opened);
  }
}

async function sealed(key: GroupKey, place: InputOf<'reseal'>['place'], content: FieldContent) {
  return { revision: await sealField(key, place, content), columns: columnsOf(content) };
}

/** A new upload gets a new key and salt, even for the same bytes. */
async function withNewBody(fieldId: string, content: FieldContent, body: Uint8Array<ArrayBuffer>) {
  if (content.type !== 'file') throw new CryptoError('payload');
  const bytes = await openFile(fieldId, content.file, [body]);
  const { name, mime } = content.file;
  const fresh = await sealFile(fieldId, { name, mime, bytes }).finally(() => bytes.fill(0));
  return { content: { ...content, file: fresh.secret }, body: new Blob([fresh.body]) };
}

/** Rows between checks of the signal. */
const PORTION = 100;

/**
 * Wraps only chosen entries. A row's ids are bound into its wrap, so a relabelled row does not open.
 * @throws KeyringError `key_mismatch` for a version not opened or not committed to, those of
 * `requireConfirmed`; CryptoError
 */
export async function rewrapRows(
  from: HeldGroup,
  toGroup: HeldGroup,
  { entryIds, rows, toHash }: Pick<InputOf<'rewrap'>, 'entryIds' | 'rows' | 'toHash'>,
  { signal, onProgress }: Served<'rewrap'>,
): Promise<OutputOf<'rewrap'>> {
  requireConfirmed(from);
  const to = sealingKeyOf(toGroup);
  if (toHash !== undefined && newestOf(toGroup)?.hash !== toHash) throw trustError('other_list');
  const chosen = new Set(entryIds);
  const seen = new Set<string>();
  const rewrapOne = async (row: (typeof rows)[number]) => {
    const { entry_id: entryId, field_id: fieldId, type, rev } = row;
    const name = `${fieldId} ${rev}`;
    if (!chosen.has(entryId) || seen.has(name)) throw new CryptoError('payload');
    seen.add(name);
    const key = committedKeyOf(from, row.gk_version);
    const place = { entryGroupId: from.groupId, entryId, fieldId, type, rev };
    return { field_id: fieldId, rev, cek_wrapped: await rewrapField(key, to, place, row.cek_wrapped_base64) };
  };
  const rewraps: OutputOf<'rewrap'>['rewraps'] = [];
  for (let at = 0; at < rows.length; at += PORTION) {
    signal.throwIfAborted();
    rewraps.push(...(await Promise.all(rows.slice(at, at + PORTION).map(rewrapOne))));
    onProgress({ done: rewraps.length, total: rows.length });
  }
  return { target_gk_version: to.version, rewraps };
}
