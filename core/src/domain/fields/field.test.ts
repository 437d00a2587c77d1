/** One revision of a field: frozen envelopes, places, moves, files (docs/spec/crypto.md §10–§12; M1–M7). */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { decodeBase64, decodeHex, encodeBase64, randomBytes, sameBytes, utf8 } from '../../crypto/bytes.ts';
import { importSealingKey } from '../../crypto/seal.ts';
import { RUNS, uuid } from '../../testing/arbitraries.ts';
import frozen from '../../testing/fixtures/pb1_frozen.json' with { type: 'json' };
import { errorCodeOf } from '../../testing/error-code.ts';
import {
  type FieldContext,
  openField,
  openFile,
  openSite,
  rewrapField,
  sealField,
  sealFile,
  sealSiteAgain,
} from './field.ts';
import { siteRulesOf } from '../sites/site-rules.ts';
import { FIELD_TYPES, type FieldType } from './field-kinds.ts';
import { type GroupKey, createGroupSecret, deriveGroupKey } from '../groups/grants.ts';
import type { FieldContent } from './payload.ts';
import { isSiteShape, isValueShape, isVectorOf, isWrappedContentKeyShape } from './sealed-shape.ts';

const groupId = crypto.randomUUID();
const otherGroup = crypto.randomUUID();
const at = (type: FieldType): FieldContext => ({
  entryGroupId: groupId,
  entryId: crypto.randomUUID(),
  fieldId: crypto.randomUUID(),
  type,
  rev: 1,
});
let key: GroupKey;
let otherKey: GroupKey;
beforeAll(async () => {
  key = await deriveGroupKey(createGroupSecret(), groupId, 1);
  otherKey = await deriveGroupKey(createGroupSecret(), otherGroup, 2);
});

const note = (value: string): FieldContent => ({ type: 'note', title: 'title', value: utf8(value) });
const envelopeOf = (sealed: Awaited<ReturnType<typeof sealField>>) => ({
  rev: sealed.rev,
  gk_version: sealed.gk_version,
  cek_wrapped_base64: sealed.cek_wrapped,
  encrypted_value_base64: sealed.value_encrypted,
});
const contents: Record<FieldType, FieldContent> = {
  password: { type: 'password', title: 'p', login: 'root', value: utf8('s3cret') },
  link: { type: 'link', title: 'l', value: utf8('https://example.org') },
  note: note('text'),
  TOTP: { type: 'TOTP', title: 't', value: utf8('JBSWY3DPEHPK3PXP'), totp: { algorithm: 'sha1', period: 30 } },
  file: {
    type: 'file',
    title: 'f',
    file: { name: 'a.txt', mime: '', size: 0, sha256: new Uint8Array(32), key: randomBytes(32) },
  },
};

