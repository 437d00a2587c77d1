/**
 * Large valid and hostile bodies to every call that accepts them: none blocks the event loop for
 * more than 50 ms (T141).
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillPath } from '@passwordbroker/core/contract/endpoint';
import { me } from '@passwordbroker/core/contract/account/session';
import { prove } from '@passwordbroker/core/domain/keyring/proof';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { WRAPPED_KEY_BYTES } from '@passwordbroker/core/domain/fields/sealed-shape';
import { ROUTES } from '../app/app.ts';
import { sha256 } from '../platform/ids-and-digests.ts';
import { createSealedPlace } from '../testing/sealed-place.ts';
import { startTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';
import type { TestRequest } from '../testing/test-client.ts';
import { FORM, JSON_TYPE, expectCheap } from './testing/held-up.ts';

const KIB = 1024;
const REFUSED = [400, 403, 404, 409, 413, 422];
const API = '/passwordBroker/api';

let app: TestApp;
let ada: SignedIn;
let place: { readonly g: string; readonly e: string; readonly other: string; readonly moveId: string };
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  const [from, to] = [await createSealedPlace(ada, { name: 'From' }), await createSealedPlace(ada, { name: 'To' })];
  const move = await ada.request(
    await proven('PATCH', `${API}/entryGroups/${from.g}/entries/${from.e}`, {
      entryGroupTarget: to.g,
      target_gk_version: 1,
      rewraps: [],
    }),
  );
  expect(move.status, move.text).toBe(200);
  place = { g: to.g, e: from.e, other: from.g, moveId: String(move.headers['x-operation-id']) };
});
afterAll(() => app.stop());

/** A request with a valid proof, so that only its contents can be refused. */
async function proven(method: string, path: string, body: unknown): Promise<TestRequest> {
  const raw = typeof body === 'string' ? body : JSON.stringify(body);
  const { session_id } = await ada.call(me);
  const bodyDigest = new Uint8Array(sha256(Buffer.from(raw)));
  const call = { sessionId: session_id ?? '', method, path, bodyDigest };
  const proof = await prove(ada.keyring, call, app.deps.clock.now());
  return { method, path, raw, headers: { ...JSON_TYPE, 'x-pb-proof': proof, 'if-match': '1' } };
}

const base64 = (size: number) => randomBytes(size).toString('base64');
const list = (count: number, of: (at: number) => object) => Array.from({ length: count }, (_, at) => of(at));
/** A wrapped key of the right form that no key opens. */
const wrap = Buffer.concat([Buffer.from([0x50, 0x42, 0x31, 0x05]), Buffer.alloc(WRAPPED_KEY_BYTES - 4, 7)]).toString(
  'base64',
);
const rewraps = list(LIMITS.rewraps, () => ({ field_id: randomUUID(), rev: 1, cek_wrapped: wrap }));
const grants = (count: number, of: object) =>
  list(count, () => ({ role: 'member', recipient_fpr: 'A'.repeat(52), encrypted_aes_password: base64(384), ...of }));
const newKey = () => ({
  gk_commit_base64: base64(32),
  grants: grants(5000, {}).map((grant) => ({ ...grant, user_id: randomUUID() })),
  roster_base64: base64(190 * KIB),
  roster_sig_base64: base64(64),
});

const VALID: readonly [name: string, method: string, path: () => string, body: () => unknown][] = [
  [
    'the undo of a move with 50,000 keys',
    'POST',
    () => `${API}/operations/${place.moveId}/undo`,
    () => ({ target_gk_version: 1, rewraps }),
  ],
  [
    'a move of entries with 50,000 keys',
    'POST',
    () => `${API}/entryGroups/${place.g}/entries/bulkEdit/move`,
    () => ({ entries: [place.e], entryGroupTarget: place.other, target_gk_version: 1, rewraps }),
  ],
  [
    'a move of one entry with 50,000 keys',
    'PATCH',
    () => `${API}/entryGroups/${place.g}/entries/${place.e}`,
    () => ({ entryGroupTarget: place.other, target_gk_version: 1, rewraps }),
  ],
  [
    'a group with 5,000 grants',
    'POST',
    () => `${API}/entryGroups`,
    () => ({ entry_group_id: randomUUID(), name: 'New', ...newKey() }),
  ],
  [
    'a new key of a group with 5,000 grants',
    'POST',
    () => `${API}/entryGroups/${place.g}/rotate`,
    () => ({ base_gk_version: 1, gk_version: 2, ...newKey() }),
  ],
  [
    'members of 100 groups',
    'POST',
    () => `${API}/groupUsers`,
    () => ({
      acts: list(100, () => ({
        entry_group_id: randomUUID(),
        target_user: ada.userId,
        role: 'member',
        gk_version: 1,
        encrypted_aes_password: base64(384),
        roster_base64: base64(28 * KIB),
        roster_sig_base64: base64(64),
      })),
    }),
  ],
  [
    'keys with 15,000 grants',
    'PUT',
    () => '/identity/api/keyBundle',
    () => ({
      key_bundle: ada.bundle,
      documents: [{ name: 'pins', blob_base64: base64(900 * KIB) }],
      grants: grants(15_000, { gk_version: 1 }).map((grant) => ({ ...grant, entry_group_id: randomUUID() })),
    }),
  ],
  [
    'a document of a megabyte',
    'PUT',
    () => '/identity/api/keyBundle/documents/pins',
    () => ({ blob_base64: base64(1000 * KIB) }),
  ],
  [
    'a trust record of four megabytes',
    'PUT',
    () => '/identity/api/keyBundle/documents/trust',
    () => ({ blob_base64: base64(4096 * KIB) }),
  ],
  [
    'a value of a megabyte',
    'POST',
    () => `${API}/entryGroups/${place.g}/entries/${place.e}/fields`,
    () => ({ type: 'note', title: 'Note', field_id: randomUUID(), rev: 1, value_encrypted: base64(1000 * KIB) }),
  ],
];

