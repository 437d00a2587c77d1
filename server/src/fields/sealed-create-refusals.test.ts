/** The form that a sealed field needs to be stored (docs/spec/crypto.md §19). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeBase64, encodeBase64 } from '@passwordbroker/core/crypto/bytes';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { createSealedPlace, sealedField } from '../testing/sealed-place.ts';
import type { SealedPlace } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { expectRefusal, invalid, malformed } from './testing/refusal.ts';

let app: TestApp;
let ada: SignedIn;
let place: SealedPlace;
let path: string;

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  place = await createSealedPlace(ada);
  path = `/passwordBroker/api/entryGroups/${place.g}/entries/${place.e}/fields`;
});
afterAll(() => app.stop());

type Members = Record<string, unknown>;
type Change = (members: Members) => void;

const refused = (members: Members, expected: object) =>
  expectRefusal(app, () => ada.request({ path, json: members }), expected);

/** Changes the bytes of the member. */
const bytesOf = (member: string, change: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>): Change => {
  return (members) => {
    members[member] = encodeBase64(change(decodeBase64(String(members[member]))));
  };
};
const byteAt = (member: string, at: number, byte: number) =>
  bytesOf(member, (bytes) => {
    bytes[at] = byte;
    return bytes;
  });
/** Truncates or pads with zeros to that many bytes; the start stays. */
const ofLength = (member: string, length: number) =>
  bytesOf(member, (bytes) => {
    const other = new Uint8Array(length);
    other.set(bytes.subarray(0, length));
    return other;
  });
const spelled = (member: string, spell: (text: string) => string): Change => {
  return (members) => {
    members[member] = spell(String(members[member]));
  };
};

test('a well-formed field is stored, so each refusal below is caused by its change', async () => {
  const answer = await ada.request({ path, json: await sealedField(place) });
  expect(answer.status, answer.text).toBe(201);
});

describe.each(['cek_wrapped', 'value_encrypted', 'initialization_vector'])('%s', (member) => {
  test.each<[string, Change]>([
    ['with a line break', spelled(member, (text) => `${text.slice(0, 8)}\n${text.slice(8)}`)],
    ['with a trailing space', spelled(member, (text) => `${text} `)],
    ['without padding', (members) => (members[member] = 'QUJD'.repeat(14) + 'QQ')],
    ['in base64url', spelled(member, (text) => `-_${text.slice(2)}`)],
    ['with non-zero padding bits', (members) => (members[member] = 'QUJD'.repeat(14) + 'QR==')],
    ['of three bytes', (members) => (members[member] = 'QUJD')],
    ['that is not text', (members) => (members[member] = 7)],
    ['that is absent', (members) => delete members[member]],
    ['that is empty', (members) => (members[member] = '')],
  ])('%s', async (_, change) => {
    const members: Members = await sealedField(place);
    change(members);
    await refused(members, malformed(member));
  });
});

const SALT = encodeBase64(new Uint8Array(32));

describe('the form of the bytes', () => {
  test.each<[string, string, Change]>([
    ['a wrap of another version', 'cek_wrapped', byteAt('cek_wrapped', 2, 0x32)],
    ['a wrap of another magic', 'cek_wrapped', byteAt('cek_wrapped', 0, 0)],
    ['a wrap with the kind of a slot', 'cek_wrapped', byteAt('cek_wrapped', 3, 1)],
    ['a wrap with the kind of a value', 'cek_wrapped', byteAt('cek_wrapped', 3, 4)],
    ['a wrap of 115 bytes', 'cek_wrapped', ofLength('cek_wrapped', 115)],
    ['a wrap of 117 bytes', 'cek_wrapped', ofLength('cek_wrapped', 117)],
    ['a value of another version', 'value_encrypted', byteAt('value_encrypted', 2, 0x32)],
    ['a value with the kind of a wrap', 'value_encrypted', byteAt('value_encrypted', 3, 3)],
    ['a value of a reserved kind', 'value_encrypted', byteAt('value_encrypted', 3, 7)],
    ['a value without blocks', 'value_encrypted', ofLength('value_encrypted', 84)],
    ['a value of one block', 'value_encrypted', ofLength('value_encrypted', 84 + 64)],
    ['a value one byte shorter than two blocks', 'value_encrypted', ofLength('value_encrypted', 84 + 127)],
    ['a value one byte longer than two blocks', 'value_encrypted', ofLength('value_encrypted', 84 + 129)],
    ['a value of one block too many', 'value_encrypted', ofLength('value_encrypted', 84 + 1_441_792 + 64)],
    ['a vector of another salt', 'initialization_vector', (members) => (members['initialization_vector'] = SALT)],
    ['a truncated vector', 'initialization_vector', ofLength('initialization_vector', 31)],
    ['a vector that is too long', 'initialization_vector', ofLength('initialization_vector', 33)],
  ])('%s', async (_, member, change) => {
    const members: Members = await sealedField(place);
    change(members);
    await refused(members, malformed(member));
  });
});

const CHOICE = 'The crypto profile must be one of: pb1.';
describe('the plain members beside the sealed ones', () => {
  test.each<[string, Members, object]>([
    ['an unknown profile', { crypto_profile: 'pb2' }, invalid({ crypto_profile: CHOICE })],
    ['the older profile', { crypto_profile: 'L0' }, invalid({ crypto_profile: CHOICE })],
    ['a second revision', { rev: 2 }, invalid({ rev: 'The rev must be between 1 and 1.' })],
    ['no revision', { rev: undefined }, invalid({ rev: 'The rev is required.' })],
    ['a fractional revision', { rev: 1.5 }, invalid({ rev: 'The rev must be a whole number.' })],
    ['no key version', { gk_version: null }, invalid({ gk_version: 'The gk version is required.' })],
    ['no id', { field_id: undefined }, invalid({ field_id: 'The field id is required.' })],
    ['a malformed id', { field_id: 'f' }, invalid({ field_id: 'The field id is not a valid id.' })],
    [
      'an unknown type',
      { type: 'card' },
      invalid({ type: 'The type must be one of: password, link, note, file, TOTP.' }),
    ],
    ['a future key version', { gk_version: 2 }, { status: 409, code: 'key_version_conflict' }],
    [
      'a wrong key version, with the present one in the details',
      { gk_version: 7 },
      { status: 409, code: 'key_version_conflict', details: { current_gk_version: 1 } },
    ],
    [
      'a master password',
      { master_password: 'x' },
      invalid({ master_password: 'The master password is not expected.' }),
    ],
    [
      'a TOTP without its parameters',
      { type: 'TOTP' },
      invalid({ totp_hash_algorithm: 'The totp hash algorithm is required.' }),
    ],
    [
      'a TOTP without its period',
      { type: 'TOTP', totp_hash_algorithm: 'sha1' },
      invalid({ totp_timeout: 'The totp timeout is required.' }),
    ],
    ['a file as JSON', { type: 'file', file_name: 'a', file_size: 0 }, invalid({ file: 'Field File is missing' })],
  ])('%s', async (_, change, expected) => {
    const members = { ...(await sealedField(place)), ...change };
    await refused(members, expected);
  });

  test('a JSON body over its limit', async () => {
    const members = { ...(await sealedField(place)), more: 'x'.repeat(LIMITS.fieldJsonBytes) };
    const expected = { status: 413, code: 'payload_too_large', details: { limit: LIMITS.fieldJsonBytes } };
    await refused(members, expected);
  });
});