describe('a sealed revision', () => {
  test.each(FIELD_TYPES)('of type %s has the shape that the server checks, and opens', async (type) => {
    const place = at(type);
    const sealed = await sealField(key, place, contents[type]);
    const [value, wrap] = [decodeBase64(sealed.value_encrypted), decodeBase64(sealed.cek_wrapped)];
    expect([isValueShape(value), isWrappedContentKeyShape(wrap)]).toEqual([true, true]);
    expect(isVectorOf(sealed.initialization_vector, value)).toBe(true);
    expect(sealed).toMatchObject({ rev: 1, crypto_profile: 'pb1', gk_version: 1 });
    expect(await openField(key, place, envelopeOf(sealed))).toEqual(contents[type]);
  });

  test('M1–M4 opens only at its own path', async () => {
    const place = at('note');
    const envelope = envelopeOf(await sealField(key, place, note('value')));
    const change = fc.oneof(
      uuid.map((entryId) => ({ entryId })),
      uuid.map((fieldId) => ({ fieldId })),
      uuid.map((entryGroupId) => ({ entryGroupId })),
      fc.integer({ min: 2 }).map((rev) => ({ rev })),
      fc.constantFrom(...FIELD_TYPES.filter((type) => type !== 'note')).map((type) => ({ type })),
    );
    await fc.assert(
      fc.asyncProperty(change, async (changed) => {
        expect(await errorCodeOf(() => openField(key, { ...place, ...changed }, envelope))).toBe('commit');
      }),
      { numRuns: RUNS / 2 },
    );
    expect(await errorCodeOf(() => openField(otherKey, place, envelope))).toBe('commit');
    expect(await errorCodeOf(async () => openField({ ...key, version: 2 }, place, envelope))).toBe('commit');
  });

  test('M1 values and wraps of two fields cannot be swapped', async () => {
    const [one, other] = [at('note'), at('note')];
    const [first, second] = [
      envelopeOf(await sealField(key, one, note('1'))),
      envelopeOf(await sealField(key, other, note('2'))),
    ];
    expect(await errorCodeOf(() => openField(key, one, second))).toBe('commit');
    const mixed = { ...first, encrypted_value_base64: second.encrypted_value_base64 };
    expect(await errorCodeOf(() => openField(key, one, mixed))).toBe('commit');
  });

  test('M4 an old revision with a new number is rejected', async () => {
    const place = at('password');
    const old = envelopeOf(await sealField(key, place, contents.password));
    expect(await errorCodeOf(() => openField(key, { ...place, rev: 2 }, { ...old, rev: 2 }))).toBe('commit');
  });

  test('is sealed only for its own group, with canonical ids and its own type', async () => {
    const wrong: Partial<FieldContext>[] = [
      { entryGroupId: otherGroup },
      { entryId: crypto.randomUUID().toUpperCase() },
      { fieldId: 'field' },
      { rev: 0 },
      { rev: 1.5 },
      { type: 'link' },
    ];
    for (const change of wrong) {
      expect(await errorCodeOf(() => sealField(key, { ...at('note'), ...change }, note('x')))).toBe('payload');
    }
  });

  test('the stored length is the same for all short secrets', async () => {
    const lengths = await Promise.all(
      ['', 'a', 'correct horse'].map(
        async (value) => (await sealField(key, at('note'), note(value))).value_encrypted.length,
      ),
    );
    expect(new Set(lengths).size).toBe(1);
  });
});

describe('a move to another group', () => {
  test('wraps the content key again; value and revision stay, and the old path no longer opens it', async () => {
    const place = at('password');
    const sealed = await sealField(key, place, contents.password);
    const cek_wrapped_base64 = await rewrapField(key, otherKey, place, sealed.cek_wrapped);
    const moved = { ...envelopeOf(sealed), cek_wrapped_base64, gk_version: 2 };
    expect(await openField(otherKey, { ...place, entryGroupId: otherGroup }, moved)).toEqual(contents.password);
    expect(await errorCodeOf(() => openField(key, place, moved))).toBe('commit');
    expect(await errorCodeOf(() => rewrapField(otherKey, key, place, sealed.cek_wrapped))).toBe('commit');
  });
});

