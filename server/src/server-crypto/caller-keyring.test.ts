import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import type { Actor } from '../http/context.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { MINUTE } from '../testing/test-clock.ts';
import { withCallerKeyring } from './caller-keyring.ts';
import type { Caller, OpenedCaller } from './caller-keyring.ts';

let app: TestApp;
let ada: SignedIn;
let caller: Caller;
let derivations = 0;

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  const { deps } = app;
  // The real key derivation, with a counter.
  const kdf: typeof deps.kdf = {
    ...deps.kdf,
    argon2id(...input) {
      derivations += 1;
      return deps.kdf.argon2id(...input);
    },
  };
  const actor: Actor = {
    userId: ada.userId,
    name: 'ada',
    email: ada.email,
    isAdmin: true,
    isAuditor: false,
    serverCryptoOptOut: false,
    sessionId: crypto.randomUUID(),
    epoch: 1,
    confirmedAt: 0,
    hasWeakPassword: false,
    hasKeys: true,
    scopes: null,
    method: 'password',
    factor: '',
    factorState: 'none',
    provider: null,
    service: null,
    restriction: null,
  };
  caller = {
    deps: { ...deps, kdf },
    actor,
    origin: { address: '192.0.2.7', agentHash: null, userAgent: '', client: null },
  };
});
afterAll(() => app.stop());
beforeEach(() => {
  derivations = 0;
  app.clock.advance(16 * MINUTE);
});

const events = async () => {
  const rows = await app.deps.db.read.selectFrom('audit_log').select('event_type').orderBy('audit_id').execute();
  return rows.map((row) => row.event_type);
};
const exposedAt = async () => {
  const row = await app.deps.db.read.selectFrom('users').select('mp_exposed_at').executeTakeFirstOrThrow();
  return row.mp_exposed_at;
};
const open = <T>(masterPassword: unknown, work: (opened: OpenedCaller) => Promise<T>) =>
  withCallerKeyring(caller, masterPassword, work);
const nothing = async () => {};

describe('the right master password', () => {
  test('opens the keyring only during the work', async () => {
    const kept = await open(ada.masterPassword, async ({ keyring }) => {
      expect(keyring.fingerprint).toBe(ada.keyring.fingerprint);
      return keyring;
    });
    expect(() => kept.keys()).toThrow();
    expect(derivations).toBe(1);
  });

  test('is accepted in the other Unicode normal form', async () => {
    await open(ada.masterPassword.normalize('NFD'), nothing);
  });

  test('is recorded in the transaction of the operation (T79)', async () => {
    const before = (await events()).length;
    await open(ada.masterPassword, ({ deps }) =>
      deps.db.transact(async (tx) => void (await tx.selectFrom('users').selectAll().execute())),
    );
    expect((await events()).slice(before)).toEqual(['mp_used_on_server']);
    expect(await exposedAt()).toBe(app.clock.now());
  });

  test('a failed operation records nothing, and the next one records one use', async () => {
    const marked = await exposedAt();
    const before = (await events()).length;
    await open(ada.masterPassword, async ({ deps }) => {
      const failing = deps.db.transact(async () => {
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await exposedAt()).toBe(marked);
      await deps.db.transact(nothing);
      await deps.db.transact(nothing);
    });
    expect((await events()).slice(before)).toEqual(['mp_used_on_server']);
  });

  test('a value that does not open under it is reported as damaged, not as a wrong master password (T80)', async () => {
    const damaged = open(ada.masterPassword, async () => {
      throw new CryptoError('commit');
    });
    await expect(damaged).rejects.toMatchObject({ code: 'integrity_error' });
  });
});

describe('a missing or wrong master password (T75)', () => {
  test.each([
    ['absent', undefined],
    ['null', null],
    ['empty', ''],
  ])('%s: is missing, and no key is derived', async (_, given) => {
    await expect(open(given, nothing)).rejects.toMatchObject({
      code: 'validation',
      errors: { master_password: ['MasterPassword is missing'] },
    });
    expect(derivations).toBe(0);
  });

  test.each([
    ['wrong', 'wrong', 1],
    ['another case', 'ADA master PÄSSWORD ☂', 1],
    ['a number', 7, 0],
    ['an object', { a: 1 }, 0],
    ['longer than 1024 bytes', 'x'.repeat(1025), 0],
    ['a lone surrogate', '\ud800', 0],
  ])('%s: is invalid, and is recorded', async (_, given, derived) => {
    const before = (await events()).length;
    await expect(open(given, nothing)).rejects.toMatchObject({
      code: 'master_password_invalid',
      message: 'MasterPassword is invalid',
      errors: { master_password: ['MasterPassword is invalid'] },
    });
    expect(derivations).toBe(derived);
    expect((await events()).slice(before)).toEqual(['mp_refused']);
  });

  test('after ten in 15 minutes even the right one is refused, and sign-in still works (T76)', async () => {
    for (let at = 0; at < 10; at += 1) {
      await expect(open(`wrong ${at}`, nothing)).rejects.toMatchObject({ code: 'master_password_invalid' });
    }
    await expect(open(ada.masterPassword, nothing)).rejects.toMatchObject({
      code: 'too_many_requests',
      retryAfter: 900,
    });
    expect(derivations).toBe(10);
    await app.signIn(ada);
    app.clock.advance(15 * MINUTE);
    await open(ada.masterPassword, nothing);
  });

  test('concurrent wrong ones are all recorded, including those beyond the limit', async () => {
    const before = (await events()).length;
    const guesses = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => open(`guess ${n}`, nothing)));
    expect(guesses.filter(({ status }) => status === 'fulfilled')).toEqual([]);
    const refused = (await events()).slice(before);
    expect(new Set(refused)).toEqual(new Set(['mp_refused']));
    // Every derivation is recorded, whether the response was “invalid” or “too many”.
    expect(refused).toHaveLength(derivations);
  });

  test('right ones are not counted', async () => {
    for (let at = 0; at < 15; at += 1) await open(ada.masterPassword, nothing);
  });
});

test('concurrent requests succeed or get 503 (T77)', async () => {
  const results = await Promise.allSettled(Array.from({ length: 60 }, () => open(ada.masterPassword, nothing)));
  const refusals = results.filter((result) => result.status === 'rejected');
  for (const { reason } of refusals) expect(reason).toMatchObject({ code: 'unavailable', status: 503 });
  expect(refusals.length).toBeLessThan(60);
});

test.each([
  ['slot', 'user_key_slots'],
  ['keyset', 'user_keysets'],
] as const)('a damaged %s is reported as damaged, not as a wrong master password', async (_, table) => {
  const { blob } = await app.deps.db.read.selectFrom(table).select('blob').executeTakeFirstOrThrow();
  const damaged = Buffer.from(blob);
  damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1;
  const write = (bytes: Buffer) => app.deps.db.transact((tx) => tx.updateTable(table).set({ blob: bytes }).execute());
  await write(damaged);
  await expect(open(ada.masterPassword, nothing)).rejects.toMatchObject({ code: 'integrity_error' });
  await write(blob);
  await open(ada.masterPassword, nothing);
});

test('an account without keys cannot use a master password', async () => {
  await app.deps.db.transact((tx) => tx.deleteFrom('user_keysets').execute());
  await expect(open(ada.masterPassword, nothing)).rejects.toMatchObject({
    code: 'conflict',
    message: 'The account has no keys yet. Unlock the vault once to make them.',
  });
});
