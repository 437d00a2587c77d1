/** Reveals: one envelope a time, released and witnessed by the server, opened by the keyring at the place that was clicked. */
import type { Envelope } from '@passwordbroker/core/contract/entities';
import { roster } from '@passwordbroker/core/contract/entry-groups';
import * as fields from '@passwordbroker/core/contract/fields';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { OpenedContent, SealedPlace } from '../keyring/calls.ts';
import { KeyringError } from '../keyring/keyring-error.ts';
import type { Keyring } from '../keyring/keyring.ts';
import type { Http } from '../lib/http.ts';
import { disagreementsOf } from './disagreements.ts';
import type { FieldPath, Revealed, VaultRead } from './vault.ts';

type Reveals = Pick<VaultRead, 'reveal' | 'revealRevision' | 'openFile'>;

/** A sealed body is a little longer than its file: 36 bytes and 16 a chunk. */
const MAX_BODY_BYTES = LIMITS.fileBytes + LIMITS.multipartSlackBytes;

export function onlineReveals(http: Http, keyring: Keyring): Reveals {
  const paramsOf = ({ entryGroupId, entryId, field }: FieldPath) => ({
    g: entryGroupId,
    e: entryId,
    f: field.field_id,
  });

  /** The group first: where roster and key do not fit, nothing is asked of the server and nothing is witnessed. */
  async function openGroup({ entryGroupId }: FieldPath, envelope: Envelope | null, signal: AbortSignal | undefined) {
    const fetchRoster = () => http.call(roster, { params: { g: entryGroupId }, signal });
    const version = await keyring.openGroup(entryGroupId, fetchRoster);
    if (envelope === null || envelope.gk_version === version) return;
    // Rotated since: ask once for the newer roster.
    keyring.forgetGroup(entryGroupId);
    await keyring.openGroup(entryGroupId, fetchRoster);
  }

  async function release(path: FieldPath, fetchEnvelope: () => Promise<Envelope>, signal: AbortSignal | undefined) {
    if (!keyring.isOpen()) throw new KeyringError({ code: 'locked' });
    await openGroup(path, null, signal);
    const envelope = await fetchEnvelope();
    await openGroup(path, envelope, signal);
    return envelope;
  }

  return {
    async reveal(path, signal) {
      const envelope = await release(
        path,
        () => http.call(fields.envelope, { params: paramsOf(path), signal }),
        signal,
      );
      // The list may be older than the value, never newer: an earlier revision is not what was asked for.
      if (envelope.rev < path.field.rev) throw new KeyringError({ code: 'integrity', detail: 'rev' });
      const content = await keyring.call('openEnvelope', { place: placeOf(path, envelope.rev), envelope }, { signal });
      return revealed(path, content, envelope.rev === path.field.rev);
    },

    async revealRevision(path, row, signal) {
      const params = { ...paramsOf(path), logId: row.field_edit_log_id };
      const envelope = await release(path, () => http.call(fields.historyEnvelope, { params, signal }), signal);
      if (row.rev === null || envelope.rev !== row.rev) throw new KeyringError({ code: 'integrity', detail: 'rev' });
      const content = await keyring.call('openEnvelope', { place: placeOf(path, row.rev), envelope }, { signal });
      const listed = { title: row.title, login: row.login };
      return { ...revealed(path, content, false), disagreements: disagreementsOf(listed, content) };
    },

    async openFile(path, { signal, onProgress } = {}) {
      const params = paramsOf(path);
      const envelope = await release(path, () => http.call(fields.envelope, { params, signal }), signal);
      if (envelope.rev < path.field.rev) throw new KeyringError({ code: 'integrity', detail: 'rev' });
      const expected = envelope.file?.body_size ?? 0;
      const bytes = await http.bytes(fields.file, {
        params,
        query: { rev: envelope.rev },
        signal,
        maxBytes: MAX_BODY_BYTES,
        onReceived: (received, total) => onProgress?.(fractionOf(received, total === 0 ? expected : total)),
      });
      const input = { place: placeOf(path, envelope.rev), envelope, body: bytes.buffer };
      const { content, blob } = await keyring.call('openFile', input, { signal, transfer: [bytes.buffer] });
      return { revealed: revealed(path, content, envelope.rev === path.field.rev), blob };
    },
  };
}

const placeOf = ({ entryGroupId, entryId, field }: FieldPath, rev: number): SealedPlace => ({
  entryGroupId,
  entryId,
  fieldId: field.field_id,
  type: field.type,
  rev,
});

/** A list that is merely older than the value disagrees rightly. */
function revealed({ field }: FieldPath, content: OpenedContent, isListed: boolean): Revealed {
  return { type: field.type, ...content, disagreements: isListed ? disagreementsOf(field, content) : [] };
}

const fractionOf = (done: number, total: number) => (total === 0 ? 0 : Math.min(1, done / total));