describe('a file', () => {
  const bytes = randomBytes(100_000);
  const upload = (fieldId: string) => sealFile(fieldId, { name: 'a.bin', mime: 'text/plain', bytes });

  test('opens unchanged, and only with a matching payload', async () => {
    const { fieldId } = at('file');
    const { body, secret } = await upload(fieldId);
    expect(secret).toMatchObject({ name: 'a.bin', mime: 'text/plain', size: 100_000 });
    expect(sameBytes(await openFile(fieldId, secret, [body]), bytes)).toBe(true);
    expect(await errorCodeOf(() => openFile(fieldId, { ...secret, size: 99_999 }, [body]))).toBe('file_mismatch');
    expect(await errorCodeOf(() => openFile(fieldId, { ...secret, sha256: new Uint8Array(32) }, [body]))).toBe(
      'file_mismatch',
    );
    expect(await errorCodeOf(() => openFile(crypto.randomUUID(), secret, [body]))).toBe('file_chunk 0');
  });

  test('keeps its body when it is renamed and moved: two revisions, one body', async () => {
    const place = at('file');
    const { body, secret } = await upload(place.fieldId);
    const first: FieldContent = { type: 'file', title: 'f', file: secret };
    await sealField(key, place, first);
    const renamed: FieldContent = { type: 'file', title: 'g', file: { ...secret, name: 'b.bin' } };
    const second = await sealField(key, { ...place, rev: 2 }, renamed);
    const wrap = await rewrapField(key, otherKey, { ...place, rev: 2 }, second.cek_wrapped);
    const moved = { ...place, entryGroupId: otherGroup, rev: 2 };
    const opened = await openField(otherKey, moved, { ...envelopeOf(second), cek_wrapped_base64: wrap });
    if (opened.type !== 'file') throw new Error('not a file');
    expect(opened.file.name).toBe('b.bin');
    expect(sameBytes(await openFile(place.fieldId, opened.file, [body]), bytes)).toBe(true);
  });

  test('M2 bodies of two fields, and of two uploads of one field, cannot be swapped', async () => {
    const [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
    const [first, second, again] = [await upload(one), await upload(other), await upload(one)];
    expect(await errorCodeOf(() => openFile(one, first.secret, [second.body]))).toBe('file_chunk 0');
    expect(await errorCodeOf(() => openFile(one, first.secret, [again.body]))).toBe('file_chunk 0');
  });
});

describe('frozen envelopes', () => {
  test.each(frozen.fields.map((row) => [row.name, row] as const))('%s', async (_, row) => {
    const { entry_group_id, entry_id, field_id } = frozen.ids;
    const frozenKey: GroupKey = {
      groupId: entry_group_id,
      version: row.gk_version,
      key: await importSealingKey(decodeHex(frozen.group_key_hex)),
    };
    const place = {
      entryGroupId: entry_group_id,
      entryId: entry_id,
      fieldId: field_id,
      type: row.type as FieldType,
      rev: row.rev,
    };
    const opened = await openField(frozenKey, place, row);
    const payload = JSON.parse(row.payload) as { title: string; value_base64?: string };
    expect(opened.title).toBe(payload.title);
    if (opened.type !== 'file') expect(encodeBase64(opened.value)).toBe(payload.value_base64);
  });
});

describe('the site rules of a link', () => {
  const rules = siteRulesOf('https://example.org');
  const sealLink = async () => {
    const place = at('link');
    const { site_sealed = '', ...sealed } = await sealField(key, place, contents.link);
    return { place, sealed, row: { cek_wrapped_base64: sealed.cek_wrapped, site_sealed_base64: site_sealed } };
  };

  test('are sealed with the value, open without it, and come with it where they are given', async () => {
    const { place, sealed, row } = await sealLink();
    expect(isSiteShape(decodeBase64(row.site_sealed_base64))).toBe(true);
    expect(await openSite(key, place, row)).toEqual(rules);
    expect(await openField(key, place, { ...envelopeOf(sealed), ...row })).toEqual({ ...contents.link, sites: rules });
    expect(await openField(key, place, envelopeOf(sealed))).toEqual(contents.link);
  });

  test('of other types are not sealed', async () => {
    for (const type of FIELD_TYPES.filter((one) => one !== 'link'))
      expect(await sealField(key, at(type), contents[type])).not.toHaveProperty('site_sealed');
  });

  test('are bound to entry, field and revision; the value opens all the same', async () => {
    const { place, sealed, row } = await sealLink();
    const other = await sealLink();
    const exchanged = { ...row, site_sealed_base64: other.row.site_sealed_base64 };
    expect(await errorCodeOf(() => openSite(key, place, exchanged))).toBe('commit');
    expect(await openField(key, place, { ...envelopeOf(sealed), ...exchanged })).toEqual(contents.link);
    for (const change of [{ rev: 2 }, { fieldId: other.place.fieldId }, { entryId: other.place.entryId }])
      expect(await errorCodeOf(() => openSite(key, { ...place, ...change }, row))).toBe('commit');
    const value = { ...row, site_sealed_base64: sealed.value_encrypted };
    expect(await errorCodeOf(() => openSite(key, place, value))).toBe('kind');
  });

  test('can be replaced under the same content key, which stays valid for both in another group', async () => {
    const { place, sealed, row } = await sealLink();
    const site_sealed_base64 = await sealSiteAgain(key, place, row.cek_wrapped_base64, [{ mode: 'never' }]);
    expect(await openSite(key, place, { ...row, site_sealed_base64 })).toEqual([{ mode: 'never' }]);
    const cek_wrapped_base64 = await rewrapField(key, otherKey, place, row.cek_wrapped_base64);
    const moved = { ...envelopeOf(sealed), cek_wrapped_base64, site_sealed_base64 };
    const opened = await openField(otherKey, { ...place, entryGroupId: otherGroup }, moved);
    expect(opened).toEqual({ ...contents.link, sites: [{ mode: 'never' }] });
  });
});
