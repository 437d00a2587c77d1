/** Inserts thousands of sealed fields that can be opened. */
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { sealField } from '@passwordbroker/core/domain/fields/field';
import type { GroupKey } from '@passwordbroker/core/domain/groups/grants';
import type { Transact } from '../../server/src/db/database.ts';

const PORTION = 500;

interface TargetEntry {
  readonly g: string;
  readonly e: string;
  readonly groupKey: GroupKey;
}

interface Fields {
  readonly count: number;
  readonly makerId: string;
  /** People who have revealed each field once. */
  readonly readerIds: readonly string[];
}

/** Passwords in one entry, each with one revision, under the first key of the group. */
export async function addManyFields(
  transact: (work: (tx: Transact) => Promise<void>) => Promise<void>,
  place: TargetEntry,
  { count, makerId, readerIds }: Fields,
): Promise<void> {
  const columns = { title: 'Field', login: 'ada', totp_hash_algorithm: null, totp_timeout: null };
  const noFile = { file_name: null, file_mime: null, file_size: null };
  const plain = { ...columns, ...noFile, created_by: makerId, created_at: 1 };
  for (let at = 0; at < count; at += PORTION) {
    const rows = await Promise.all(
      Array.from({ length: Math.min(PORTION, count - at) }, async () => {
        const field_id = crypto.randomUUID();
        const spot = { entryGroupId: place.g, entryId: place.e, fieldId: field_id, type: 'password' as const, rev: 1 };
        const content = { type: 'password' as const, title: 'Field', login: 'ada', value: utf8('secret') };
        const { cek_wrapped, value_encrypted } = await sealField(place.groupKey, spot, content);
        const bytes = {
          cek_wrapped: Buffer.from(cek_wrapped, 'base64'),
          value: Buffer.from(value_encrypted, 'base64'),
        };
        return { field_id, ...bytes };
      }),
    );
    await transact(async (tx) => {
      const common = { ...plain, entry_id: place.e, type: 'password' as const, rev: 1, updated_by: makerId };
      await tx
        .insertInto('fields')
        .values(rows.map(({ field_id }) => ({ ...common, field_id, updated_at: 1, trashed_by: null })))
        .execute();
      const revision = { ...plain, rev: 1, crypto_profile: 'pb1' as const, gk_version: 1, author_sig: null };
      await tx
        .insertInto('field_revisions')
        .values(rows.map((row) => ({ ...revision, ...row, body_sha256: null, body_size: null })))
        .execute();
      const opened = { event_type: 'decrypted' as const, rev: 1, created_at: 1 };
      const history = readerIds.flatMap((user_id) =>
        rows.map(({ field_id }) => ({ ...opened, field_edit_log_id: crypto.randomUUID(), field_id, user_id })),
      );
      await tx.insertInto('field_history').values(history).execute();
    });
  }
}
