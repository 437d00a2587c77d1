/** The process is killed while a forgotten master password is replaced (R49, I86). */
import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import type { KeyBundle } from '@passwordbroker/core/contract/entities';
import { DEFAULT_KDF, KDF_PROFILES, type Kdf } from '@passwordbroker/core/crypto/kdf';
import { type Keyring, unlock, unlockWithRecoveryKey } from '@passwordbroker/core/domain/keyring/keyring';
import { digestOf, prove } from '@passwordbroker/core/domain/keyring/proof';
import { readRecoveryKey, textOfRecoveryKey } from '@passwordbroker/core/domain/keyring/recovery-kit/recovery-key';
import {
  makeRecoveryKit,
  replaceForgottenPassword,
} from '@passwordbroker/core/domain/keyring/recovery-kit/recovery-slot';
import type { SlotWire } from '@passwordbroker/core/domain/keyring/keyring-slot';
import { startServer, type RunningServer } from '../e2e/testing/server/server.ts';
import { argon2idNative } from '../server/src/platform/passwords/argon2.ts';
import { MASTER_PASSWORD, signUp, type Caller } from './testing/caller.ts';
import { examine } from './testing/doctor.ts';

const ROUNDS = 6;
const KDF: Kdf = { profiles: KDF_PROFILES, defaultProfile: DEFAULT_KDF, argon2id: argon2idNative };
const SLOTS = '/identity/api/keyBundle/slots';

let server: RunningServer;
afterEach(() => server.stop());

test('SIGKILL at any moment of the write: either the new master password opens, or the kit and the old one (R49)', async () => {
  server = await startServer({ env: { LOG_LEVEL: 'warn' } });
  const ada = await signUp(server);
  const bundleNow = () => ada.accepted<KeyBundle>('GET', '/identity/api/keyBundle');
  const versionOf = ({ slots }: KeyBundle, type: string) =>
    slots.find(({ slot_type }) => slot_type === type)?.version ?? 0;

  let present = MASTER_PASSWORD;
  let whole = 50;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const before = await bundleNow();
    const keyring = await unlock({ bundle: before, masterPassword: present, kdf: KDF });
    const made = await makeRecoveryKit({ bundle: before, masterPassword: present, kdf: KDF });
    const recoveryKey = readRecoveryKey(textOfRecoveryKey(made.written)) ?? new Uint8Array();
    const kit = await put(ada, keyring, 'recovery', { slot: sent(made.slot) }, versionOf(before, 'recovery'));
    expect(kit).toBe(200);

    const bundle = await bundleNow();
    const next = `number ${round} of them all`;
    const slot = await replaceForgottenPassword({ bundle, recoveryKey, newMasterPassword: next, kdf: KDF });
    const recovery = { version: versionOf(bundle, 'recovery'), slot: null };
    const began = performance.now();
    const writing = put(
      ada,
      keyring,
      'password',
      { slot: sent(slot), by: 'recovery', recovery },
      versionOf(bundle, 'password'),
    );
    // The first round measures a whole write.
    const isKilled = round > 1;
    if (isKilled) {
      await wait(randomInt(whole + 5));
      await server.kill();
    }
    const status = await writing;
    if (isKilled) await server.restart();
    else whole = Math.ceil(performance.now() - began);

    const stored = await bundleNow();
    const opens = async (opening: Promise<Keyring>) =>
      opening.then(
        () => true,
        () => false,
      );
    const isNew = await opens(unlock({ bundle: stored, masterPassword: next, kdf: KDF }));
    expect(await opens(unlock({ bundle: stored, masterPassword: present, kdf: KDF }))).toBe(!isNew);
    expect(await opens(unlockWithRecoveryKey({ bundle: stored, recoveryKey }))).toBe(!isNew);
    if (status === 200) expect(isNew).toBe(true);
    if (isNew) present = next;
  }
  await server.end();
  const { code, output } = await examine(server.dataDir);
  expect(code, output).toBe(0);
});

/** Returns the status, 0 without an answer. */
async function put(caller: Caller, keyring: Keyring, type: string, body: object, version: number): Promise<number> {
  const path = `${SLOTS}/${type}`;
  const json = JSON.stringify(body);
  const { session_id } = await caller.accepted<{ session_id: string }>('GET', '/identity/api/me');
  const request = { sessionId: session_id, method: 'PUT', path, bodyDigest: await digestOf(json) };
  try {
    const { status } = await fetch(`${server.origin}${path}`, {
      method: 'PUT',
      headers: {
        ...caller.headers(),
        'content-type': 'application/json',
        'if-match': String(version),
        'x-pb-proof': await prove(keyring, request, Date.now()),
      },
      body: json,
    });
    return status;
  } catch {
    return 0;
  }
}

const sent = ({ slot_id, kdf, salt_base64, blob_base64 }: SlotWire) => ({ slot_id, kdf, salt_base64, blob_base64 });
