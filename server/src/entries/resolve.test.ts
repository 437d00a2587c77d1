/** Fields by their names, for members only and without a record (docs/spec/api.md §3.10). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { v7 } from 'uuid';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import { resolve } from '@passwordbroker/core/contract/entries/resolve';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { countStatements, everything, giveRole, makeGroup, putEntry, putField } from '../operations/testing/vault.ts';
import { resolveReferences } from './resolve.ts';
import { startTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';
import { putIntoTrash } from '../testing/trash.ts';

type Ref = BodyOf<typeof resolve>['refs'][number];

let app: TestApp;
let [ada, bob, out]: SignedIn[] = [];
let [top, child, hidden]: string[] = [];
let [mail, root, api, note]: string[] = [];
beforeAll(async () => {
  app = await startTestApp();
  const people: SignedIn[] = [];
  for (const name of ['ada', 'bob', 'out']) people.push(await app.signUp(name));
  [ada, bob, out] = people;
  top = await makeGroup(ada!, 'Ops');
  child = await makeGroup(ada!, 'Caf\u00e9', top);
  hidden = await makeGroup(ada!, 'Hidden', top);
  await giveRole(app.deps, child, bob!.userId, 'member');
  mail = await putEntry(app.deps, child, 'Mail');
  root = await putField(app.deps, mail, 'Root');
  api = await putField(app.deps, mail, 'Re\u0301seau');
  note = await putField(app.deps, mail, 'password', 'body');
  await putField(app.deps, await putEntry(app.deps, hidden, 'Mail'), 'Root');
  await putField(app.deps, await putEntry(app.deps, top, 'Mail'), 'Root');
});
afterAll(() => app.stop());

const CAFE = ['Ops', 'Caf\u00e9'];
const ask = (who: SignedIn | undefined, refs: Ref[]) => who!.call(resolve, { body: { refs } });
const idsOf = async (who: SignedIn | undefined, ref: Ref) => {
  const { matches } = await ask(who, [ref]);
  expect(matches).toHaveLength(1);
  return matches[0]!.map(({ field_id }) => field_id);
};

describe('names', () => {
  test('a field with its place, type and revision', async () => {
    const { matches } = await ask(bob, [{ groups: CAFE, entry: 'Mail', field: 'Root' }]);
    const place = { entry_group_id: child, entry_id: mail, field_id: root };
    expect(matches).toEqual([[{ ...place, type: 'password', title: 'Root', rev: 1, gk_version: 1 }]]);
  });

  test('exact after NFC, on both sides', async () => {
    const at = (field: string, groups = CAFE, entry = 'Mail') => idsOf(bob, { groups, entry, field });
    expect(await at('R\u00e9seau', ['Ops', 'Cafe\u0301'])).toEqual([api]);
    expect(await at('Re\u0301seau')).toEqual([api]);
    for (const other of ['root', 'Root ', 'Roo', 'Reseau', '%', 'Ro_t']) expect(await at(other)).toEqual([]);
    expect(await at('Root', ['ops', 'Caf\u00e9'])).toEqual([]);
    expect(await at('Root', ['Caf\u00e9'])).toEqual([]);
    expect(await at('Root', CAFE, 'mail')).toEqual([]);
  });

  test('ids, in any case, each only in its place', async () => {
    const byId = { groups: [`id:${top}`, `id:${child!.toUpperCase()}`], entry: `id:${mail}`, field: `id:${root}` };
    expect(await idsOf(bob, byId)).toEqual([root]);
    for (const stray of [
      { ...byId, groups: [`id:${child}`] },
      { ...byId, groups: [...byId.groups, `id:${child}`] },
      { ...byId, entry: `id:${v7()}` },
      { ...byId, field: `id:${mail}` },
      { ...byId, groups: CAFE, entry: mail! },
      { ...byId, field: 'id:' },
    ])
      expect(await idsOf(bob, stray)).toEqual([]);
  });

  test('a type names a field that no title does; a title comes first', async () => {
    const at = (field?: string) =>
      idsOf(bob, { groups: CAFE, entry: 'Mail', ...(field === undefined ? {} : { field }) });
    expect(await at('password')).toEqual([note]);
    expect(await at('file')).toEqual([note]);
    expect(await at('TOTP')).toEqual([]);
    const all = await at();
    expect([new Set(all.slice(0, 2)), all.slice(2)]).toEqual([new Set([root, api]), [note]]);
  });

  test('answers come in the order of their references, and a name that begins as an id is none', async () => {
    const odd = await putEntry(app.deps, child!, 'id:odd');
    await putField(app.deps, odd, 'Root');
    const { matches } = await ask(bob, [
      { groups: CAFE, entry: 'id:odd', field: 'Root' },
      { groups: CAFE, entry: 'Mail', field: 'Root' },
      { groups: CAFE, entry: 'None', field: 'Root' },
      { groups: CAFE, entry: `id:${odd}` },
      { groups: CAFE, entry: 'Mail', field: 'Root' },
    ]);
    expect(matches.map((of) => of.length)).toEqual([0, 1, 0, 1, 1]);
  });

  test('at most ten a reference', async () => {
    for (let at = 0; at < 12; at += 1) await putField(app.deps, await putEntry(app.deps, child!, 'Twin'), 'Root');
    expect(await idsOf(bob, { groups: CAFE, entry: 'Twin', field: 'Root' })).toHaveLength(10);
  });
});

describe('rights', () => {
  test('groups of which one is no member give nothing, by name or id, whether they exist or not', async () => {
    const refs: Ref[] = [
      { groups: ['Ops'], entry: 'Mail', field: 'Root' },
      { groups: ['Ops', 'Hidden'], entry: 'Mail', field: 'Root' },
      { groups: [`id:${top}`, `id:${hidden}`], entry: 'Mail' },
      { groups: ['Ops', 'Nowhere'], entry: 'Mail', field: 'Root' },
    ];
    expect((await ask(bob, refs)).matches).toEqual([[], [], [], []]);
    expect((await ask(ada, refs)).matches.map((of) => of.length)).toEqual([1, 1, 1, 0]);
    expect((await ask(out, [...refs, { groups: CAFE, entry: 'Mail' }])).matches).toEqual([[], [], [], [], []]);
  });

  test('nothing of the trash', async () => {
    const g = await makeGroup(ada!, 'Bin');
    const e = await putEntry(app.deps, g, 'Mail');
    const f = await putField(app.deps, e, 'Root');
    const ref = { groups: ['Bin'], entry: 'Mail' };
    for (const [kind, id] of [
      ['field', await putField(app.deps, e, 'Other')],
      ['entry', await putEntry(app.deps, g, 'Mail')],
    ] as const) {
      await putIntoTrash(app, kind, id);
      expect(await idsOf(ada, ref)).toEqual([f]);
    }
    await putIntoTrash(app, 'entry_group', g);
    expect(await idsOf(ada, ref)).toEqual([]);
    expect(await idsOf(ada, { ...ref, groups: [`id:${g}`] })).toEqual([]);
  });

  test('neither a history nor the audit log has a row of it', async () => {
    const before = await everything(app.deps);
    await ask(bob, [{ groups: CAFE, entry: 'Mail' }]);
    expect(await everything(app.deps)).toBe(before);
  });
});

describe('limits', () => {
  const ref = { groups: CAFE, entry: 'Mail', field: 'Root' };
  const send = (refs: unknown, json: unknown = { refs }) => bob!.request({ method: 'POST', path: resolve.path, json });

  test('a hundred references, in as many statements as one', async () => {
    const { matches } = await ask(
      bob,
      Array.from({ length: 100 }, () => ref),
    );
    expect(matches.map((of) => of.map(({ field_id }) => field_id))).toEqual(Array.from({ length: 100 }, () => [root]));
    const statements = (refs: Ref[]) =>
      countStatements(app.deps, (deps) => resolveReferences({ deps, actor: bob!, body: { refs } }));
    const others = Array.from({ length: 99 }, (_, at) => ({ ...ref, entry: `E${at}` }));
    expect(await statements([ref, ...others])).toBe(await statements([ref]));
  });

  const long = 'x'.repeat(10_000);
  const deep = (levels: number) => Array.from({ length: levels }, () => 'Ops');
  test.each([
    ['101 references', Array.from({ length: 101 }, () => ref)],
    ['none', []],
    ['no list', 'x'],
    ['absent', undefined],
    ['no object', [7]],
    ['a field of 10,000 letters', [{ ...ref, field: long }]],
    ['an entry of 10,000 letters', [{ ...ref, entry: long }]],
    ['a group of 10,000 letters', [{ ...ref, groups: ['Ops', long] }]],
    ['an entry of 256 letters', [{ ...ref, entry: 'x'.repeat(256) }]],
    ['more groups than a tree is deep', [{ ...ref, groups: deep(LIMITS.treeDepth + 1) }]],
    ['no group', [{ ...ref, groups: [] }]],
    ['an empty name', [{ ...ref, entry: '' }]],
    ['a NUL', [{ ...ref, entry: 'a\0b' }]],
    ['half a surrogate pair', [{ ...ref, field: 'a\ud800' }]],
    ['a number', [{ ...ref, entry: 7 }]],
    ['nested groups', [{ ...ref, groups: [[['Ops']]] }]],
  ])('%s: 422', async (_what, refs) => {
    const answer = await send(refs);
    expect([answer.status, answer.json()['code']]).toEqual([422, 'validation']);
  });

  test('names and paths of the greatest length are looked for', async () => {
    expect(await idsOf(bob, { groups: deep(LIMITS.treeDepth), entry: 'x'.repeat(LIMITS.title) })).toEqual([]);
    expect(await idsOf(bob, { ...ref, groups: ['__proto__'], entry: 'constructor', field: 'toString' })).toEqual([]);
  });
});
