/**
 * Wraps content keys of moved entries for another group (docs/spec/crypto.md §12). Values and bodies stay as
 * they are.
 */
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import { rewrapField } from '@passwordbroker/core/domain/fields/field';
import type { InputOf, OutputOf } from '../calls.ts';
import { committedKeyOf, requireConfirmed, sealingKeyOf, type HeldGroup, newestOf } from '../groups/held-group.ts';
import type { Served } from '../remote.ts';
import { trustError } from '../keyring-error.ts';

/** Rows between two progress notes and checks of the signal. */
const PORTION = 100;

/**
 * A row's ids are bound into its wrap, so a relabelled row does not open. Checks that only chosen entries are
 * wrapped.
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
