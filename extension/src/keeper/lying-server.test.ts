/**
 * BX11: what fills, copies and finds entries, against the real server with forged answers (docs/spec/threats.md M1–M23).
 * The page and the clipboard are lists here: nothing may get into them. e2e/extension-lies.long.e2e.ts repeats it in a browser.
 */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Envelope } from '@passwordbroker/core/contract/entities';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { type RealVault, vaultOf } from '@passwordbroker/client/testing/real-vault.node';
import { withPeople } from '@passwordbroker/client/testing/with-vaults.node';
import type { EntryPath } from '@passwordbroker/client/vault/vault';
import { createSealedPlace, sealedField, type SealedPlace } from '../../../server/src/testing/sealed-place.ts';
import type { SignedIn } from '../../../server/src/testing/test-app.ts';
import { type Accepted, fill, type Filling } from '../background/filling.ts';
import type { Call } from '../calls.ts';
import type { FillOrder, FormReading } from '../page/form-types.ts';
import { entryOperations } from './entries.ts';
import { matchingOperations } from './matching.ts';
import type { KeeperOperations } from './operations.ts';

const ADDRESS = 'https://shop.example/sign-in';
const ELSEWHERE = 'https://evil.example/sign-in';
const [SECRET, BACKUP, CODE] = ['q8-Rf3!wZ_47uM', 'hollow.birch/93', 'JBSWY3DPEHPK3PXP'];

let ada: SignedIn;
withPeople(['ada'], (_app, people) => ([ada] = people));

let real: RealVault;
let [entry, backup]: EntryPath[] = [];
let operations: ReturnType<typeof keeperOf>;
/** What got into the page, and onto the clipboard. */
let filled: FillOrder[];
let copied: string[];

function keeperOf(vault: RealVault) {
  const clipboard = { copy: async (text: string) => copied.push(text) };
  return { ...entryOperations(vault, clipboard), ...matchingOperations(vault) };
}

beforeAll(async () => {
  const { keyring, vault } = vaultOf(ada);
  await keyring.unlock(ada.masterPassword);
  const { write } = vault;
  if (write === null) throw new Error('The online vault writes');
  const make = async (name: string, value: string) => {
    const { entryGroup } = await write.createGroup({ name, parentId: null, sameMembers: false });
    const entryGroupId = entryGroup.entry_group_id;
    const { entry_id: entryId } = await write.createEntry(entryGroupId, `Entry of ${name}`);
    await write.createField({ entryGroupId, entryId }, { type: 'password', title: '', login: 'app', value });
    return { entryGroupId, entryId };
  };
  entry = await make('Shop', SECRET);
  await write.createField(entry, { type: 'TOTP', title: '', value: CODE, algorithm: 'sha1', period: 30 });
  await write.createField(entry, { type: 'link', title: '', value: ADDRESS });
  backup = await make('Backup', BACKUP);
});

beforeEach(async () => {
  real = vaultOf(ada);
  await real.keyring.unlock(ada.masterPassword);
  operations = keeperOf(real);
  [filled, copied] = [[], []];
});

/** A page with a form for all that an entry has. */
async function fillAt(address: string, of: EntryPath, accepted: readonly Accepted[] = []): Promise<Filling | 'failed'> {
  const { origin } = new URL(address);
  const has = { userName: true, password: true, newPasswords: 0, code: true };
  const form = { id: 0, kind: 'sign-in', has, label: '', isFocused: false, action: null } as const;
  const reading: FormReading = { mark: 'm', origin, isTop: true, title: '', forms: [form], choice: 0, frames: [] };
  const table = operations as unknown as Readonly<Record<string, (input: unknown) => Promise<unknown>>>;
  const parts = {
    tab: async () => ({ id: 1, url: address }),
    inPage: {
      read: async () => ({ reading, documentId: 'd' }),
      fill: async (_tabId: number, _documentId: string | null, order: FillOrder) => {
        filled.push(order);
        return { result: 'filled', filled: ['userName', 'password', 'code'] } as const;
      },
    },
    keeper: (async (name: string, input: unknown) => table[name]?.(input)) as unknown as Call<KeeperOperations>,
  };
  return fill(parts, { tabId: 1, entry: of, accepted }).catch(() => 'failed');
}

interface Released {
  readonly releases: Envelope[];
}

