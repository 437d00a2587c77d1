/** Site rules on the real server: sealed with each link, opened at once, changed, and made for older links. */
import { describe, expect, test } from 'vitest';
import { indexSites } from '@passwordbroker/core/domain/sites/match-site';
import { registrableDomain } from '@passwordbroker/core/domain/sites/registrable-domain';
import { siteRulesOf } from '@passwordbroker/core/domain/sites/site-rules';
import type { Field } from '@passwordbroker/core/contract/entities';
import { createEntryIn } from '../../../../server/src/testing/sealed-place.ts';
import type { SignedIn, TestApp } from '../../../../server/src/testing/test-app.ts';
import type { RealVault } from '../../testing/real-vault.node.ts';
import { vaultOf } from '../../testing/real-vault.node.ts';
import { withPeople, withVault } from '../../testing/with-vaults.node.ts';
import type { NewField, Sites, VaultWrite } from '../vault.ts';

let app: TestApp;
let ada: SignedIn;
let real: RealVault;
let write: VaultWrite;
withPeople(['ada'], (started, people) => {
  app = started;
  [ada] = people;
});
withVault(
  () => ada,
  (opened, writing) => ([real, write] = [opened, writing]),
);

interface Made {
  readonly entryGroupId: string;
  readonly entryId: string;
  readonly field: Field;
}

async function group(name = 'Ops'): Promise<string> {
  return (await write.createGroup({ name, parentId: null, sameMembers: false })).entryGroup.entry_group_id;
}

async function link(entryGroupId: string, value: string, more: Partial<NewField> = {}): Promise<Made> {
  const entryId = await createEntryIn(ada, entryGroupId, `Entry of ${value}`);
  const path = { entryGroupId, entryId };
  const field = { type: 'link', title: 'URL', value, ...more } as NewField;
  return { ...path, field: await write.createField(path, field) };
}

/** As a client makes them that knows no rules. */
async function forgetRules(...links: readonly Made[]): Promise<void> {
  const ids = links.map(({ field }) => field.field_id);
  await app.deps.db.transact((tx) =>
    tx.updateTable('field_revisions').set({ site: null }).where('field_id', 'in', ids).execute(),
  );
}

const rulesOf = async (sites: Sites, { field }: Made) =>
  (await sites.read()).find(({ fieldId }) => fieldId === field.field_id)?.rules;
const purposes = async ({ field }: Made) => {
  const rows = await app.deps.db.read
    .selectFrom('field_history')
    .select(['event_type'])
    .where('field_id', '=', field.field_id)
    .orderBy('field_edit_log_id')
    .execute();
  return rows.map(({ event_type }) => event_type);
};
const listings = () => real.requests.filter((request) => request.endsWith('/sites'));

