/** The process is killed during a change of the master password or of all keys of a person (R49). */
import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { startServer, type RunningServer } from '../e2e/testing/server/server.ts';
import { BASE, MASTER_PASSWORD, addGroup, signUp } from './testing/caller.ts';
import { examine } from './testing/doctor.ts';

/** Each round may cost one wrong master password; more than ten in 15 minutes are refused. */
const ROUNDS = 8;

let server: RunningServer;
afterEach(() => server.stop());

test('SIGKILL at any moment of a change of the master password, with and without new keys: exactly one of the two passwords opens, and all is readable (R49)', async () => {
  server = await startServer({ env: { LOG_LEVEL: 'warn' } });
  const ada = await signUp(server);
  const groupId = await addGroup(ada, 'Group');
  const entries = `${BASE}/entryGroups/${groupId}/entries`;
  const { entry_id } = await ada.accepted<{ entry_id: string }>('POST', entries, { title: 'Entry' });
  const fields = `${entries}/${entry_id}/fields`;
  const note = { type: 'note', value: 'still readable', master_password: MASTER_PASSWORD };
  const { field_id } = await ada.accepted<{ field_id: string }>('POST', fields, note);
  const opens = async (master_password: string) => {
    const { status, text } = await ada.request('POST', `${fields}/${field_id}/decrypted`, { master_password });
    expect([200, 422]).toContain(status);
    if (status === 200) expect(Buffer.from(text, 'base64').toString()).toBe('still readable');
    return status === 200;
  };
  const change = (old: string, next: string, rotate_keys = false) =>
    ada.request('POST', '/identity/api/masterPassword', {
      master_password: old,
      new_master_password: next,
      new_master_password_confirmation: next,
      rotate_keys,
    });

  // Duration of a complete change.
  const began = performance.now();
  expect((await change(MASTER_PASSWORD, 'number 0 of them all')).status).toBe(200);
  const whole = Math.ceil(performance.now() - began);
  let present = 'number 0 of them all';
  for (let round = 1; round <= ROUNDS; round += 1) {
    const next = `number ${round} of them all`;
    // Every second round makes new keys and rewraps everything under the old ones.
    const isRekey = round % 2 === 0;
    const changing = change(present, next, isRekey);
    await wait(randomInt(isRekey ? 3 * whole : whole));
    await server.kill();
    const { status } = await changing;
    await server.restart();
    const isNew = await opens(next);
    expect(await opens(present)).toBe(!isNew);
    if (status === 200) expect(isNew).toBe(true);
    if (isNew) present = next;
  }
  await server.end();
  const { code, output } = await examine(server.dataDir);
  expect(code, output).toBe(0);
});