let told = 0;
const forgeEnvelopes = (forge: (envelope: Envelope) => Partial<Envelope>): void => {
  told = 0;
  real.forge = (path, answer) => {
    if (!/\/envelope|\/releases$/.test(path)) return answer;
    told += 1;
    const one = (envelope: Envelope) => ({ ...envelope, ...forge(envelope) });
    const released = answer as Released | Envelope;
    return 'releases' in released ? { releases: released.releases.map(one) } : one(released);
  };
};

/** What an honest server answers for a value. */
async function envelopeOf(path: EntryPath): Promise<Envelope> {
  const seen: Envelope[] = [];
  forgeEnvelopes((envelope) => {
    seen.push(envelope);
    return {};
  });
  await operations.copy({ entry: path, what: 'password' });
  real.forge = null;
  copied.length = 0;
  const [envelope] = seen;
  if (envelope === undefined) throw new Error('A copied value is revealed');
  return envelope;
}

function flipped(base64: string, at: number): string {
  const bytes = Buffer.from(base64, 'base64');
  const index = at < 0 ? bytes.length + at : at;
  bytes[index] = (bytes[index] ?? 0) ^ 1;
  return bytes.toString('base64');
}

const sealedPart = ({ cek_wrapped_base64, encrypted_value_base64, initialization_vector_base64 }: Envelope) => ({
  cek_wrapped_base64,
  encrypted_value_base64,
  initialization_vector_base64,
});

async function expectNothingOpens(): Promise<void> {
  expect(await fillAt(ADDRESS, entry!, ['other_host'])).toBe('failed');
  for (const what of ['password', 'code'] as const)
    await expect(operations.copy({ entry: entry!, what })).rejects.toThrow(Error);
  expect([filled, copied]).toEqual([[], []]);
  expect(told).toBeGreaterThan(0);
}

test('an honest server: the entry is found, filled and copied', async () => {
  expect((await operations.matches({ address: ADDRESS })).exact).toMatchObject([entry]);
  expect(await fillAt(ADDRESS, entry!)).toMatchObject({ result: 'filled' });
  expect(filled).toMatchObject([
    { userName: 'app', password: SECRET, code: expect.stringMatching(/^\d{6}$/) as string },
  ]);
  await operations.copy({ entry: entry!, what: 'password' });
  expect(copied).toEqual([SECRET]);
});

describe('values', () => {
  const forgeries: readonly (readonly [string, (other: Envelope) => (one: Envelope) => Partial<Envelope>])[] = [
    ['of another group (M1, M3)', (other) => () => sealedPart(other)],
    ['of another group, with its ids (M1)', (other) => () => other],
    [
      'under a later number (M4)',
      () =>
        ({ rev }) => ({ rev: rev + 1 }),
    ],
    ['with another key (M6)', () => (one) => ({ cek_wrapped_base64: flipped(one.cek_wrapped_base64, -1) })],
    ['with a bit flipped (M6)', () => (one) => ({ encrypted_value_base64: flipped(one.encrypted_value_base64, -1) })],
    ['with no bytes (M6)', () => () => ({ encrypted_value_base64: '' })],
    ['of the format before (M7)', () => () => ({ crypto_profile: 'L0' as 'pb1' })],
    [
      'of a later version of the group’s key (M41)',
      () =>
        ({ gk_version }) => ({ gk_version: gk_version + 1 }),
    ],
  ];
  test.each(forgeries)('%s', async (_what, forge) => {
    forgeEnvelopes(forge(await envelopeOf(backup!)));
    await expectNothingOpens();
  });

  test('without a signed list of the group (M17, M19, M22)', async () => {
    const hide = (text: string) => text.replaceAll(/"grants":\[[^\]]*\]/g, '"grants":[]');
    real.forge = (path, answer) => (path.includes('/roster') ? JSON.parse(hide(JSON.stringify(answer))) : answer);
    told = 1;
    await expectNothingOpens();
    expect(await operations.matches({ address: ADDRESS })).toMatchObject({ exact: [], closedGroups: 1 });
  });

  test('a listed login that differs (M5): the sealed one is filled', async () => {
    real.forge = (_path, answer) => JSON.parse(JSON.stringify(answer).replaceAll('"login":"app"', '"login":"root"'));
    expect(await fillAt(ADDRESS, entry!)).toMatchObject({ result: 'filled' });
    expect(filled).toMatchObject([{ userName: 'app', password: SECRET }]);
  });
});

