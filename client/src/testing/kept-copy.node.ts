/** Ada has a copy with one secret in a browser; Bob and a site admin are on the same server. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { startTestApp, type SignedIn, type TestApp } from '../../../server/src/testing/test-app.ts';
import type { CopyRecord, StoredPiece } from '../keyring/copy/copy-store.ts';
import type { LocalCopy } from '../offline/offline.ts';
import type { Tabs } from '../platform.ts';
import { isReady } from '../offline/parts/parts.ts';
import type { FieldPath } from '../vault/vault.ts';
import { newDevice, openPage, type Device, type OfflineTestPage } from './offline-page.node.ts';
import { groupWithSecret, mateOf, signUpAll, type Mate } from './team.node.ts';

/** Ada's copy; each test has a new `device` and `page` with a complete copy. */
interface KeptCopy {
  readonly app: TestApp;
  readonly site: SignedIn;
  readonly ada: SignedIn;
  readonly bob: SignedIn;
  /** Ada in another browser. */
  readonly elsewhere: Mate;
  path: FieldPath;
  readonly device: Device;
  readonly page: OfflineTestPage;
}

interface Opening {
  readonly isAway?: boolean;
  readonly isUnchecked?: boolean;
  readonly tabs?: Tabs;
  /** A person with the cookies of one browser; default: Ada in a session of her own. */
  readonly person?: SignedIn;
}

/** Call once per file; the server stops after its tests. */
export function keptCopy() {
  const opened: OfflineTestPage[] = [];
  const kept = {} as { -readonly [Part in keyof KeptCopy]: KeptCopy[Part] };

  beforeAll(async () => {
    kept.app = await startTestApp();
    const [site, ada, bob] = await signUpAll(kept.app, ['admin', 'ada', 'bob']);
    if (site === undefined || ada === undefined || bob === undefined) throw new Error('nobody signed up');
    Object.assign(kept, { site, ada, bob });
    kept.elsewhere = await mateOf(await kept.app.signIn(ada));
    kept.path = await groupWithSecret(kept.elsewhere, 'first value');
  }, 60_000);
  afterAll(() => kept.app.stop());
  beforeEach(async () => {
    kept.device = newDevice();
    kept.page = await openOn(kept.device);
    await kept.page.unlock();
    await kept.page.engine.enable();
    await synchronized(kept.page);
  }, 60_000);
  afterEach(() => opened.splice(0).forEach((one) => one.close()));

  async function openOn(device: Device, { person, ...opening }: Opening = {}): Promise<OfflineTestPage> {
    const one = await openPage(person ?? (await kept.app.signIn(kept.ada)), device, opening);
    opened.push(one);
    return one;
  }
  const synchronized = (one: OfflineTestPage) =>
    vi.waitFor(() => expect(isReady(one.state().parts)).toBe(true), 20_000);

  return {
    kept: kept as KeptCopy,
    openOn,
    synchronized,
    /** Bob's copy in the same browser. */
    copyOfBob: async (): Promise<OfflineTestPage> => {
      const his = await openOn(kept.device, { person: await kept.app.signIn(kept.bob) });
      await his.unlock();
      await his.engine.enable();
      await synchronized(his);
      return his;
    },
    /** Waits until no copy is left. */
    gone: () =>
      vi.waitFor(() => {
        const { records, pieces, seen, bodies } = kept.device.copies.kept;
        expect([records, pieces, seen, bodies].map(({ size }) => size)).toEqual([0, 0, 0, 0]);
      }, 20_000),
    /** Ada's stored record. */
    record: (): CopyRecord => {
      const record = kept.device.copies.kept.records.get(kept.page.name);
      if (record === undefined) throw new Error('no copy');
      return record;
    },
    pieces: (): readonly StoredPiece[] => kept.device.copies.kept.pieces.get(kept.page.name) ?? [],
    setPieces: (next: readonly StoredPiece[]) => void kept.device.copies.kept.pieces.set(kept.page.name, [...next]),
    /** The copy that this page offers without the server. */
    copyOn: async (one: OfflineTestPage): Promise<LocalCopy> => {
      const copy = (await one.engine.localCopies()).find(({ userId }) => userId === kept.ada.userId);
      if (copy === undefined) throw new Error('no copy');
      return copy;
    },
    revealed: async (one: OfflineTestPage) => {
      const { read } = one.engine.vault() ?? one.real.vault;
      const [field] = await read.fields(kept.path);
      return (await read.reveal({ ...kept.path, field: field ?? kept.path.field })).text;
    },
  };
}
