import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { fileArgon2 } from '@passwordbroker/core/domain/exchange/file-argon2';
import { EMPTY_RECORD } from '@passwordbroker/core/domain/trust/trust-record';
import { keepassXml } from '@passwordbroker/core/testing/keepass/keepass-files';
import { createPerson } from '@passwordbroker/core/testing/keyrings';
import { deviceStoreInMemory } from '../../testing/device-store-in-memory.ts';
import { openSession } from '../open-session.ts';
import { KEPT_MS } from '../kept-plain.ts';
import type { SealedImport } from './import-calls.ts';
import { importServices } from './import-services.ts';

const SERVED = { signal: new AbortController().signal, onProgress: () => undefined };
const GONE = { code: 'gone' };
const SECRETS = ['battery-staple', 'https://ledger.example/private', 'the note'] as const;

/** By a counter, so it is kept as text, and said. */
const COUNTED = 'otpauth://hotp/Other?secret=JBSWY3DPEHPK3PXP&counter=1';

const file = new Blob([
  keepassXml({
    root: {
      name: 'Root',
      entries: [
        { title: 'Ledger', user: 'ada', password: SECRETS[0], url: SECRETS[1] },
        { title: 'Other', notes: SECRETS[2], protected: { otp: COUNTED } },
      ],
    },
  }),
]);
const SOURCE = { file, kind: 'keepass-xml' };
const TREE = { rootName: 'keepass', without: [] };

async function services() {
  const { keyring } = await createPerson();
  const session = await openSession(keyring, {
    deviceStore: deviceStoreInMemory(),
    document: null,
    pins: null,
    deskDocument: null,
    isMarked: false,
    browser: 'Firefox on Linux',
    isOffline: false,
  });
  await session.book.begin(EMPTY_RECORD);
  return importServices(
    () => session,
    () => fileArgon2,
  );
}

const batchOf = async ({ parts }: SealedImport) =>
  JSON.parse((await parts[0]?.batch?.text()) ?? '') as { entries: { title: string }[]; skipped: object[] };

describe('a file that was read', () => {
  test('is shown by titles, kinds and counts; no value leaves the worker', async () => {
    const { detectImport, readImport } = await services();
    expect(await detectImport({ file }, SERVED)).toMatchObject({ id: 'keepass-xml', needs: 'nothing' });
    const read = await readImport(SOURCE, SERVED);
    expect(read).toMatchObject({
      counts: { groups: 1, entries: 2, fields: 4, versions: 0, files: 0 },
      groups: [{ parent: null }],
      entries: [
        { group: 0, title: 'Ledger', kinds: 0b11 },
        { group: 0, title: 'Other', kinds: 0b101 },
      ],
      skipped: [expect.objectContaining({ kind: 'one-time password', count: 1 })],
    });
    for (const secret of SECRETS) expect(JSON.stringify(read)).not.toContain(secret);
  });

  test('is sealed without the entries that were left out, and without the places of remarks', async () => {
    const { readImport, sealImport } = await services();
    const { handle } = await readImport(SOURCE, SERVED);
    const sealed = await sealImport({ handle, rootName: 'keepass', without: [0] }, SERVED);
    const { entries, skipped } = await batchOf(sealed);
    expect(entries.map(({ title }) => title)).toEqual(['Other']);
    expect(skipped.map((thing) => Object.keys(thing).toSorted())).toEqual(
      skipped.map(() => ['count', 'kind', 'reason']),
    );
    // It stays until it is dropped, for another attempt.
    expect((await batchOf(await sealImport({ handle, ...TREE }, SERVED))).entries).toHaveLength(2);
  });

  test('is gone when it was dropped, or another file was read', async () => {
    const { readImport, sealImport, dropImport } = await services();
    const first = await readImport(SOURCE, SERVED);
    const second = await readImport(SOURCE, SERVED);
    await expect(sealImport({ handle: first.handle, ...TREE }, SERVED)).rejects.toMatchObject(GONE);
    await dropImport({ handle: first.handle }, SERVED);
    await sealImport({ handle: second.handle, ...TREE }, SERVED);
    await dropImport({ handle: second.handle }, SERVED);
    await expect(sealImport({ handle: second.handle, ...TREE }, SERVED)).rejects.toMatchObject(GONE);
  });

  test('is gone after ten minutes', async () => {
    const { readImport, sealImport } = await services();
    const timers: (() => void)[] = [];
    const real = globalThis.setTimeout;
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms?: number) =>
      ms === KEPT_MS ? timers.push(work) : real(work, ms)) as typeof setTimeout);
    onTestFinished(() => void vi.restoreAllMocks());
    const { handle } = await readImport(SOURCE, SERVED);
    await sealImport({ handle, ...TREE }, SERVED);
    timers.at(-1)?.();
    await expect(sealImport({ handle, ...TREE }, SERVED)).rejects.toMatchObject(GONE);
  });
});
