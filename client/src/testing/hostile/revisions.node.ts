/** Every revision that a server stores. */
import { encodeBase64 } from '@passwordbroker/core/crypto/bytes';
import type { Database } from '../../../../server/src/db/database.ts';
import type { PastRevision } from './past.node.ts';

export async function storedRevisions(read: Database['read']): Promise<PastRevision[]> {
  const rows = await read
    .selectFrom('field_revisions')
    .innerJoin('fields', 'fields.field_id', 'field_revisions.field_id')
    .innerJoin('entries', 'entries.entry_id', 'fields.entry_id')
    .select([
      'entries.entry_group_id',
      'entries.entry_id',
      'fields.field_id',
      'fields.type',
      'field_revisions.rev',
      'field_revisions.gk_version',
      'field_revisions.cek_wrapped',
      'field_revisions.value',
    ])
    .execute();
  return rows.map((row) => ({
    groupId: row.entry_group_id,
    entryId: row.entry_id,
    fieldId: row.field_id,
    type: row.type,
    rev: row.rev,
    gkVersion: row.gk_version,
    cekBase64: encodeBase64(new Uint8Array(row.cek_wrapped)),
    valueBase64: encodeBase64(new Uint8Array(row.value)),
  }));
}
