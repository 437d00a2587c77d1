import { AppError } from '@passwordbroker/core/contract/problem';
import { EDIT_FIELD_TEXTS as TEXTS } from '../../texts/entries/fields.ts';
import type { FieldPath, Revealed, VaultRead } from '@passwordbroker/client/vault/vault';

export interface Present {
  readonly path: FieldPath;
  readonly revealed: Revealed;
}

/**
 * Reveals the current revision of a field, which may be newer than the cached list.
 * @throws errors of the vault; an Error if the field is gone
 */
export async function openPresent(read: VaultRead, path: FieldPath, signal: AbortSignal): Promise<Present> {
  const fields = await read.fields(path, signal);
  const field = fields.find(({ field_id }) => field_id === path.field.field_id);
  if (field === undefined) throw new Error(TEXTS.gone);
  const present = { ...path, field };
  return { path: present, revealed: await read.reveal(present, signal) };
}

export const isRevisionConflict = (failure: unknown) =>
  failure instanceof AppError && failure.code === 'revision_conflict';
