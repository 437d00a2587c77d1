/** Sealed site rules: kept beside the value by everything that keeps a revision, listed by what has changed. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import * as operations from '@passwordbroker/core/contract/entries/operations';
import * as sites from '@passwordbroker/core/contract/entries/sites';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { openField, openSite, rewrapField, sealSiteAgain } from '@passwordbroker/core/domain/fields/field';
import type { FieldContent } from '@passwordbroker/core/domain/fields/payload';
import { siteRulesOf, type SiteRules } from '@passwordbroker/core/domain/sites/site-rules';
import { settled } from '../offline/testing/settled.ts';
import { giveRole } from '../operations/testing/vault.ts';
import { createSealedPlace, sealedField, type SealedPlace } from '../testing/sealed-place.ts';
import { nextRevision } from '../testing/next-revision.ts';
import { type SignedIn, startTestApp, type TestApp } from '../testing/test-app.ts';
import { callWithProof } from '../testing/test-proof.ts';

const URL = 'https://example.org/login';
let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let place: SealedPlace;
let f: string;
beforeAll(async () => {
  app = await startTestApp();
  [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
});
afterAll(() => app.stop());
beforeEach(async () => {
  place = await createSealedPlace(ada, { name: 'Ops', entry: 'Mail' });
  f = await newLink();
});

const link = (value: string, rules?: SiteRules): FieldContent => ({
  type: 'link',
  title: 'URL',
  value: utf8(value),
  ...(rules === undefined ? {} : { sites: rules }),
});
const newLink = async (value = URL, at = place) =>
  (await ada.call(fields.create, { params: at, body: await sealedField(at, link(value)) })).field_id;
const params = () => ({ g: place.g, e: place.e, f });
const contextAt = (rev: number, { g, e } = place) =>
  ({ entryGroupId: g, entryId: e, fieldId: f, type: 'link', rev }) as const;
const rowOf = async (who = ada, g = place.g) =>
  (await who.call(sites.ofGroup, { params: { g } })).find(({ field_id }) => field_id === f);
const rulesOf = async (at = place) => {
  const row = await rowOf(ada, at.g);
  if (row === undefined || row.site_sealed_base64 === null) return null;
  const { cek_wrapped_base64, site_sealed_base64 } = row;
  return openSite(at.groupKey, contextAt(row.rev, at), { cek_wrapped_base64, site_sealed_base64 });
};
const put = (who: SignedIn, body: { rev: number; site_sealed: string }, at = params()) =>
  callWithProof(app, who, sites.change, { params: at, body });
const sealedRules = async (rules: SiteRules) =>
  sealSiteAgain(place.groupKey, contextAt(1), (await rowOf())?.cek_wrapped_base64 ?? '', rules);
const auditOf = async (event: string) =>
  (
    await app.deps.db.read
      .selectFrom('audit_log')
      .selectAll()
      .where('event_type', '=', event as never)
      .execute()
  ).length;

describe('the rules of a link', () => {
  test('come with a new link and with each change, sealed for its revision; the value stays unopened', async () => {
    expect(await rulesOf()).toEqual(siteRulesOf(URL));
    expect(await rowOf()).toMatchObject({ entry_id: place.e, entry_title: 'Mail', field_id: f, rev: 1 });
    const body = await nextRevision(
      place,
      { fieldId: f, baseRev: 1 },
      link('https://example.com', [{ mode: 'never' }]),
    );
    await ada.call(fields.update, { params: params(), body });
    expect(await rulesOf()).toEqual([{ mode: 'never' }]);
    const history = await ada.call(fields.history, { params: params() });
    expect(history.map(({ event_type }) => event_type)).toEqual(['updated', 'created']);
  });

  test('come with the envelope of a link, present and former, and with no other type', async () => {
    const envelope = await ada.call(fields.envelope, { params: params() });
    expect(await openField(place.groupKey, contextAt(1), envelope)).toMatchObject({ sites: siteRulesOf(URL) });
    const note = { type: 'note', title: 'N', value: utf8('n') } as const;
    const { field_id } = await ada.call(fields.create, { params: place, body: await sealedField(place, note) });
    expect(await ada.call(fields.envelope, { params: { ...params(), f: field_id } })).not.toHaveProperty(
      'site_sealed_base64',
    );
  });

  test('are refused with other types, and in another form', async () => {
    const site_sealed = await sealedRules(siteRulesOf(URL));
    const malformed = { code: 'bad_sealed_value', errors: { site_sealed: ['The site sealed is malformed.'] } };
    const note = { ...(await sealedField(place, { type: 'note', title: 'N', value: utf8('n') })), site_sealed };
    await expect(ada.call(fields.create, { params: place, body: note })).rejects.toMatchObject(malformed);
    for (const bad of [site_sealed.slice(4), 'AAAA', Buffer.alloc(212).toString('base64')]) {
      const body = { ...(await sealedField(place, link(URL))), site_sealed: bad };
      await expect(ada.call(fields.create, { params: place, body }), bad).rejects.toMatchObject(malformed);
      await expect(put(ada, { rev: 1, site_sealed: bad })).rejects.toMatchObject(malformed);
    }
  });

  test('are optional: a link of a client that knows none has none', async () => {
    const { site_sealed: _none, ...body } = await sealedField(place, link(URL));
    f = (await ada.call(fields.create, { params: place, body })).field_id;
    expect(await rowOf()).toMatchObject({ site_sealed_base64: null });
    expect(
      await openField(place.groupKey, contextAt(1), await ada.call(fields.envelope, { params: params() })),
    ).not.toHaveProperty('sites');
  });

  test('stay with the link in the trash and back, and in a move to another group', async () => {
    const { operation_id: operationId } = await callWithProof(app, ada, fields.remove, { params: params(), body: {} });
    expect(await rowOf()).toBeUndefined();
    await callWithProof(app, ada, operations.restore, { params: { operationId }, body: {} });
    expect(await rulesOf()).toEqual(siteRulesOf(URL));
    const target = await createSealedPlace(ada, { name: 'Target' });
    const row = await rowOf();
    const wrapped = await rewrapField(place.groupKey, target.groupKey, contextAt(1), row?.cek_wrapped_base64 ?? '');
    await callWithProof(app, ada, entries.moveMany, {
      params: { g: place.g },
      body: {
        entries: [place.e],
        entryGroupTarget: target.g,
        target_gk_version: 1,
        rewraps: [{ field_id: f, rev: 1, cek_wrapped: wrapped }],
      },
    });
    expect(await rowOf()).toBeUndefined();
    expect(await rulesOf({ ...target, e: place.e })).toEqual(siteRulesOf(URL));
  });
});

describe('a change of the rules alone', () => {
  test('replaces them and nothing else, and is audited', async () => {
    const before = await ada.call(fields.get, { params: params() });
    const count = await auditOf('site_rule_changed');
    const rules = siteRulesOf(URL, 'domain');
    expect(await put(ada, { rev: 1, site_sealed: await sealedRules(rules) })).toEqual({ field_id: f, rev: 1 });
    expect(await rulesOf()).toEqual(rules);
    expect(await ada.call(fields.get, { params: params() })).toEqual(before);
    expect(await ada.call(fields.history, { params: params() })).toHaveLength(1);
    expect(await auditOf('site_rule_changed')).toBe(count + 1);
  });

  test('is refused for another revision, for other types, from members and outsiders, and without a proof', async () => {
    const site_sealed = await sealedRules([]);
    await expect(put(ada, { rev: 2, site_sealed })).rejects.toMatchObject({
      code: 'revision_conflict',
      details: { current_rev: 1 },
    });
    const { field_id } = await ada.call(fields.create, { params: place, body: await sealedField(place) });
    await expect(put(ada, { rev: 1, site_sealed }, { ...params(), f: field_id })).rejects.toMatchObject({
      code: 'validation',
      errors: { site_sealed: ['The site sealed is not expected.'] },
    });
    await expect(put(bob, { rev: 1, site_sealed })).rejects.toMatchObject({ code: 'forbidden' });
    await giveRole(app.deps, place.g, bob.userId, 'member');
    await expect(put(bob, { rev: 1, site_sealed })).rejects.toMatchObject({ code: 'forbidden' });
    const unproven = ada.call(sites.change, { params: params(), body: { rev: 1, site_sealed } });
    await expect(unproven).rejects.toThrow();
    expect(await rulesOf()).toEqual(siteRulesOf(URL));
  });
});

describe('the list of all links', () => {
  type Known = { mark: string; entry_group_ids: string[] }[];
  const ask = async (who: SignedIn, known: Known = []) => {
    await settled(app);
    return who.call(sites.listAll, { body: { known } });
  };
  const idsOf = ({ groups: listed }: Awaited<ReturnType<typeof ask>>) =>
    listed.map(({ entry_group_id }) => entry_group_id);

  test('has whole groups, of members only, and names what is known', async () => {
    const mine = await ask(ada);
    expect(mine.more).toBe(false);
    expect(mine.groups.find(({ entry_group_id }) => entry_group_id === place.g)?.rows).toEqual([await rowOf()]);
    expect(idsOf(await ask(bob))).not.toContain(place.g);
    const again = await ask(ada, [{ mark: mine.mark, entry_group_ids: idsOf(mine) }]);
    expect(again).toMatchObject({ groups: [], same: mine.groups.length, gone: [], mark: mine.mark });
  });

  test.each<[string, () => Promise<unknown>]>([
    ['the rules', async () => put(ada, { rev: 1, site_sealed: await sealedRules([{ mode: 'never' }]) })],
    [
      'the value',
      async () =>
        ada.call(fields.update, {
          params: params(),
          body: await nextRevision(place, { fieldId: f, baseRev: 1 }, link('https://example.com')),
        }),
    ],
    ['another link', () => newLink('https://example.net')],
    ['the title of the entry', () => ada.call(entries.rename, { params: place, body: { title: 'Post' } })],
    ['a removal of the link', () => callWithProof(app, ada, fields.remove, { params: params(), body: {} })],
    ['a removal of the entry', () => callWithProof(app, ada, entries.remove, { params: place, body: {} })],
  ])('has a group again after a change of %s, and only that group', async (_, change) => {
    await createSealedPlace(ada, { name: 'Other' });
    const first = await ask(ada);
    const known = [{ mark: first.mark, entry_group_ids: idsOf(first) }];
    await change();
    const second = await ask(ada, known);
    expect(idsOf(second)).toEqual([place.g]);
    expect(second.groups[0]?.rows).toEqual(await ada.call(sites.ofGroup, { params: { g: place.g } }));
    expect(second.same).toBe(first.groups.length - 1);
    expect(idsOf(await ask(ada, [{ mark: second.mark, entry_group_ids: idsOf(first) }]))).toEqual([]);
    // An older mark stays valid.
    expect(idsOf(await ask(ada, known))).toEqual([place.g]);
  });

  test('names groups that are gone: removed, in the trash, or never the caller’s', async () => {
    const first = await ask(ada);
    await callWithProof(app, ada, groups.remove, { params: { g: place.g }, body: {} });
    const foreign = await createSealedPlace(bob);
    const second = await ask(ada, [{ mark: first.mark, entry_group_ids: [place.g, foreign.g] }]);
    expect(second.gone).toEqual([place.g, foreign.g]);
    expect(idsOf(second)).not.toContain(place.g);
  });

  test('takes a foreign, unknown or old mark for none', async () => {
    const first = await ask(ada);
    const ids = idsOf(first);
    const bobs = await ask(bob);
    for (const mark of [bobs.mark, 'x', f])
      expect(idsOf(await ask(ada, [{ mark, entry_group_ids: ids }]))).toEqual(ids);
  });

  test('comes in several answers when there is too much for one', async () => {
    const many = await app.signUp('many');
    const at = await createSealedPlace(many, { name: 'Large' });
    const { field_id } = await many.call(fields.create, { params: at, body: await sealedField(at, link(URL)) });
    await copyField(field_id, 4100);
    for (let n = 0; n < 25; n += 1) await createSealedPlace(many, { name: `Small ${n}` });
    const seen = new Set<string>();
    let known: Known = [];
    for (let answers = 1; ; answers += 1) {
      const answer = await ask(many, known);
      for (const id of idsOf(answer)) seen.add(id);
      known = [...known, { mark: answer.mark, entry_group_ids: idsOf(answer) }];
      if (!answer.more) {
        expect(answers).toBe(2);
        expect(new Set(known.map(({ mark }) => mark)).size).toBe(1);
        break;
      }
    }
    expect(seen.size).toBe(26);
  });

  test('is audited once an hour for each session', async () => {
    const [eve, dan] = [await app.signUp('eve'), await app.signUp('dan')];
    const before = await auditOf('sites_listed');
    await ask(eve);
    await ask(eve);
    await eve.call(sites.ofGroup, { params: { g: (await createSealedPlace(eve)).g } });
    expect(await auditOf('sites_listed')).toBe(before + 1);
    await ask(dan);
    expect(await auditOf('sites_listed')).toBe(before + 2);
    // The session stays in use.
    for (let minutes = 14; minutes <= 70; minutes += 14) {
      app.clock.advance(14 * 60_000);
      if (minutes === 70) expect(await auditOf('sites_listed')).toBe(before + 2);
      await ask(eve);
    }
    expect(await auditOf('sites_listed')).toBe(before + 3);
  });
});

async function copyField(fieldId: string, times: number): Promise<void> {
  await app.deps.db.transact(async (tx) => {
    const field = await tx.selectFrom('fields').selectAll().where('field_id', '=', fieldId).executeTakeFirstOrThrow();
    const revision = await tx
      .selectFrom('field_revisions')
      .selectAll()
      .where('field_id', '=', fieldId)
      .executeTakeFirstOrThrow();
    for (let n = 0; n < times; n += 1) {
      const field_id = app.deps.newId();
      await tx
        .insertInto('fields')
        .values({ ...field, field_id })
        .execute();
      await tx
        .insertInto('field_revisions')
        .values({ ...revision, field_id })
        .execute();
    }
  });
}