test.each(VALID)(
  'T141: %s blocks the event loop for less than 50 ms at a time',
  { timeout: 60_000 },
  async (_name, method, path, body) => {
    await expectCheap(await proven(method, path(), body()), ada, REFUSED);
  },
);

/** Every call whose JSON may be large, with its limit in bytes. */
const LARGE = ROUTES.flatMap(
  ({ endpoint: { method, path, jsonLimit } }): [name: string, method: string, path: string, most: number][] =>
    jsonLimit === undefined ? [] : [[`${method} ${path}`, method, path, jsonLimit]],
);
const filled = (unit: string, size: number) => unit.repeat(Math.floor(size / unit.length));

const HOSTILE: readonly [name: string, body: (size: number) => string][] = [
  ['empty elements', (size) => `{"rewraps":[${filled('{},', size - 20)}{}]}`],
  [
    'elements that are all wrong',
    (size) => `{"rewraps":[${filled('{"field_id":1,"rev":"x"},', Math.min(size - 20, 1_200_000))}{}]}`,
  ],
  ['elements of many members', (size) => `{"grants":[${filled(`{${filled('"a":1,', 600)}"b":1},`, size - 30)}{}]}`],
  ['one element of many', (size) => `{"grants":[[${filled('1234567,', size - 30)}1]]}`],
  ['numbers in a member of no name', (size) => `{"x":[${filled('12345678901234,', size - 20)}1]}`],
  ['members of the root', (size) => `{${filled('"abcdefghijklm":1,', size - 20)}"x":1}`],
  ['depth', (size) => `{"rewraps":${filled('[', size - 20)}`],
  ['blanks', (size) => `{"rewraps":[1${filled(' ', size - 20)}]}`],
  ['escaped quotes', (size) => `{"x":"${filled('\\"', size - 20)}"}`],
  ['backslashes', (size) => `{"x":"${filled('\\\\', size - 20)}"}`],
  ['signs of two bytes', (size) => `{"x":"${filled('é', size / 2 - 20)}"}`],
  ['digits', (size) => `{"x":${filled('9', size - 20)}}`],
  ['forbidden names', (size) => `{"rewraps":[${filled('{"__proto__":{}},', size - 30)}{}]}`],
];

/** All calls read a large body in the same way: each gets one of the hostile bodies, one call all of them, and with `npm run test:long` each call. */
const triedOn = (call: number) =>
  HOSTILE.filter((_, at) => process.env['TEST_LONG'] !== undefined || call === 0 || at === call % HOSTILE.length);

test.each(LARGE.map((call, index) => [...call, triedOn(index)] as const))(
  'T141: hostile bodies to %s block the event loop for less than 50 ms at a time',
  { timeout: 300_000 },
  async (_name, method, path, most, tried) => {
    const params = { g: place.g, e: place.e, f: randomUUID(), u: ada.userId, name: 'pins', operationId: place.moveId };
    const url = fillPath<string>(path, params);
    for (const [name, body] of tried) {
      const request = { method, path: url, raw: body(most - KIB), headers: { ...JSON_TYPE, 'if-match': '1' } };
      await expectCheap(request, ada, REFUSED).catch((error: unknown) => {
        throw new Error(`${name}: ${String(error)}`);
      });
    }
  },
);

test.each([
  ['plus signs', '+'],
  ['percent signs', '%41'],
  ['names', 'n=1&'],
])(
  'T141: a large form of %s blocks the event loop for less than 50 ms at a time',
  { timeout: 60_000 },
  async (_name, unit) => {
    const raw = `blob_base64=${filled(unit, 1400 * KIB)}`;
    const path = '/identity/api/keyBundle/documents/pins';
    await expectCheap({ method: 'PUT', path, raw, headers: { ...FORM, 'if-match': '0' } }, ada, REFUSED);
  },
);

test('T141: the answer to 49,999 wrong elements lists twenty errors', async () => {
  const path = `${API}/operations/${place.moveId}/undo`;
  const raw = `{"rewraps":[${`{"field_id":"${'0'.repeat(80)}"},`.repeat(49_999)}{}]}`;
  const { errors } = (await ada.request({ path, raw, headers: JSON_TYPE })).json<{ errors: object }>();
  expect(Object.keys(errors)).toHaveLength(20);
});
