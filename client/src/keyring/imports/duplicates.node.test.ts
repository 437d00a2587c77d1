/** Entries of a file beside existing ones: what each choice does, and which present values are opened for it. */
import { beforeAll, describe, expect, test } from 'vitest';
import { keepassXml, type XmlEntry } from '@passwordbroker/core/testing/keepass/keepass-files';
import type { SignedIn, TestApp } from '../../../../server/src/testing/test-app.ts';
import { mateOf, type Mate } from '../../testing/team.node.ts';
import { withPeople } from '../../testing/with-vaults.node.ts';

type Entry = Omit<XmlEntry, 'title'> & { readonly title?: string };

interface Constellation {
  /** Default title of its entries. */
  readonly name: string;
  readonly there: readonly Entry[];
  readonly file: Entry;
  /** Titles of fields that differ; none: equal; null: no duplicate. */
  readonly differing: readonly string[] | null;
  /** Fields that a revision changes and adds. */
  readonly revised?: readonly [updated: number, added: number];
  /** Present values that a comparison opens. */
  readonly opened?: number;
}

const BASE = { user: 'ada', password: 'one' } as const;
const file = (name: string, text: string) => [{ name, base64: btoa(text) }];
const totp = (secret: string, period = 30) => `otpauth://totp/x?secret=${secret}&period=${period}`;
const KEY = 'JBSWY3DPEHPK3PXP';