describe('the rules of links', () => {
  test('are opened after one request, without a reveal, and find the entries of a page', async () => {
    const g = await group();
    const mail = await link(g, 'https://mail.example.org/login');
    await link(g, 'mailto:ada@example.org');
    await link(await group('Web'), 'https://example.com');
    const sites = await write.sites();
    const links = await sites.read();
    expect(listings()).toHaveLength(1);
    const index = indexSites(links, registrableDomain);
    expect(index.find('https://mail.example.org/other')?.exact).toEqual([
      {
        entryGroupId: g,
        entryId: mail.entryId,
        fieldId: mail.field.field_id,
        title: 'Entry of https://mail.example.org/login',
        rev: 1,
        rules: siteRulesOf('https://mail.example.org/login'),
      },
    ]);
    expect(index.find('https://mail.example.net/')).toEqual({ exact: [], https_only: [], same_domain: [] });
    expect(await purposes(mail)).toEqual(['created']);
  });

  test('are read again only where something has changed', async () => {
    const [one, other] = [await group('One'), await group('Other')];
    const changed = await link(one, 'https://example.org');
    await link(other, 'https://example.com');
    const sites = await write.sites();
    const before = await sites.read();
    let answered = 0;
    real.forge = (url, answer) => {
      if (url.endsWith('/sites')) answered = (answer as { groups: unknown[] }).groups.length;
      return answer;
    };
    expect(await sites.read()).toEqual(before);
    expect(answered).toBe(0);
    await write.updateField(changed, { type: 'link', title: 'URL', value: 'https://example.net' });
    expect(await rulesOf(sites, changed)).toEqual(siteRulesOf('https://example.net'));
    expect(answered).toBe(1);
    await write.removeGroup(other);
    expect((await sites.read()).filter(({ entryGroupId }) => entryGroupId === other)).toEqual([]);
  });

  test('are as the person has chosen, and stay through a restored value', async () => {
    const never = await link(await group(), 'https://example.org', { sites: [{ mode: 'never' }] } as Partial<NewField>);
    const sites = await write.sites();
    expect(await rulesOf(sites, never)).toEqual([{ mode: 'never' }]);
    const { sites: revealed } = await real.vault.read.reveal(never);
    expect(revealed).toEqual([{ mode: 'never' }]);
    const rules = siteRulesOf('https://example.com', 'domain');
    const field = await write.updateField(never, {
      type: 'link',
      title: 'URL',
      value: 'https://example.com',
      sites: rules,
    });
    expect(await rulesOf(sites, never)).toEqual(rules);
    const path = { ...never, field };
    const row = (await real.vault.read.history(path)).find(({ rev, has_value }) => rev === 1 && has_value);
    await write.restoreRevision(path, row!);
    expect(await rulesOf(sites, never)).toEqual([{ mode: 'never' }]);
  });

  test('can be changed alone: another host is added, and the value stays sealed', async () => {
    const made = await link(await group(), 'https://example.org');
    const sites = await write.sites();
    await sites.read();
    const more = await sites.change({ entryGroupId: made.entryGroupId, fieldId: made.field.field_id }, (rules) => [
      ...rules,
      ...siteRulesOf('https://login.example.net/x'),
    ]);
    expect(more).toEqual([...siteRulesOf('https://example.org'), ...siteRulesOf('https://login.example.net')]);
    expect(await rulesOf(sites, made)).toEqual(more);
    expect(await purposes(made)).toEqual(['created']);
  });

  test('are the same list until something changes, so that nobody sorts them again for nothing', async () => {
    const made = await link(await group(), 'https://example.org');
    const sites = await write.sites();
    const links = await sites.read();
    expect(await sites.read()).toBe(links);
    await link(made.entryGroupId, 'https://example.net');
    const more = await sites.read();
    expect(more).toHaveLength(links.length + 1);
    expect(await sites.read()).toBe(more);
    await write.removeField(made);
    expect(await sites.read()).toHaveLength(links.length);
  });

  test('end with the lock', async () => {
    await link(await group(), 'https://example.org');
    const sites = await write.sites();
    await sites.read();
    real.before = async (request) => {
      if (request.endsWith('/sites')) real.keyring.lock();
    };
    await expect(sites.read()).rejects.toMatchObject({ code: 'locked' });
    real.before = null;
    await expect(sites.read()).rejects.toMatchObject({ code: 'locked' });
    await real.keyring.unlock(ada.masterPassword);
    expect((await sites.read()).length).toBeGreaterThan(0);
  });

  test('of a group that does not open are counted, and are there as soon as it does', async () => {
    const made = await link(await group(), 'https://example.net');
    const other = vaultOf(ada);
    await other.keyring.unlock(ada.masterPassword);
    const withoutGrants = (text: string) => text.replaceAll(/"grants":\[[^\]]*\]/g, '"grants":[]');
    other.forge = (url, answer) =>
      url.includes('/roster') ? JSON.parse(withoutGrants(JSON.stringify(answer))) : answer;
    const sites = (await other.vault.write?.sites()) as Sites;
    const links = await sites.read();
    expect(links).toEqual([]);
    const closed = sites.closedGroups();
    expect(closed).toBeGreaterThan(0);
    // Tried again, and still the same list.
    expect(await sites.read()).toBe(links);
    expect(sites.closedGroups()).toBe(closed);
    other.forge = null;
    expect(await rulesOf(sites, made)).toEqual(siteRulesOf('https://example.net'));
    expect(sites.closedGroups()).toBe(0);
  });

  test('that are damaged, exchanged or of another revision are left out; the others stay', async () => {
    const g = await group();
    const [one, other, whole] = [
      await link(g, 'https://one.example'),
      await link(g, 'https://other.example'),
      await link(g, 'https://whole.example'),
    ];
    const { read } = app.deps.db;
    const siteOf = ({ field }: Made) =>
      read.selectFrom('field_revisions').select('site').where('field_id', '=', field.field_id).executeTakeFirst();
    const set = ({ field }: Made, site: Buffer) =>
      app.deps.db.transact((tx) =>
        tx.updateTable('field_revisions').set({ site }).where('field_id', '=', field.field_id).execute(),
      );
    const stolen = (await siteOf(whole))?.site ?? Buffer.alloc(0);
    await set(one, stolen);
    const damaged = Buffer.from((await siteOf(other))?.site ?? Buffer.alloc(0));
    damaged[200] = (damaged[200] ?? 0) ^ 1;
    await set(other, damaged);
    const sites = await write.sites();
    expect(await rulesOf(sites, one)).toBeUndefined();
    expect(await rulesOf(sites, other)).toBeUndefined();
    expect(await rulesOf(sites, whole)).toEqual(siteRulesOf('https://whole.example'));
    expect(await real.vault.read.reveal(one)).toMatchObject({ text: 'https://one.example' });
    expect(await real.vault.read.reveal(one)).not.toHaveProperty('sites');
  });
});