describe('rules', () => {
  /** Changes all rows of the list of rules. */
  const forgeRows = (change: (row: Record<string, unknown>) => object) => {
    real.forge = (path, answer) => {
      if (!path.endsWith('/sites')) return answer;
      const { groups, ...rest } = answer as { groups: { rows: Record<string, unknown>[] }[] };
      return { ...rest, groups: groups.map((group) => ({ ...group, rows: group.rows.map(change) })) };
    };
  };

  /** In a group of an attacker, whose key also the server may know. */
  async function rowOf(place: SealedPlace, entryId: string, groupId: string, address = ELSEWHERE) {
    const content = { type: 'link', title: '', value: utf8(address) } as const;
    const { field_id, site_sealed, cek_wrapped } = await sealedField({ ...place, e: entryId }, content);
    const sealed = { site_sealed_base64: site_sealed, cek_wrapped_base64: cek_wrapped };
    const row = { entry_id: entryId, entry_title: 'Shop', field_id, rev: 1, gk_version: 1, ...sealed };
    return { entry_group_id: groupId, rows: [row] };
  }

  test('of another entry are not taken for this one (M1)', async () => {
    forgeRows((row) => ({ ...row, entry_id: backup!.entryId }));
    expect((await operations.matches({ address: ADDRESS })).exact).toEqual([]);
    expect(await fillAt(ADDRESS, backup!)).toMatchObject({ result: 'ask', question: 'other_host' });
    expect(filled).toEqual([]);
  });

  test('that are damaged offer nothing (M6)', async () => {
    forgeRows((row) => ({ ...row, site_sealed_base64: flipped(String(row['site_sealed_base64']), -1) }));
    expect((await operations.matches({ address: ADDRESS })).exact).toEqual([]);
  });

  test.each(['the group of the attacker', 'the group of the entry'])(
    'for the id of this entry, sealed in another group and shown in %s, do not count',
    async (shown) => {
      const place = await createSealedPlace(ada, { name: `Attacker ${shown}` });
      const group = shown === 'the group of the entry' ? entry!.entryGroupId : place.g;
      const listed = await rowOf(place, entry!.entryId, group);
      real.forge = (path, answer) => {
        if (!path.endsWith('/sites')) return answer;
        const { groups, ...rest } = answer as { groups: { entry_group_id: string }[] };
        return { ...rest, groups: [...groups.filter((one) => one.entry_group_id !== group), listed] };
      };
      expect((await operations.matches({ address: ELSEWHERE })).exact).toEqual([]);
      expect(await fillAt(ELSEWHERE, entry!)).toMatchObject({ result: 'ask', question: 'other_host' });
      expect([filled, real.requests.filter((one) => /envelope|releases/.test(one))]).toEqual([[], []]);
    },
  );

  test('of another group for many ids do not displace the entry', async () => {
    const place = await createSealedPlace(ada, { name: 'Attacker of many' });
    const ids = Array.from({ length: 60 }, (_, at) => `${place.e.slice(0, -4)}${String(at).padStart(4, '0')}`);
    const listed = await Promise.all([backup!.entryId, ...ids].map((id) => rowOf(place, id, place.g, ADDRESS)));
    const forged = { entry_group_id: place.g, rows: listed.flatMap(({ rows }) => rows) };
    real.forge = (path, answer) => {
      if (!path.endsWith('/sites')) return answer;
      const { groups, ...rest } = answer as { groups: { entry_group_id: string }[] };
      return { ...rest, groups: [forged, ...groups.filter((one) => one.entry_group_id !== place.g)] };
    };
    expect((await operations.matches({ address: ADDRESS })).exact).toMatchObject([entry]);
  });

  test('a list that shows another entry for the one that fits: the question names the hosts', async () => {
    real.forge = (path, answer) =>
      path.includes('/entries?')
        ? JSON.parse(JSON.stringify(answer).replaceAll(entry!.entryId, backup!.entryId))
        : answer;
    const { exact } = await operations.matches({ address: ADDRESS }).catch(() => ({ exact: [] }));
    expect(exact).toEqual([]);
    expect(await fillAt(ADDRESS, backup!)).toMatchObject({ result: 'ask', question: 'other_host' });
    expect(filled).toEqual([]);
  });
});