const CONSTELLATIONS: readonly Constellation[] = [
  { name: 'nothing there', there: [], file: BASE, differing: null },
  { name: 'equal', there: [BASE], file: BASE, differing: [], opened: 1 },
  {
    name: 'password',
    there: [BASE],
    file: { ...BASE, password: 'two' },
    differing: ['Password'],
    revised: [1, 0],
    opened: 1,
  },
  { name: 'login', there: [BASE], file: { ...BASE, user: 'bob' }, differing: null },
  { name: 'no login in the file', there: [BASE], file: { password: 'one' }, differing: null },
  {
    name: 'no login at all',
    there: [{ password: 'one' }],
    file: { password: 'two' },
    differing: ['Password'],
    revised: [1, 0],
    opened: 1,
  },
  {
    name: 'folded',
    there: [{ ...BASE, title: 'Földed' }],
    file: { ...BASE, title: ' FOLDED ' },
    differing: [],
    opened: 1,
  },
  { name: 'title', there: [{ ...BASE, title: 'A title' }], file: { ...BASE, title: 'Another title' }, differing: null },
  {
    name: 'host equal',
    there: [{ ...BASE, url: 'https://a.example/x' }],
    file: { ...BASE, url: 'https://a.example/x' },
    differing: [],
    opened: 2,
  },
  {
    name: 'path of the link',
    there: [{ ...BASE, url: 'https://a.example/x' }],
    file: { ...BASE, url: 'https://a.example/y' },
    differing: ['URL'],
    revised: [1, 0],
    opened: 2,
  },
  {
    name: 'host',
    there: [{ ...BASE, url: 'https://a.example' }],
    file: { ...BASE, url: 'https://b.example' },
    differing: null,
  },
  {
    name: 'link in the file alone',
    there: [BASE],
    file: { ...BASE, url: 'https://a.example' },
    differing: ['URL'],
    revised: [0, 1],
    opened: 1,
  },
  {
    name: 'link there alone',
    there: [{ ...BASE, url: 'https://a.example' }],
    file: BASE,
    differing: ['URL'],
    revised: [0, 0],
    opened: 1,
  },
  {
    name: 'no web address',
    there: [{ ...BASE, url: 'ssh://a' }],
    file: { ...BASE, url: 'ssh://b' },
    differing: ['URL'],
    revised: [1, 0],
    opened: 2,
  },
  {
    name: 'note',
    there: [{ ...BASE, notes: 'x' }],
    file: { ...BASE, notes: 'y' },
    differing: ['Notes'],
    revised: [1, 0],
    opened: 2,
  },
  {
    name: 'only note, other title',
    there: [{ ...BASE, strings: { Hint: 'x' } }],
    file: { ...BASE, notes: 'x' },
    differing: ['Hint'],
    revised: [0, 0],
    opened: 2,
  },
  {
    name: 'note in the file alone',
    there: [BASE],
    file: { ...BASE, notes: 'y' },
    differing: ['Notes'],
    revised: [0, 1],
    opened: 1,
  },
  {
    name: 'two notes',
    there: [{ ...BASE, strings: { A: '1', B: '2' } }],
    file: { ...BASE, strings: { B: '3', A: '1' } },
    differing: ['B'],
    revised: [1, 0],
    opened: 3,
  },
  {
    name: 'notes of other titles',
    there: [{ ...BASE, strings: { A: '1', B: '2' } }],
    file: { ...BASE, strings: { C: '1', D: '2' } },
    differing: ['A', 'B', 'C', 'D'],
    revised: [0, 2],
    opened: 1,
  },
  {
    name: 'second password',
    there: [BASE],
    file: { ...BASE, protected: { PIN: '1' } },
    differing: ['PIN'],
    revised: [0, 1],
    opened: 1,
  },
  {
    name: 'kind',
    there: [{ ...BASE, strings: { PIN: '1' } }],
    file: { ...BASE, protected: { PIN: '1' } },
    differing: ['PIN', 'PIN'],
    revised: [0, 1],
    opened: 1,
  },
  {
    name: 'file equal',
    there: [{ ...BASE, files: file('k', 'x') }],
    file: { ...BASE, files: file('k', 'x') },
    differing: [],
    opened: 2,
  },
  {
    name: 'file',
    there: [{ ...BASE, files: file('k', 'x') }],
    file: { ...BASE, files: file('k', 'y') },
    differing: ['k'],
    revised: [1, 0],
    opened: 2,
  },
  {
    name: 'file name',
    there: [{ ...BASE, files: file('k', 'x') }],
    file: { ...BASE, files: file('l', 'x') },
    differing: ['k'],
    revised: [0, 0],
    opened: 2,
  },
  {
    name: 'code equal',
    there: [{ ...BASE, protected: { otp: totp(KEY) } }],
    file: { ...BASE, protected: { otp: totp(KEY) } },
    differing: [],
    opened: 2,
  },
  {
    name: 'code',
    there: [{ ...BASE, protected: { otp: totp(KEY) } }],
    file: { ...BASE, protected: { otp: totp(`${KEY}AAAAAAAA`) } },
    differing: ['One-time password'],
    revised: [1, 0],
    opened: 2,
  },
  {
    name: 'period of the code',
    there: [{ ...BASE, protected: { otp: totp(KEY) } }],
    file: { ...BASE, protected: { otp: totp(KEY, 60) } },
    differing: ['One-time password'],
    revised: [1, 0],
    opened: 2,
  },
  { name: 'no field', there: [{}], file: {}, differing: null },
  {
    name: 'several differences',
    there: [{ ...BASE, notes: 'x' }],
    file: { ...BASE, password: 'two', notes: 'y', url: 'https://a.example' },
    differing: ['Notes', 'Password', 'URL'],
    revised: [2, 1],
    opened: 2,
  },
  { name: 'two there', there: [BASE, { ...BASE, password: 'two' }], file: BASE, differing: [], opened: 1 },
];

const entriesOf = (which: 'there' | 'file') =>
  CONSTELLATIONS.flatMap(({ name, [which]: own }) =>
    (Array.isArray(own) ? (own as readonly Entry[]) : [own as Entry]).map((entry) => ({ title: name, ...entry })),
  );
const xmlOf = (entries: readonly XmlEntry[]) => new Blob([keepassXml({ root: { name: 'Root', entries } })]);

let app: TestApp;
let people: readonly [SignedIn];
withPeople(['ada'], (started, all) => {
  app = started;
  people = all;
});
let ada: Mate;
beforeAll(async () => {
  ada = await mateOf(people[0]);
});

/** Of each entry in the group its title, and the number of its fields and of their revisions. */
async function rowsIn(group: string) {
  const rows = await app.deps.db.read
    .selectFrom('entries')
    .leftJoin('fields', 'fields.entry_id', 'entries.entry_id')
    .select(['entries.entry_id', 'entries.title', 'fields.rev'])
    .where('entries.entry_group_id', '=', group)
    .execute();
  const found = new Map<string, { title: string; fields: number; revisions: number }>();
  for (const { entry_id, title, rev } of rows) {
    const { fields, revisions } = found.get(entry_id) ?? { fields: 0, revisions: 0 };
    found.set(entry_id, { title, fields: fields + (rev === null ? 0 : 1), revisions: revisions + (rev ?? 0) });
  }
  return [...found.values()];
}

