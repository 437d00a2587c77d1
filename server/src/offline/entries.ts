import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Field } from '@passwordbroker/core/contract/entities';
import type { OfflineEntry, OfflineField } from '@passwordbroker/core/contract/account/offline';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Database } from '../db/database.ts';
import { asEntry } from '../entries/entry-repository.ts';
import { asEnvelope, asField, byKindAndTitle } from '../fields/field-answers.ts';
import { type SealedField, listSealedFields } from '../fields/field-repository.ts';
import { listEntries, grouped } from './copy-repository.ts';

/** A few milliseconds before other requests run. */
const AT_ONCE = 150;

/** In the order of `ids`. */
export async function* entriesInOrder(
  read: Database['read'],
  ids: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<OfflineEntry> {
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    await nextTurn();
    // The client has disconnected.
    if (signal.aborted) throw new AppError('unavailable', { retryAfter: 1 });
    const portion = ids.slice(at, at + AT_ONCE);
    const entries = new Map((await listEntries(read, portion)).map((row) => [row.entry_id, row]));
    const fields = grouped(await listSealedFields(read, portion), ({ entry_id }) => entry_id);
    for (const id of portion) {
      const entry = entries.get(id);
      if (entry !== undefined) yield asOfflineEntry(entry, fields.get(id) ?? []);
    }
  }
}

function asOfflineEntry(
  entry: Awaited<ReturnType<typeof listEntries>>[number],
  rows: readonly SealedField[],
): OfflineEntry {
  const fields = rows.map((row) => asOfflineField(entry.entry_group_id, row)).sort(byKindAndTitle);
  const of = <Type extends Field['type']>(type: Type) =>
    fields.filter((field): field is Extract<OfflineField, { type: Type }> => field.type === type);
  return Object.assign(asEntry(entry), {
    passwords: of('password'),
    links: of('link'),
    notes: of('note'),
    files: of('file'),
    TOTPs: of('TOTP'),
  });
}

function asOfflineField(groupId: string, row: SealedField): OfflineField {
  const place = { groupId, entryId: row.entry_id, fieldId: row.field_id, type: row.type };
  const { cek_wrapped_base64, encrypted_value_base64, initialization_vector_base64, file } = asEnvelope(place, row);
  const sealed = { entry_group_id: groupId, cek_wrapped_base64, encrypted_value_base64, initialization_vector_base64 };
  return Object.assign(asField(row), sealed, { file });
}
