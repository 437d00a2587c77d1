/**
 * Revisions that the worker makes from existing ones: the next one of a field, or rewrapped for another
 * group.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Envelope } from '@passwordbroker/core/contract/entities';
import { openField, openFile, sealField, sealFile, type FieldContext } from '@passwordbroker/core/domain/fields/field';
import type { GroupKey } from '@passwordbroker/core/domain/groups/grants';
import { createGroupKeys } from '@passwordbroker/core/domain/groups/group-keys';
import type { FieldContent } from '@passwordbroker/core/domain/fields/payload';
import { createPerson } from '@passwordbroker/core/testing/keyrings';
import type { HeldGroup } from '../open-session.ts';
import { resealRevision, rewrapRows } from './resealing.ts';

const PLACE: FieldContext = {
  entryGroupId: 'aaaaaaaa-2222-4333-8444-555555555555',
  entryId: 'bbbbbbbb-2222-4333-8444-555555555555',
  fieldId: 'cccccccc-2222-4333-8444-555555555555',
  type: 'password',
  rev: 1,
};
const OTHER_GROUP = 'eeeeeeee-2222-4333-8444-555555555555';

let key: GroupKey;
let otherKey: GroupKey;
let group: HeldGroup;
let otherGroup: HeldGroup;

beforeAll(async () => {
  const { keyring } = await createPerson();
  const members = [{ identity: keyring.identity, role: 'admin' as const }];
  const keyOf = async (groupId: string) =>
    (await createGroupKeys(keyring, { groupId, members, now: Date.now() })).groupKey;
  [key, otherKey] = await Promise.all([keyOf(PLACE.entryGroupId), keyOf(OTHER_GROUP)]);
  [group, otherGroup] = [heldWith(key), heldWith(otherKey)];
});

const heldWith = (present: GroupKey): HeldGroup => ({
  groupId: present.groupId,
  shown: {
    groupId: present.groupId,
    path: ['Group'],
    origin: 'client',
    lists: [],
    keyFits: true,
    proof: 'right',
  },
  trust: { state: 'confirmed', how: 'remembered' },
  linked: [],
  wires: [],
  base: null,
  uncommitted: new Set(),
  version: present.version,
  keys: new Map([[present.version, present]]),
  hasOlder: false,
  gkVersion: present.version,
  grants: [],
});

const password = (): FieldContent => ({
  type: 'password',
  title: 'Root',
  login: 'ada',
  value: new TextEncoder().encode('s3cr3t'),
});
async function envelopeOf(content: FieldContent, place: FieldContext = { ...PLACE, type: content.type }) {
  const revision = await sealField(key, place, content);
  return {
    ...wireOf(revision),
    field_id: place.fieldId,
    entry_id: place.entryId,
    entry_group_id: place.entryGroupId,
    type: place.type,
    file: null,
  } satisfies Envelope;
}
const wireOf = (revision: Awaited<ReturnType<typeof sealField>>) => ({
  rev: revision.rev,
  crypto_profile: revision.crypto_profile,
  gk_version: revision.gk_version,
  cek_wrapped_base64: revision.cek_wrapped,
  encrypted_value_base64: revision.value_encrypted,
  initialization_vector_base64: revision.initialization_vector,
});

describe('a revision sealed as the next one', () => {
  test('opens at its new revision number only, and the page receives everything but the value', async () => {
    const from = await envelopeOf(password());
    const resealed = await resealRevision(group, { place: { ...PLACE, rev: 5 }, from });
    expect(resealed).toMatchObject({ columns: { title: 'Root', login: 'ada', totp: null, file: null }, body: null });
    expect(resealed.columns).not.toHaveProperty('text');
    const wire = wireOf(resealed.revision);
    expect(await openField(key, { ...PLACE, rev: 5 }, wire)).toEqual(password());
    await expect(openField(key, { ...PLACE, rev: 1 }, wire)).rejects.toMatchObject({ code: 'commit' });
    expect(wire.cek_wrapped_base64).not.toBe(from.cek_wrapped_base64);
  });

  test('of another field or another key version is refused', async () => {
    const from = await envelopeOf(password());
    const place = { ...PLACE, fieldId: 'dddddddd-2222-4333-8444-555555555555', rev: 2 };
    await expect(resealRevision(group, { place, from })).rejects.toMatchObject({ code: 'commit' });
    const rotated = { ...from, gk_version: 2 };
    await expect(resealRevision(group, { place: { ...PLACE, rev: 2 }, from: rotated })).rejects.toMatchObject({
      code: 'key_mismatch',
    });
  });

  test('a file without its body keeps its key; one with its body gets a new key', async () => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, at) => at % 250);
    const { body, secret } = await sealFile(PLACE.fieldId, { name: 'a.bin', mime: 'text/html', bytes });
    const from = await envelopeOf({ type: 'file', title: 'F', file: secret });
    const place = { ...PLACE, type: 'file' as const, rev: 2 };

    const kept = await resealRevision(group, { place, from, title: 'Renamed' });
    const keptContent = await openField(key, place, wireOf(kept.revision));
    expect(keptContent).toEqual({ type: 'file', title: 'Renamed', file: secret });
    expect(kept.columns).toMatchObject({ title: 'Renamed', file: { name: 'a.bin', mime: 'text/html', size: 70_000 } });

    const renewed = await resealRevision(group, { place, from, body: body.slice().buffer });
    const content = await openField(key, place, wireOf(renewed.revision));
    if (content.type !== 'file' || renewed.body === null) throw new Error('A file with a body');
    expect(content.file.key).not.toEqual(secret.key);
    const stored = new Uint8Array(await renewed.body.arrayBuffer());
    expect(await openFile(PLACE.fieldId, content.file, [stored])).toEqual(bytes);
  });

  test('a damaged body is not stored again', async () => {
    const bytes = new Uint8Array(100);
    const { body, secret } = await sealFile(PLACE.fieldId, { name: 'a', mime: '', bytes });
    const from = await envelopeOf({ type: 'file', title: 'F', file: secret });
    const cut = body.slice(0, -1).buffer;
    const place = { ...PLACE, type: 'file' as const, rev: 2 };
    await expect(resealRevision(group, { place, from, body: cut })).rejects.toMatchObject({ code: 'file_chunk' });
  });
});

describe('wraps for another group', () => {
  const entryIds = [PLACE.entryId];
  const served = () => {
    const progress: number[] = [];
    const stop = new AbortController();
    return {
      progress,
      stop,
      watch: { signal: stop.signal, onProgress: ({ done }: { done: number }) => progress.push(done) },
    };
  };
  async function rowsOf(count: number) {
    const places = Array.from({ length: count }, (_, at) => ({ ...PLACE, rev: at + 1 }));
    const envelopes = await Promise.all(places.map((place) => envelopeOf(password(), place)));
    return envelopes.map(({ field_id, entry_id, type, rev, gk_version, cek_wrapped_base64 }) => ({
      field_id,
      entry_id,
      type,
      rev,
      gk_version,
      cek_wrapped_base64,
    }));
  }

  test('open in the target group with the same value, and no longer in the source group', async () => {
    const from = await envelopeOf(password());
    const [row] = await rowsOf(1);
    const rows = [{ ...row!, cek_wrapped_base64: from.cek_wrapped_base64 }];
    const { rewraps, target_gk_version } = await rewrapRows(group, otherGroup, { entryIds, rows }, served().watch);
    expect(target_gk_version).toBe(otherKey.version);
    const moved = { ...from, cek_wrapped_base64: rewraps[0]?.cek_wrapped ?? '' };
    expect(await openField(otherKey, { ...PLACE, entryGroupId: OTHER_GROUP }, moved)).toEqual(password());
    await expect(openField(key, PLACE, moved)).rejects.toMatchObject({ code: 'commit' });
  });

  test('are made in portions that report progress', async () => {
    const { progress, watch } = served();
    const { rewraps } = await rewrapRows(group, otherGroup, { entryIds, rows: await rowsOf(230) }, watch);
    expect(rewraps.map(({ rev }) => rev)).toEqual(Array.from({ length: 230 }, (_, at) => at + 1));
    expect(progress).toEqual([100, 200, 230]);
  });

  test('can be aborted between portions', async () => {
    const { stop, watch } = served();
    stop.abort(new DOMException('gone', 'AbortError'));
    await expect(rewrapRows(group, otherGroup, { entryIds, rows: await rowsOf(1) }, watch)).rejects.toThrow('gone');
  });

  type Row = Awaited<ReturnType<typeof rowsOf>>[number];
  test.each<[string, (rows: Row[]) => Row[], string]>([
    [
      'an entry that was not selected',
      ([row]) => [{ ...row!, entry_id: 'dddddddd-2222-4333-8444-555555555555' }],
      'payload',
    ],
    ['a row that occurs twice', ([row]) => [row!, row!], 'payload'],
    ['another revision number', ([row]) => [{ ...row!, rev: 9 }], 'commit'],
    ['another type', ([row]) => [{ ...row!, type: 'note' }], 'commit'],
    ['another field’s wrap', ([row]) => [{ ...row!, field_id: 'dddddddd-2222-4333-8444-555555555555' }], 'commit'],
    ['another key version', ([row]) => [{ ...row!, gk_version: 2 }], 'key_mismatch'],
  ])('a lying server is refused: %s', async (_, lie, code) => {
    const rows = lie(await rowsOf(1));
    await expect(rewrapRows(group, otherGroup, { entryIds, rows }, served().watch)).rejects.toMatchObject({ code });
  });
});
