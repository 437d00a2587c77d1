/**
 * Switching a copy off while it is made: later data is stored neither in the browser nor on the server
 * (docs/spec/product.md §4).
 */
import { describe, expect, test, vi } from 'vitest';
import { setMode } from '@passwordbroker/core/contract/account/offline';
import { remove } from '@passwordbroker/core/contract/users/people';
import { changeSettings } from '@passwordbroker/core/contract/site/site';
import { keptCopy } from '../testing/kept-copy.node.ts';
import type { OfflineTestPage } from '../testing/offline-page.node.ts';
import { newDevice } from '../testing/offline-page.node.ts';

const { kept, openOn, gone, record } = keptCopy();

type Ways = Record<string, (page: OfflineTestPage) => Promise<unknown>>;
const WAYS: Ways = {
  'switched off here': (page) => page.engine.disable(),
  'logged out': (page) => page.session.logOut(),
  'switched off elsewhere': () =>
    kept.ada.call(setMode, { params: { id: record().applicationId }, body: { status: false } }),
  'forbidden by the site': () => kept.site.call(changeSettings, { body: { offline_allowed: false } }),
};
const PARTS = [
  ['key', 'getPrivateRsa?user_application_id'],
  ['salt', 'getCbcSalt'],
  ['database', 'entryGroupsWithFields'],
] as const;

/** All parts must be downloaded again. */
const wiped = async (page: OfflineTestPage) => {
  await page.engine.wipe();
};
/** The data that the server has recorded as sent to this application. */
async function givenTo(id: string) {
  const { read } = kept.app.deps.db;
  const row = await read
    .selectFrom('user_applications')
    .select(['is_offline', 'copy_fetched_at', 'key_fetched_at'])
    .where('user_application_id', '=', id)
    .executeTakeFirst();
  const copies = await read.selectFrom('offline_copies').selectAll().where('user_application_id', '=', id).execute();
  return { ...row, copies: copies.length };
}

describe.each(PARTS)('while the %s is downloaded', (part, path) => {
  test.each(Object.keys(WAYS))('%s: nothing is left in the browser', async (way) => {
    const { page } = kept;
    const id = record().applicationId;
    let acted: Promise<unknown> | null = null;
    page.real.before = async (request) => {
      if (!request.includes(path) || acted !== null) return;
      acted = WAYS[way]?.(page).catch(() => undefined) ?? null;
      // The answer arrives after the copy was switched off.
      await acted;
    };
    await wiped(page);
    try {
      await vi.waitFor(() => expect(acted, part).not.toBeNull(), 20_000);
      await gone();
      const over = { enabled: false, copyOf: null, progress: null };
      await vi.waitFor(() => expect(page.state()).toMatchObject(over), 20_000);
      if (way.startsWith('switched off'))
        await vi.waitFor(
          async () =>
            expect(await givenTo(id)).toEqual({
              is_offline: 0,
              copy_fetched_at: null,
              key_fetched_at: null,
              copies: 0,
            }),
          20_000,
        );
    } finally {
      await kept.site.call(changeSettings, { body: { offline_allowed: true } });
    }
    // Nothing is stored later either.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await gone();
  });
});

describe('while downloaded data is stored', () => {
  test.each(['add', 'change', 'keepBody'] as const)('%s: nothing is stored again', async (act) => {
    const { page } = kept;
    const { copies } = kept.device;
    const file = new File([new Uint8Array(1_000).fill(7)], 'a.bin');
    if (act === 'keepBody') await kept.elsewhere.write.createField(kept.path, { type: 'file', title: 'Small', file });
    const whole = { ...copies };
    let off: Promise<void> | null = null;
    const switchOff = () => (off ??= page.engine.disable());
    if (act === 'add')
      copies.add = async (...given) => {
        await switchOff();
        return whole.add(...given);
      };
    else if (act === 'keepBody')
      copies.keepBody = async (...given) => {
        await switchOff();
        return whole.keepBody(...given);
      };
    else
      copies.change = async (name, change) => {
        if (change.key !== undefined) await switchOff();
        return whole.change(name, change);
      };
    if (act === 'keepBody') await page.engine.setFileLimit(50_000);
    else await wiped(page);
    await vi.waitFor(() => expect(off).not.toBeNull(), 20_000);
    await gone();
    const over = { enabled: false, syncMode: 'await', copyOf: null };
    await vi.waitFor(() => expect(page.state()).toMatchObject(over), 20_000);
  });
});

test('an account that is deleted while its copy is made leaves nothing in the browser', async () => {
  const carol = await kept.app.signUp('carol');
  const device = newDevice();
  const page = await openOn(device, { person: carol });
  await page.unlock();
  let removed: Promise<unknown> | null = null;
  page.real.before = async (request) => {
    if (!request.includes('entryGroupsWithFields')) return;
    removed ??= kept.site.call(remove, { params: { id: carol.userId }, body: {} });
    await removed;
  };
  await page.engine.enable();
  await vi.waitFor(() => expect(removed).not.toBeNull(), 20_000);
  await vi.waitFor(() => {
    const { records, pieces, seen, bodies } = device.copies.kept;
    expect([records, pieces, seen, bodies].map(({ size }) => size)).toEqual([0, 0, 0, 0]);
  }, 20_000);
  expect(page.session.view().user).toBeNull();
});
