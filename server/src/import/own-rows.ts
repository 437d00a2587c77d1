/** Fields that this server seals in the caller's name, as rows: from sealed bytes, which never become text, through the same checks as anybody's. */
import { type FieldWork, type SealedField, sealFields } from '@passwordbroker/core/domain/import/import-fields';
import { fieldReader } from './batch-fields.ts';
import type { BatchField, FieldImporter, FieldRows, KeepBody } from './batch-fields.ts';
import type { PortionBytes } from './batch-rows.ts';
import { portionOf } from './checked-rows.ts';
import { asBytes } from './portion-bytes.ts';

/** Seals a portion and answers its rows, without those of the search, which are made beside. */
export type SealRows = (work: readonly FieldWork[]) => Promise<PortionBytes>;

/** @throws AppError for a file above the limit of the site */
export function rowsSealer(importer: FieldImporter, keep: KeepBody): SealRows {
  return async (work) => {
    const { fields, bodies } = await sealFields(work);
    const entries = new Set(work.map(({ entryId }) => entryId));
    const reader = fieldReader(importer, entries, new Map(bodies.map(({ part, bytes }) => [part, bytes])), keep);
    const rows: FieldRows[] = [];
    for (const [at, field] of fields.entries()) rows.push(await reader.read(asField(field), at));
    return asBytes(portionOf(rows, [], null));
  };
}

const asField = ({ fieldId, entryId, type, columns, revisions }: SealedField): BatchField => ({
  field_id: fieldId,
  entry_id: entryId,
  type,
  ...columns,
  revisions: revisions.map(({ sealed, own, at }) => ({
    rev: sealed.rev,
    gk_version: sealed.gkVersion,
    sealed,
    ...own,
    created_at: at ?? undefined,
  })),
});
