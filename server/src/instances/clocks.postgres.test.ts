/**
 * Two instances whose clocks differ by four minutes (docs/spec/threats.md §5.2.8): nobody is signed out, and
 * a refused request succeeds after one correction of its time.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import * as session from '@passwordbroker/core/contract/account/session';
import { fillPath } from '@passwordbroker/core/contract/endpoint';
import { prove } from '@passwordbroker/core/domain/keyring/proof';
import { LEASE_EXPIRES, Lease } from '../platform/leases/lease.ts';
import { sha256 } from '../platform/ids-and-digests.ts';
import { createSealedPlace, sealedField } from '../testing/sealed-place.ts';
import { startSecond } from '../testing/second-instance.ts';
import type { SecondInstance } from '../testing/second-instance.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { MINUTE, testClock } from '../testing/test-clock.ts';
import type { TestClock } from '../testing/test-clock.ts';

const APART = 4 * MINUTE;
let one: TestApp;
let two: SecondInstance;
let ahead: TestClock;
let ada: SignedIn;

beforeAll(async () => {
  one = await startTestApp();
  ada = await one.signUp('ada');
  ahead = testClock(one.clock.now() + APART);
  two = await startSecond(one, { clock: ahead });
});
afterAll(async () => {
  await two.stop();
  await one.stop();
});

const pass = (ms: number) => {
  one.clock.advance(ms);
  ahead.advance(ms);
};
const loggedIn = async () => {
  const answers = [await ada.call(session.me), await two.at(ada).call(session.me)];
  return answers.map(({ message }) => message);
};

test('a session in use stays valid at both instances, and an idle one ends at both (R28)', async () => {
  // Longer than the idle limit: uses at either instance extend the session.
  for (let passed = 0; passed < 60 * MINUTE; passed += 10 * MINUTE) {
    pass(10 * MINUTE);
    expect(await loggedIn()).toEqual(['loggedIn', 'loggedIn']);
  }
  pass(25 * MINUTE);
  expect(await loggedIn()).toEqual(['loggedIn', 'loggedIn']);
  // The last use has the time of the clock that is ahead.
  pass(31 * MINUTE + APART);
  expect((await loggedIn()).includes('loggedIn')).toBe(false);
  ada = await one.signIn(ada);
});

test('a proof by the clock of one instance is accepted by the other after at most one correction, and never twice (R28)', async () => {
  const place = await createSealedPlace(ada);
  const { field_id: f } = await ada.call(fields.create, { params: place, body: await sealedField(place) });
  const { session_id: sessionId } = await ada.call(session.me);
  const path = fillPath(fields.remove.path, { ...place, f });
  const send = async (now: number) => {
    const bodyDigest = new Uint8Array(sha256(Buffer.alloc(0)));
    const subject = { sessionId: sessionId ?? '', method: fields.remove.method, path, bodyDigest };
    const proof = await prove(ada.keyring, subject, now);
    const request = { method: fields.remove.method, path, headers: { 'x-pb-proof': proof } };
    return { proof, answer: await two.at(ada).request(request) };
  };
  const first = await send(one.clock.now());
  expect([first.answer.status, first.answer.json()['code']]).toEqual([403, 'proof_expired']);
  const { server_time } = first.answer.json<{ details: { server_time: number } }>().details;
  const corrected = await send(server_time * 1000);
  expect(corrected.answer.status, corrected.answer.text).toBe(200);
  for (const at of [two.at(ada), ada.copy()]) {
    const headers = { 'x-pb-proof': corrected.proof };
    const again = await at.request({ method: fields.remove.method, path, headers });
    expect([403, 404]).toContain(again.status);
  }
});

test("a lease is not taken over because another instance's clock is ahead (R28)", async () => {
  const [mine, theirs] = [new Lease(one.deps.db, 'clocks'), new Lease(two.deps.db, 'clocks')];
  expect(await mine.hold(one.clock.now())).toBe(true);
  expect([await theirs.hold(ahead.now()), LEASE_EXPIRES < APART]).toEqual([false, true]);
  await mine.release();
  expect(await theirs.hold(ahead.now())).toBe(true);
  await theirs.release();
});
