/** Each error of the client is caused with canaries in every input; none of them may appear in it. */
import { readdirSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { createToken } from '@passwordbroker/core/contract/account/credentials';
import { AppError } from '@passwordbroker/core/contract/problem';
import { keyBundle } from '@passwordbroker/core/contract/users/users';
import { seal } from '@passwordbroker/core/crypto/seal';
import { encodeBase64, utf8 } from '@passwordbroker/core/crypto/bytes';
import { openDocument, sealSnapshot } from '@passwordbroker/core/domain/keyring/documents';
import { readKeepassXml } from '@passwordbroker/core/domain/keepass/read';
import { TEST_KDF } from '@passwordbroker/core/testing/test-kdf';
import { askPrf } from './browser/webauthn.ts';
import { importWhole } from './testing/import-whole.ts';
import { keysOf } from '../../server/src/testing/account-keys.ts';
import { findLeaks } from '../../server/src/testing/leaks.ts';
import { openChain } from './keyring/copy/copy-pieces.ts';
import { openedCopy } from './keyring/copy/snapshot.ts';
import { changeMasterPassword } from './master-password/change-master-password.ts';
import { createMasterPassword } from './master-password/master-password.ts';
import { sinceExpired } from './offline/parts/copy-age.ts';
import { createFreshSignIn } from './session/fresh-sign-in.ts';
import { keptCopy } from './testing/kept-copy.node.ts';
import { ORIGIN } from './testing/offline-page.node.ts';
import { vaultOf } from './testing/real-vault.node.ts';
import { mateOf } from './testing/team.node.ts';
import { exchange } from './transport/exchange.ts';
import { offlineVault } from './vault/offline.ts';

const { kept, copyOn } = keptCopy();

const CANARY = 'Wq7-canary_Vx93';
const FIELD = { type: 'password', title: 'Root', login: 'root', value: CANARY } as const;
const WITH_CODE = ['AppError', 'CryptoError', 'KeepassError', 'KeyringError'];

const keepass = (content: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><KeePassFile><Meta><Generator>${CANARY}</Generator>${content}</KeePassFile>`;
const BROKEN_FILES = [
  keepass(`</Meta><Root><Value>${CANARY}</Wrong></Root>`),
  keepass(`</Meta><Root><${CANARY} ${CANARY}=${CANARY}></Root>`),
  keepass(`</Meta><Root>&${CANARY};</Root>`),
  keepass(`</Meta><Root><Value>${CANARY}`),
  `${CANARY}<KeePassFile/>`,
];

/** 64 attachments of one MiB, packed as one. */
async function silentServer() {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

/** An address that refuses connections. */
async function closedPort(): Promise<string> {
  const { server, url } = await silentServer();
  server.close();
  await once(server, 'close');
  return url;
}

const isSlot = (request: string) => request.startsWith('PUT') && request.includes('/slots/');

/** By class: calls that throw it. They run in this order. */
const CAUSES: Readonly<Record<string, () => Promise<readonly (() => Promise<unknown>)[]>>> = {
  async KeyringError() {
    const mate = await mateOf(await kept.app.signIn(kept.ada));
    const damaged = await mateOf(await kept.app.signIn(kept.ada));
    damaged.forge = (_, answer) => {
      const value = `$1"${Buffer.from(CANARY.repeat(20)).toString('base64')}"`;
      return JSON.parse(JSON.stringify(answer).replaceAll(/("encrypted_value_base64":)"[^"]*"/g, value)) as unknown;
    };
    const locked = vaultOf(await kept.app.signIn(kept.ada));
    return [
      () => locked.keyring.unlock(CANARY),
      () => locked.keyring.createAccount({ userId: kept.ada.userId, masterPassword: `${CANARY}\uD800` }),
      () =>
        locked.keyring.call('sealField', {
          place: { ...placeOf(), rev: 1 },
          content: { title: '', login: '', text: CANARY },
        }),
      () => damaged.read.reveal(kept.path),
      () => mate.write.createField(kept.path, { ...FIELD, value: `${CANARY}\uD800` }),
      () => mate.write.createField(kept.path, { ...FIELD, value: CANARY.repeat(100_000) }),
      ...BROKEN_FILES.map((file) => () => importWhole(mate.write, new File([file], `${CANARY}.xml`))),
    ];
  },
  async PasskeyRefusal() {
    const passkey = { credential_id: Buffer.from(CANARY).toString('base64url'), rp_id: 'vault.example' };
    // Node has no passkeys.
    return [() => askPrf([], 'vault.example'), () => askPrf([passkey], 'vault.example')];
  },
  async CryptoError() {
    const { keyring, userId } = kept.ada;
    const place = { name: 'settings', n: 1 } as const;
    const notJson = await seal('doc', keyring.keys().userKey, { userId, ...place }, utf8(`{"a":${CANARY}`));
    return [notJson, utf8(CANARY.repeat(20))].map(
      (blob) => () => openDocument(keyring, place, encodeBase64(blob), (raw) => raw),
    );
  },
  async KeepassError() {
    return BROKEN_FILES.map((file) => () => readKeepassXml(utf8(file)));
  },
  async AppError() {
    const { http, keyring } = vaultOf(await kept.app.signIn(kept.ada));
    return [
      () => http.call(createToken, { body: { token_name: CANARY.repeat(100) } }),
      () => createMasterPassword(keyring).enter(CANARY),
      () => kept.page.session.logIn(kept.bob.email, CANARY),
    ];
  },
  async NetworkError() {
    const request = { method: 'POST', headers: { authorization: CANARY }, body: CANARY };
    return [async () => exchange({ ...request, url: await closedPort() })];
  },
  async TimeoutError() {
    const { server: silent, url } = await silentServer();
    const request = { method: 'POST', url, headers: {}, body: CANARY, silenceMs: 50 };
    return [() => exchange(request).finally(() => silent.close().closeAllConnections())];
  },
  async OfflineError() {
    const { http } = vaultOf(kept.ada);
    http.setOffline(true);
    return [() => http.call(createToken, { body: { token_name: CANARY } })];
  },
  async AnswerError() {
    const real = vaultOf(await kept.app.signIn(kept.ada));
    real.forge = () => ({ [CANARY]: CANARY });
    return [() => real.http.call(keyBundle)];
  },
  async KeysNotStored() {
    const mate = await mateOf(await kept.app.signIn(kept.ada));
    const before = await mate.http.call(keyBundle);
    mate.swallow = (request) => (isSlot(request) ? before : null);
    return [() => changeOf(mate)];
  },
  async ChangeUncertain() {
    const mate = await mateOf(await kept.app.signIn(kept.ada));
    let isGone = false;
    mate.before = async (request) => {
      isGone ||= isSlot(request);
      if (isGone) await exchange({ method: 'POST', url: await closedPort(), headers: {}, body: CANARY });
    };
    return [() => changeOf(mate)];
  },
  async MasterPasswordCancelled() {
    const masterPassword = createMasterPassword(vaultOf(kept.ada).keyring);
    const using = () => masterPassword.use(async () => CANARY, { label: 'reveal' });
    return [
      async () => {
        const used = using();
        masterPassword.close();
        await used;
      },
    ];
  },
  async ConfirmationCancelled() {
    const fresh = createFreshSignIn();
    fresh.subscribe(() => fresh.isAsking() && queueMicrotask(fresh.cancel));
    return [() => fresh.run(() => Promise.reject(new AppError('reauth_required', { message: CANARY })))];
  },
  async OfflineCopyError() {
    const copy = await copyOn(kept.page);
    return [() => kept.page.engine.logIn({ ...copy, userId: kept.bob.userId }, CANARY)];
  },
  async ClosedCopyError() {
    const copy = await copyOn(kept.page);
    await kept.device.copies.change(kept.page.name, { syncedAt: sinceExpired() });
    return [() => kept.page.engine.logIn(copy, CANARY)];
  },
  async CopyFaultError() {
    const timestamp = 1;
    const header = { format: 1, kind: 'whole', id: 'a', after: null, step: 1, timestamp, cursor: '' } as const;
    const sealed = (text: string) => sealSnapshot(kept.ada.keyring, { serverOrigin: ORIGIN, timestamp }, utf8(text));
    const open = async (text: string) =>
      openChain(kept.ada.keyring, ORIGIN, [{ step: 1, timestamp, blob: await sealed(text) }], null);
    return [
      () => open(`${CANARY}\n`),
      async () => openedCopy(await open(`${JSON.stringify(header)}\n${CANARY}`)).data(),
    ];
  },
  async NotInCopyError() {
    return [() => offlineVault(kept.page.real.keyring, ORIGIN).read.removal(CANARY)];
  },
  async CopyLeftError() {
    kept.device.copies.remove = () => Promise.reject(new DOMException('The disk failed', 'UnknownError'));
    return [() => kept.page.session.logOut()];
  },
};

const placeOf = () => ({
  entryGroupId: kept.path.entryGroupId,
  entryId: kept.path.entryId,
  fieldId: kept.path.field.field_id,
  type: kept.path.field.type,
});

const changeOf = ({ http, keyring }: ReturnType<typeof vaultOf>) =>
  changeMasterPassword(
    { http, keyring, masterPassword: createMasterPassword(keyring) },
    { oldMasterPassword: kept.ada.masterPassword, newMasterPassword: CANARY },
  );

/** All texts and bytes of an error. */
const told = (failure: unknown) =>
  Buffer.concat([
    Buffer.from(inspect(failure, { depth: null, showHidden: true, maxStringLength: null, maxArrayLength: null })),
    ...bytesIn(failure),
  ]);

/** `inspect` prints bytes as numbers. */
function bytesIn(value: unknown, seen = new Set<object>()): Buffer[] {
  if (ArrayBuffer.isView(value)) return [Buffer.from(value.buffer, value.byteOffset, value.byteLength)];
  if (value instanceof ArrayBuffer) return [Buffer.from(value)];
  if (typeof value !== 'object' || value === null || seen.has(value)) return [];
  seen.add(value);
  return Reflect.ownKeys(value).flatMap((key) => bytesIn(Reflect.get(value, key), seen));
}

test('CL7 each error has a text, and a code if it promises one, and none contains a value, key or password', async () => {
  const secrets = {
    canary: utf8(CANARY),
    ...(await keysOf({
      get: async <T>(path: string) => (await kept.ada.request({ path })).json<T>(),
      masterPassword: kept.ada.masterPassword,
      kdf: TEST_KDF,
    })),
  };
  for (const [name, causesOf] of Object.entries(CAUSES)) {
    for (const [at, cause] of (await causesOf()).entries()) {
      const which = `${name} ${at}`;
      const failure: unknown = await cause().then(
        () => null,
        (thrown: unknown) => thrown,
      );
      if (!(failure instanceof Error)) throw new Error(`${which} is not thrown`);
      expect(failure.constructor.name, `${which}: ${failure.message}`).toBe(name);
      expect(failure.message, which).not.toBe('');
      if (WITH_CODE.includes(name))
        expect(failure, which).toMatchObject({ code: expect.stringMatching(/./) as string });
      expect(findLeaks(secrets, { [which]: told(failure) })).toEqual([]);
      expect(told(failure).includes(kept.ada.masterPassword), which).toBe(false);
    }
  }
  // The search works, also for a cause.
  for (const cause of [new SyntaxError(`Unexpected token in ${CANARY}`), { key: [utf8(CANARY)] }]) {
    expect(findLeaks(secrets, { planted: told(new Error('planted', { cause })) })).toHaveLength(1);
  }
});

test('CL7 each error class of the client is caused above', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('testing'),
  );
  const classes = files.flatMap((file) =>
    [...readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(/class (\w+) extends \w*Error\b/g)].map(
      ([, name]) => name,
    ),
  );
  expect(classes.length).toBeGreaterThan(10);
  expect(classes.filter((name) => name === undefined || !(name in CAUSES))).toEqual([]);
});
