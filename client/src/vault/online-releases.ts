import type { Envelope, FieldHistory } from '@passwordbroker/core/contract/entities';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { SealedPlace } from '../keyring/calls.ts';
import { KeyringError } from '../keyring/keyring-error.ts';
import type { VaultKeyring } from '../keyring/groups/group-openings.ts';
import type { Http } from '../transport/http.ts';
import type { OnlineKeys } from './online-keys.ts';
import type { FieldPath, PastFieldPath } from './vault.ts';

/** A sealed body is longer than its file: 36 bytes and 16 per chunk. */
export const MAX_BODY_BYTES = LIMITS.fileBytes + LIMITS.multipartSlackBytes;

export interface OnlineReleases {
  /** @throws KeyringError 'locked', 'key_mismatch'; 'integrity' for a revision older than the list says */
  present(path: FieldPath, signal?: AbortSignal): Promise<Envelope>;
  /** @throws KeyringError 'integrity' for another revision than that of the row */
  ofRow(path: PastFieldPath, row: FieldHistory, signal?: AbortSignal): Promise<Envelope>;
}

export function onlineReleases(http: Http, keyring: VaultKeyring, keys: OnlineKeys): OnlineReleases {
  /** Opens the group first, so that nothing is released for a group that does not open. */
  async function release(
    { entryGroupId }: PastFieldPath,
    fetchEnvelope: () => Promise<Envelope>,
    signal?: AbortSignal,
  ) {
    if (!keyring.isOpen()) throw new KeyringError({ code: 'locked' });
    await keys.open(entryGroupId, undefined, signal);
    const envelope = await fetchEnvelope();
    await keys.open(entryGroupId, envelope.gk_version, signal);
    return envelope;
  }

  return {
    async present(path, signal) {
      const params = fieldParams(path);
      const envelope = await release(path, () => http.call(fields.envelope, { params, signal }), signal);
      // A list may be older than the value, never newer.
      if (envelope.rev < path.field.rev) throw new KeyringError({ code: 'integrity', detail: 'rev' });
      return envelope;
    },

    async ofRow(path, row, signal) {
      const params = { ...fieldParams(path), logId: row.field_edit_log_id };
      const envelope = await release(path, () => http.call(fields.historyEnvelope, { params, signal }), signal);
      if (row.rev === null || envelope.rev !== row.rev) throw new KeyringError({ code: 'integrity', detail: 'rev' });
      return envelope;
    },
  };
}

export const fieldParams = ({ entryGroupId, entryId, field }: PastFieldPath) => ({
  g: entryGroupId,
  e: entryId,
  f: field.field_id,
});

export const placeOf = ({ entryGroupId, entryId, field }: PastFieldPath, rev: number): SealedPlace => ({
  entryGroupId,
  entryId,
  fieldId: field.field_id,
  type: field.type,
  rev,
});
