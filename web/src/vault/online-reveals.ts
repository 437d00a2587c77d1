/** Reveals: one envelope a time, released and witnessed by the server, opened by the keyring at the place that was clicked. */
import type { Field } from '@passwordbroker/core/contract/entities';
import * as fields from '@passwordbroker/core/contract/fields';
import type { OpenedContent } from '../keyring/calls.ts';
import type { VaultKeyring } from '../keyring/group-openings.ts';
import type { Http } from '../lib/http.ts';
import { disagreementsOf } from './disagreements.ts';
import { fieldParams, MAX_BODY_BYTES, onlineReleases, placeOf } from './online-releases.ts';
import type { Disagreement, FieldPath, Revealed, VaultRead } from './vault.ts';

type Reveals = Pick<VaultRead, 'reveal' | 'revealRevision' | 'openFile'>;

export function onlineReveals(http: Http, keyring: VaultKeyring): Reveals {
  const releases = onlineReleases(http, keyring);
  /** The highest revision that was opened, or listed beside what was opened, since the vault was unlocked; by field. */
  const seen = new Map<string, number>();
  keyring.onLocked(() => seen.clear());

  /** @param rev of what was opened */
  function ageOf({ field }: FieldPath, rev: number): readonly Disagreement[] {
    const newest = Math.max(seen.get(field.field_id) ?? 0, field.rev, rev);
    seen.set(field.field_id, newest);
    return rev < newest ? ['older'] : [];
  }

  /**
   * The field as it is listed with this revision. A list that is merely older disagrees rightly, so the present one is asked for; a server that calls
   * every list an old one gains nothing by it.
   */
  async function listedAs(path: FieldPath, rev: number, signal: AbortSignal | undefined): Promise<Field> {
    if (rev === path.field.rev) return path.field;
    return http.call(fields.get, { params: fieldParams(path), signal });
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
      const listed = { title: row.title, login: row.login };
      return { type: path.field.type, ...content, disagreements: disagreementsOf(listed, content) };
    },

    async openFile(path, { signal, onProgress } = {}) {
      const envelope = await releases.present(path, signal);
      const expected = envelope.file?.body_size ?? 0;
      const bytes = await http.bytes(fields.file, {
        params: fieldParams(path),
        query: { rev: envelope.rev },
        signal,
        maxBytes: MAX_BODY_BYTES,
        onReceived: (received, total) => onProgress?.(fractionOf(received, total === 0 ? expected : total)),
      });
      const input = { place: placeOf(path, envelope.rev), envelope, body: bytes.buffer };
      const { content, blob } = await keyring.call('openFile', input, { signal, transfer: [bytes.buffer] });
      const listed = await listedAs(path, envelope.rev, signal);
      return { revealed: revealed(path, content, listed, ageOf(path, envelope.rev)), blob };
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

const fractionOf = (done: number, total: number) => (total === 0 ? 0 : Math.min(1, done / total));