describe('links without rules', () => {
  test('are opened once, each on record, and get the rules of their value', async () => {
    const g = await group();
    const links = [
      await link(g, 'https://example.org/a'),
      await link(g, 'https://example.com'),
      await link(g, 'mailto:ada@example.org'),
    ];
    const untouched = await link(g, 'https://example.net');
    await forgetRules(...links);
    const sites = await write.sites();
    expect(await rulesOf(sites, links[0]!)).toBeUndefined();
    expect(await sites.unprepared(g)).toBe(3);
    const steps: [number, number][] = [];
    const done = await sites.prepare(g, { onProgress: (now, total) => steps.push([now, total]) });
    expect(done).toEqual({ prepared: 2, others: 1 });
    expect(steps).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
    expect(await sites.unprepared(g)).toBe(0);
    expect(await rulesOf(sites, links[0]!)).toEqual(siteRulesOf('https://example.org'));
    expect(await rulesOf(sites, links[2]!)).toEqual([]);
    for (const one of links) expect(await purposes(one)).toEqual(['created', 'decrypted']);
    const [opened] = await real.vault.read.history(links[0]!);
    expect(opened).toMatchObject({ event_type: 'decrypted', purpose: 'site', via: 'web' });
    expect(await purposes(untouched)).toEqual(['created']);
    expect(await sites.prepare(g)).toEqual({ prepared: 0, others: 0 });
  });

  test('a link that somebody changes meanwhile keeps the rules of the change', async () => {
    const g = await group();
    const made = await link(g, 'https://example.org');
    await forgetRules(made);
    const other = vaultOf(ada);
    await other.keyring.unlock(ada.masterPassword);
    const sites = await write.sites();
    real.before = async (request) => {
      if (!request.startsWith('PUT ') || !request.endsWith('/site')) return;
      real.before = null;
      await other.vault.write?.updateField(made, {
        type: 'link',
        title: 'URL',
        value: 'https://example.com',
        sites: [{ mode: 'never' }],
      });
    };
    expect(await sites.prepare(g)).toEqual({ prepared: 0, others: 0 });
    expect(await rulesOf(sites, made)).toEqual([{ mode: 'never' }]);
  });

  test('the signal ends it between two links; what was done stays, and the next run goes on', async () => {
    const g = await group();
    const links: Made[] = [];
    for (let n = 0; n < 3; n += 1) links.push(await link(g, `https://${n}.example`));
    await forgetRules(...links);
    const sites = await write.sites();
    const stop = new AbortController();
    const running = sites.prepare(g, { signal: stop.signal, onProgress: () => stop.abort(new Error('enough')) });
    await expect(running).rejects.toThrow('enough');
    expect(await sites.unprepared(g)).toBe(2);
    expect(await sites.prepare(g)).toEqual({ prepared: 2, others: 0 });
  });
});
