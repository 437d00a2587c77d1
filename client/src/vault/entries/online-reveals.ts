/** A reveal releases one envelope, which the server records, and opens it at the place that was clicked. */
import type { Envelope, Field, FieldHistory } from '@passwordbroker/core/contract/entities';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import type { OpenedContent, FieldContext } from '../../keyring/calls.ts';
import type { VaultKeyring } from '../../keyring/groups/group-openings.ts';
import type { Http } from '../../transport/http.ts';
import {
  type Disagreement,
  type FieldPath,
  type OnePurpose,
  type PastFieldPath,
  type ReleaseUse,
  type ResolvedPath,
  type Revealed,
  type VaultRead,
  type Watched,
} from '../vault.ts';
import type { OnlineKeys } from '../online-keys.ts';
import { disagreementsOf, type Listed } from '../trust/disagreements.ts';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { KeyringError } from '../../keyring/keyring-error.ts';

type Reveals = Pick<VaultRead, 'reveal' | 'revealSeveral' | 'revealRevision' | 'openFile' | 'openRevisionFile'>;

export function onlineReveals(http: Http, keyring: VaultKeyring, keys: OnlineKeys): Reveals {
  const releases = onlineReleases(http, keyring, keys);
  /** Highest revision that was opened or listed since the unlock, by field. */
  const seen = new Map<string, number>();
  keyring.onLocked(() => seen.clear());

  function ageOf({ field }: ResolvedPath, rev: number): readonly Disagreement[] {
    const newest = Math.max(seen.get(field.field_id) ?? 0, field.rev, rev);
    seen.set(field.field_id, newest);
    return rev < newest ? ['older'] : [];
  }

  /**
   * If the envelope has another revision than the list, reads the field again to compare with. A lying server
   * gains nothing by this.
   */
  async function listedAs(path: ResolvedPath, rev: number, signal: AbortSignal | undefined): Promise<Listed> {
    if (rev === path.field.rev) return path.field;
    return http.call(fields.get, { params: fieldParams(path), signal });
  }

  function opened(path: PastFieldPath, envelope: Envelope, bytes: Uint8Array<ArrayBuffer>, signal?: AbortSignal) {
    const input = { place: placeOf(path, envelope.rev), envelope, body: bytes.buffer };
    return keyring.call('openFile', input, { signal, transfer: [bytes.buffer] });
  }

  /** Opens the released value of a path. */
  async function shown(path: ResolvedPath, envelope: Envelope): Promise<Revealed> {
    const content = await keyring.call('openEnvelope', { place: placeOf(path, envelope.rev), envelope });
    return revealed(path, content, await listedAs(path, envelope.rev, undefined), ageOf(path, envelope.rev));
  }

  return {
    async revealSeveral(paths, use) {
      const values: Revealed[] = [];
      while (values.length < paths.length) {
        const some = paths.slice(values.length, values.length + LIMITS.releasesAtOnce);
        const envelopes = await releases.several(some, use);
        for (const [at, path] of some.slice(0, envelopes.length).entries()) {
          const envelope = envelopes[at];
          if (envelope !== undefined) values.push(await shown(path, envelope));
        }
      }
      return values;
    },

    async reveal(path, signal, purpose) {
      const envelope = await releases.present(path, signal, purpose);
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
  { field }: ResolvedPath,
  content: OpenedContent,
  listed: Listed,
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

/** A sealed body is longer than its file: 36 bytes and 16 per chunk. */
export const MAX_BODY_BYTES = LIMITS.fileBytes + LIMITS.multipartSlackBytes;

type ReleasedPath = PastFieldPath & { readonly field: Pick<Field, 'rev'> };

interface OnlineReleases {
  /** @throws KeyringError 'locked', 'key_mismatch'; 'integrity' for a revision older than the list says */
  present(path: FieldPath, signal?: AbortSignal, purpose?: OnePurpose): Promise<Envelope>;
  /** Of at most 100, the first ones in their order, one at least, each as `present`. */
  several(paths: readonly ReleasedPath[], use: ReleaseUse): Promise<readonly Envelope[]>;
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
    async present(path, signal, purpose) {
      const asked = { params: fieldParams(path), query: { purpose }, signal };
      const envelope = await release(path, () => http.call(fields.envelope, asked), signal);
      // A list may be older than the value, never newer.
      if (envelope.rev < path.field.rev) throw new KeyringError({ code: 'integrity', detail: 'rev' });
      return envelope;
    },

    async several(paths, use) {
      if (!keyring.isOpen()) throw new KeyringError({ code: 'locked' });
      const groupIds = [...new Set(paths.map(({ entryGroupId }) => entryGroupId))];
      for (const groupId of groupIds) await keys.open(groupId);
      const places = paths.map(({ entryGroupId, entryId, field }) => ({
        entry_group_id: entryGroupId,
        entry_id: entryId,
        field_id: field.field_id,
      }));
      const { releases } = await http.call(fields.release, { body: { fields: places, ...use } });
      if (releases.length === 0) throw new KeyringError({ code: 'integrity', detail: 'rev' });
      for (const [at, { entryGroupId, field }] of paths.slice(0, releases.length).entries()) {
        const envelope = releases[at];
        // A list may be older than the value, never newer.
        if (envelope === undefined || envelope.rev < field.rev)
          throw new KeyringError({ code: 'integrity', detail: 'rev' });
        await keys.open(entryGroupId, envelope.gk_version);
      }
      return releases;
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

export const placeOf = ({ entryGroupId, entryId, field }: PastFieldPath, rev: number): FieldContext => ({
  entryGroupId,
  entryId,
  fieldId: field.field_id,
  type: field.type,
  rev,
});
