/** The process is killed while the first second factor of an account is stored (R1, I132). */
import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import type { Factors } from '@passwordbroker/core/contract/account/factors';
import { authenticatorOf } from '../e2e/testing/people/authenticator.ts';
import { startServer, type RunningServer } from '../e2e/testing/server/server.ts';
import { addUser, guestOf, passwordOf, signUp } from './testing/caller.ts';
import { examine } from './testing/doctor.ts';

const ROUNDS = 10;

let server: RunningServer;
afterEach(() => server.stop());

test('I132: SIGKILL at any moment of the confirmation: the account has the factor with its ten codes, or none of it', async () => {
  server = await startServer({ env: { LOG_LEVEL: 'warn' } });
  const ada = await signUp(server);
  let whole = 30;
  const outcomes = new Set<string>();
  for (let round = 1; round <= ROUNDS; round += 1) {
    const name = `Bob${round}`;
    const { caller: bob } = await addUser(server, ada, name);
    const begun = await bob.accepted<{ totp_id: string; secret: string }>('POST', '/identity/api/factors/totp', {});
    const phone = authenticatorOf(begun.secret);
    const path = `/identity/api/factors/totp/${begun.totp_id}/confirm`;
    const began = performance.now();
    const confirming = bob.request('POST', path, { code: phone.code() });
    // The first round measures a whole write.
    const isKilled = round > 1;
    if (isKilled) {
      await wait(randomInt(whole + 5));
      await server.kill();
    }
    const { status } = await confirming;
    if (isKilled) await server.restart();
    else whole = Math.ceil(performance.now() - began);

    const guest = guestOf(server);
    await guest.request('GET', '/sanctum/csrf-cookie');
    const login = await guest.request('POST', '/identity/api/login', passwordOf(name));
    const stored = await bob.accepted<Factors>('GET', '/identity/api/factors');
    outcomes.add(stored.factor_state);
    if (status === 200) expect(stored.factor_state).toBe('set');
    if (stored.factor_state === 'set') {
      expect([login.status, JSON.parse(login.text)]).toMatchObject([401, { code: 'second_factor_required' }]);
      expect([stored.totp === null, stored.recovery_codes?.left]).toEqual([false, 10]);
    } else {
      expect([login.status, stored.totp, stored.recovery_codes]).toEqual([200, null, null]);
    }
  }
  expect(outcomes).toContain('set');
  await server.end();
  const { code, output } = await examine(server.dataDir);
  expect(code, output).toBe(0);
});
