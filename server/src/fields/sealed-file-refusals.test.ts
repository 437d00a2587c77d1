/** A sealed file beside its field: its form, its length, its limit (docs/spec/crypto.md §19.6). */
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { createSealedPlace, sealedFileField } from '../testing/sealed-place.ts';
import type { SealedPlace } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { expectRefusal, invalid, malformed } from './testing/refusal.ts';

type Bytes = Uint8Array<ArrayBuffer>;
type Members = Readonly<Record<string, string | number | undefined>>;

let app: TestApp;
let ada: SignedIn;
let place: SealedPlace;

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  place = await createSealedPlace(ada);
});
afterAll(() => app.stop());

function send(members: Members, body: Bytes | null, part = 'file') {
  const form = new FormData();
  for (const [name, value] of Object.entries(members)) if (value !== undefined) form.append(name, String(value));
  if (body !== null) form.append(part, new Blob([body]), 'sealed');
  const path = `/passwordBroker/api/entryGroups/${place.g}/entries/${place.e}/fields`;
  return ada.request({ path, multipart: form });
}

const flipped = (body: Bytes, at: number) => body.with(at, (body[at] ?? 0) ^ 1);

test.each([0, 1, 65_536, 65_537])('a sealed file of %i bytes is stored', async (size) => {
  const { members, body } = await sealedFileField(place, new Uint8Array(size));
  const answer = await send(members, body);
  expect(answer.status, answer.text).toBe(201);
  expect(answer.json()).toMatchObject({ file_size: size });
});

describe('the bytes of the body', () => {
  test.each<[string, (body: Bytes) => Bytes]>([
    ['another magic', (body) => flipped(body, 0)],
    ['another version', (body) => flipped(body, 3)],
    ['one byte too short', (body) => body.slice(0, -1)],
    ['one byte too long', (body) => new Uint8Array([...body, 0])],
    ['only the header', (body) => body.slice(0, 36)],
    ['half the magic', (body) => body.slice(0, 2)],
    ['nothing', () => new Uint8Array(0)],
  ])('%s', async (_, change) => {
    const { members, body } = await sealedFileField(place);
    await expectRefusal(app, () => send(members, change(body)), malformed('file'));
  });

  test.each([
    ['one byte too many', 16],
    ['one byte too few', 14],
    ['none', 0],
  ])('a wrong size: %s', async (_, file_size) => {
    const { members, body } = await sealedFileField(place);
    await expectRefusal(app, () => send({ ...members, file_size }, body), malformed('file'));
  });

  test('a size near the end of a chunk that would hide its tag', async () => {
    const { members, body } = await sealedFileField(place, new Uint8Array(65_537));
    await expectRefusal(app, () => send({ ...members, file_size: 65_553 }, body), malformed('file'));
  });
});

describe('the members beside the file', () => {
  const tooLarge = LIMITS.fileBytes + 1;
  test.each<[string, Members, Record<string, string>]>([
    ['no size', { file_size: undefined }, { file_size: 'The file size is required.' }],
    ['a negative size', { file_size: -1 }, { file_size: `The file size must be between 0 and ${LIMITS.fileBytes}.` }],
    [
      'a size over the limit',
      { file_size: tooLarge },
      { file_size: `The file size must be between 0 and ${LIMITS.fileBytes}.` },
    ],
    ['a fractional size', { file_size: '1.5' }, { file_size: 'The file size must be a whole number.' }],
    ['no name', { file_name: undefined }, { file_name: 'The file name is required.' }],
    ['an empty name', { file_name: '' }, { file_name: 'The file name is required.' }],
    [
      'a name that is too long',
      { file_name: 'x'.repeat(1025) },
      { file_name: 'The file name is too long (at most 1024 characters).' },
    ],
    [
      'a type that is too long',
      { file_mime: 'x'.repeat(1025) },
      { file_mime: 'The file mime is too long (at most 1024 characters).' },
    ],
  ])('%s', async (_, change, errors) => {
    const { members, body } = await sealedFileField(place);
    await expectRefusal(app, () => send({ ...members, ...change }, body), invalid(errors));
  });

  test('no body, or a body under another name', async () => {
    const { members, body } = await sealedFileField(place);
    const missing = invalid({ file: 'Field File is missing' });
    await expectRefusal(app, () => send(members, null), missing);
    await expectRefusal(app, () => send(members, body, 'body'), missing);
  });

  test('a wrap of the wrong length is refused with a file', async () => {
    const { members, body } = await sealedFileField(place);
    await expectRefusal(app, () => send({ ...members, cek_wrapped: 'QUJD' }, body), malformed('cek_wrapped'));
  });

  test('a stale key version is refused with a file', async () => {
    const { members, body } = await sealedFileField(place);
    const expected = { status: 409, code: 'key_version_conflict', details: { current_gk_version: 1 } };
    await expectRefusal(app, () => send({ ...members, gk_version: 2 }, body), expected);
  });

  test('a taken id is refused with a file', async () => {
    const first = await sealedFileField(place);
    expect((await send(first.members, first.body)).status).toBe(201);
    const { members, body } = await sealedFileField(place);
    const { field_id } = first.members;
    await expectRefusal(app, () => send({ ...members, field_id }, body), { status: 409, code: 'id_taken' });
  });
});

test('a file over the limit is refused before anything is stored (T54)', async () => {
  const { members } = await sealedFileField(place);
  const files = () => readdir(app.dataDir, { recursive: true });
  const before = await files();
  const limit = LIMITS.fileBytes + LIMITS.multipartSlackBytes;
  const body = new Uint8Array(limit + 1);
  await expectRefusal(app, () => send(members, body), { status: 413, code: 'payload_too_large', details: { limit } });
  expect(await files()).toEqual(before);
});
