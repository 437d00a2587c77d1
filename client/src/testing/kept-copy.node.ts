/** Ada keeps a copy in a browser, with one secret in it; Bob is on the same server, and the one who set it up may change the site. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { startTestApp, type SignedIn, type TestApp } from '../../../server/src/testing/test-app.ts';
import type { CopyRecord, StoredPiece } from '../keyring/copy/copy-store.ts';
import type { LocalCopy } from '../offline/offline.ts';
import type { Tabs } from '../platform.ts';
import { isReady } from '../offline/parts/parts.ts';
import type { FieldPath } from '../vault/vault.ts';
import { newDevice, openPage, type Device, type OfflineTestPage } from './offline-page.node.ts';
import { groupWithSecret, mateOf, signUpAll, type Mate } from './team.node.ts';

/** Hers; `device` and `page` are new for each test, on which the copy is there as a whole. */
interface KeptCopy {
  readonly app: TestApp;
  readonly site: SignedIn;
  readonly ada: SignedIn;
  readonly bob: SignedIn;
  /** She as well, in another browser. */
  readonly elsewhere: Mate;
  path: FieldPath;
  readonly device: Device;
  readonly page: OfflineTestPage;
}

interface Opening {
  readonly isAway?: boolean;
  readonly isUnchecked?: boolean;
  readonly tabs?: Tabs;
  /** With the cookies of one browser; default Ada, in a session of its own. */
  readonly person?: SignedIn;
}

/** Once a file: the server lives as long as its tests. */
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
    /** Nothing is left of any copy. */
    gone: () =>
      vi.waitFor(() => {
        const { records, pieces, seen, bodies } = kept.device.copies.kept;
        expect([records, pieces, seen, bodies].map(({ size }) => size)).toEqual([0, 0, 0, 0]);
      }, 20_000),
    /** Of Ada, as it is stored. */
    record: (): CopyRecord => {
      const record = kept.device.copies.kept.records.get(kept.page.name);
      if (record === undefined) throw new Error('no copy');
      return record;
    },
    pieces: (): readonly StoredPiece[] => kept.device.copies.kept.pieces.get(kept.page.name) ?? [],
    setPieces: (next: readonly StoredPiece[]) => void kept.device.copies.kept.pieces.set(kept.page.name, [...next]),
    /** What that page offers while the server is away. */
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