/** Titles of the entries whose values were opened to compare them, one for each value. */
async function openedIn(group: string): Promise<string[]> {
  const rows = await app.deps.db.read
    .selectFrom('field_history')
    .innerJoin('fields', 'fields.field_id', 'field_history.field_id')
    .innerJoin('entries', 'entries.entry_id', 'fields.entry_id')
    .select('entries.title')
    .where('entries.entry_group_id', '=', group)
    .where('field_history.event_type', '=', 'decrypted')
    .where('field_history.purpose', '=', 'compare')
    .execute();
  return rows.map(({ title }) => title);
}

const titleIn = ({ name, there: [first] }: Constellation) => first?.title ?? name;
const sum = (rows: Awaited<ReturnType<typeof rowsIn>>, titles: ReadonlySet<string>, of: 'fields' | 'revisions') =>
  rows.filter(({ title }) => titles.has(title.trim())).reduce((all, row) => all + row[of], 0);

describe.each(['skip', 'add', 'revise'] as const)('duplicates: %s', (choice) => {
  test.each([false, true])('compared first: %s', async (isCompared) => {
    const { imports } = ada.write;
    const { entryGroup } = await ada.write.createGroup({
      name: `${choice} ${String(isCompared)}`,
      parentId: null,
      sameMembers: false,
    });
    const group = entryGroup.entry_group_id;
    const into = { groups: [group], sameMembers: false, revise: [] };
    const first = await imports.read({ file: xmlOf(entriesOf('there')), kind: 'keepass-xml' });
    // Titles of one constellation are equal on purpose: nothing was there before.
    await imports.store(first.handle, { rootName: '', without: [], into });
    const before = await rowsIn(group);

    const read = await imports.read({ file: xmlOf(entriesOf('file')), kind: 'keepass-xml' });
    const { same } = await imports.compare(read.handle, [group]);
    expect(CONSTELLATIONS.filter((_, at) => same.has(at)).map(({ name }) => name)).toEqual(
      CONSTELLATIONS.filter(({ name, differing }) => differing !== null || name === 'no field').map(({ name }) => name),
    );
    const differing = isCompared ? await imports.compareValues(read.handle, [group], [...same], {}) : new Map();
    if (isCompared)
      for (const [at, constellation] of CONSTELLATIONS.entries())
        if (constellation.differing !== null)
          expect([constellation.name, differing.get(at)?.toSorted()]).toEqual([
            constellation.name,
            constellation.differing,
          ]);
    const equal = [...same].filter((at) => differing.get(at)?.length === 0);
    const others = [...same].filter((at) => !equal.includes(at));
    await imports.store(read.handle, {
      rootName: '',
      without: [...equal, ...(choice === 'skip' ? others : [])],
      into: { ...into, revise: choice === 'revise' ? others : [] },
    });

    const after = await rowsIn(group);
    for (const [at, constellation] of CONSTELLATIONS.entries()) {
      const { name, revised = [0, 0] } = constellation;
      const titles = new Set([titleIn(constellation), constellation.file.title?.trim() ?? name]);
      const made = after.filter(({ title }) => titles.has(title.trim())).length;
      const had = before.filter(({ title }) => titles.has(title.trim())).length;
      const isDuplicate = same.has(at);
      const isAdded = !isDuplicate || (choice === 'add' && !equal.includes(at));
      const ownFields = isAdded ? (read.entries[at]?.fields ?? 0) : 0;
      const [updated, added] = isDuplicate && choice === 'revise' ? revised : [0, 0];
      expect([
        name,
        made - had,
        sum(after, titles, 'fields') - sum(before, titles, 'fields'),
        sum(after, titles, 'revisions') - sum(before, titles, 'revisions'),
      ]).toEqual([name, isAdded ? 1 : 0, ownFields + added, ownFields + added + updated]);
    }
    const isOpened = isCompared || choice === 'revise';
    expect((await openedIn(group)).toSorted()).toEqual(
      CONSTELLATIONS.flatMap((one) =>
        Array.from({ length: isOpened ? (one.opened ?? 0) : 0 }, () => titleIn(one)),
      ).toSorted(),
    );
  });
});
