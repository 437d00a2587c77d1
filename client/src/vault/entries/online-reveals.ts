/** A reveal releases one envelope, which the server records, and opens it at the place that was clicked. */
import type { Envelope, Field, FieldHistory } from '@passwordbroker/core/contract/entities';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import type { OpenedContent } from '../../keyring/calls.ts';
import type { VaultKeyring } from '../../keyring/groups/group-openings.ts';
import type { Http } from '../../transport/http.ts';
import { disagreementsOf } from '../trust/disagreements.ts';
import type { OnlineKeys } from '../online-keys.ts';
import { fieldParams, MAX_BODY_BYTES, onlineReleases, placeOf } from '../online-releases.ts';
import type { Disagreement, FieldPath, PastFieldPath, Revealed, VaultRead, Watched } from '../vault.ts';

type Reveals = Pick<VaultRead, 'reveal' | 'revealRevision' | 'openFile' | 'openRevisionFile'>;

export function onlineReveals(http: Http, keyring: VaultKeyring, keys: OnlineKeys): Reveals {
  const releases = onlineReleases(http, keyring, keys);
  /** Highest revision that was opened or listed since the unlock, by field. */
  const seen = new Map<string, number>();
  keyring.onLocked(() => seen.clear());

  function ageOf({ field }: FieldPath, rev: number): readonly Disagreement[] {
    const newest = Math.max(seen.get(field.field_id) ?? 0, field.rev, rev);
    seen.set(field.field_id, newest);
    return rev < newest ? ['older'] : [];
  }

  /**
   * An older list differs rightly, so the field is read again. The server gains nothing by calling a list
   * old.
   */
  async function listedAs(path: FieldPath, rev: number, signal: AbortSignal | undefined): Promise<Field> {
    if (rev === path.field.rev) return path.field;
    return http.call(fields.get, { params: fieldParams(path), signal });
  }

  function opened(path: PastFieldPath, envelope: Envelope, bytes: Uint8Array<ArrayBuffer>, signal?: AbortSignal) {
    const input = { place: placeOf(path, envelope.rev), envelope, body: bytes.buffer };
    return keyring.call('openFile', input, { signal, transfer: [bytes.buffer] });
  }

  return {
    async reveal(path, signal) {
      const envelope = await releases.present(path, signal);
      const content = await keyring.call('openEnvelope', { place: placeOf(path, envelope.rev), envelope }, { signal });
      return revealed(path, content, await listedAs(path, envelope.rev, signal), ageOf(path, envelope.rev));
    },

    async revealRevision(path, row, signal) {
      const envelope = await releases.ofRow(path, row, signal);
      const content = await keyring.call('openEnvelope', { place: placeOf(path, envelope.rev), envelope }, { signal });
      return revealedAsOf(path, row, content);
    },

    async openFile(path, watched = {}) {
      const envelope = await releases.present(path, watched.signal);
      const stored = { params: fieldParams(path), query: { rev: envelope.rev } };
      const bytes = await http.bytes(fields.file, { ...stored, ...watchedBytes(envelope, watched) });
      const { content, blob } = await opened(path, envelope, bytes, watched.signal);
      const listed = await listedAs(path, envelope.rev, watched.signal);
      return { revealed: revealed(path, content, listed, ageOf(path, envelope.rev)), blob };
    },

    async openRevisionFile(path, row, watched = {}) {
      const envelope = await releases.ofRow(path, row, watched.signal);
      const params = { ...fieldParams(path), logId: row.field_edit_log_id };
      const bytes = await http.bytes(fields.historyFile, { params, ...watchedBytes(envelope, watched) });
      const { content, blob } = await opened(path, envelope, bytes, watched.signal);
      return { revealed: revealedAsOf(path, row, content), blob };
    },
  };
}

const revealed = (
  { field }: FieldPath,
  content: OpenedContent,
  listed: Field,
  age: readonly Disagreement[],
): Revealed => ({
  type: field.type,
  ...content,
  disagreements: [...age, ...disagreementsOf(listed, content)],
});

const revealedAsOf = ({ field }: PastFieldPath, { title, login }: FieldHistory, content: OpenedContent): Revealed => ({
  type: field.type,
  ...content,
  disagreements: disagreementsOf({ title, login }, content),
});

/** Uses the envelope's size if the response has no length. */
function watchedBytes({ file }: Envelope, { signal, onProgress }: Watched) {
  const expected = file?.body_size ?? 0;
  return {
    signal,
    maxBytes: MAX_BODY_BYTES,
    onReceived: (received: number, total: number) => onProgress?.(fractionOf(received, total === 0 ? expected : total)),
  };
}

const fractionOf = (done: number, total: number) => (total === 0 ? 0 : Math.min(1, done / total));
