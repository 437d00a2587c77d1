/** Trees as the vault can hold them: groups in the order of a walk, entries in that of their groups. */
import fc from 'fast-check';
import { distinctTags, tagProblem } from '../../domain/entry-marks.ts';
import type { ExchangeTree, PlainContent, TreeEntry, TreeField, TreeGroup } from '../../domain/exchange/tree.ts';
import { bytesOf } from '../arbitraries.ts';

/** Any character but half surrogates, which have no UTF-8. */
const anyText = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  fc.constantFrom(' ', '\r\n', '\t a \0 b ', '=1+1', '<b>&amp;</b>', '{REF:P@T:x}', ']]>', '\uFFFE\uFEFF', '"\'\\'),
);
const shortText = anyText
  .map((text) => text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ').trim())
  .map((text) => (text === '' ? 'Untitled' : text));
const title = fc.oneof(
  { weight: 3, arbitrary: shortText },
  fc.constantFrom('Password', 'URL', 'Notes', 'Title', 'otp', 'KP2A_URL_1', 'UserName', 'TOTP Seed', '__proto__'),
);
/** Milliseconds, or not known. */
const time = fc.option(fc.integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2026, 0, 1) }), { freq: 5 });
const day = fc.integer({ min: 11_000, max: 80_000 }).map((days) => days * 24 * 60 * 60 * 1000);
/** Without the two characters that XML cannot hold in a tag. */
const tags = fc
  .array(shortText, { maxLength: 3 })
  .map((drawn) => distinctTags(drawn.filter((tag) => tagProblem(tag) === null && !/[\uFFFE\uFFFF]/.test(tag))));

const PASSKEY = {
  credentialId: 'Y3JlZGVudGlhbA',
  rpId: 'example.org',
  username: 'ada',
  userDisplayName: 'ada',
  userHandle: 'dXNlcg',
  key: 'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg',
};
const passkey = fc
  .constantFrom(PASSKEY, { ...PASSKEY, userDisplayName: 'Ada', fido2Extensions: {} }, { ...PASSKEY, key: '!' })
  .map(
    (value) =>
      ({ type: 'password', title: 'Passkey for example.org', login: '', value: JSON.stringify(value) }) as const,
  );

const CONTENTS: { readonly [Type in PlainContent['type']]: fc.Arbitrary<PlainContent> } = {
  password: fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ type: fc.constant('password' as const), title, login: anyText, value: anyText }),
    },
    passkey,
  ),
  link: fc.record({ type: fc.constant('link' as const), title, value: anyText }),
  note: fc.record({ type: fc.constant('note' as const), title, value: anyText }),
  TOTP: fc.record({
    type: fc.constant('TOTP' as const),
    title,
    value: fc.constantFrom('JBSWY3DPEHPK3PXP', 'GEZDGNBVGY3TQOJQ', 'AF', 'MFRGGZDFMZTWQ2LK'),
    algorithm: fc.constantFrom('sha1' as const, 'sha256' as const, 'sha512' as const),
    period: fc.integer({ min: 1, max: 10_000 }),
  }),
  file: fc.record({
    type: fc.constant('file' as const),
    title,
    name: fc.oneof(shortText, fc.constantFrom('a.txt', 'Notes', '../../etc/passwd', 'con')),
    bytes: bytesOf({ maxLength: 60 }),
  }),
};

const field: fc.Arbitrary<TreeField> = fc
  .constantFrom<PlainContent['type']>('password', 'link', 'note', 'TOTP', 'file')
  .chain((type) =>
    fc.record({
      type: fc.constant(type),
      revisions: fc.array(fc.record({ content: CONTENTS[type], at: time }), { minLength: 1, maxLength: 4 }),
    }),
  );

const entry = fc.record({
  group: fc.nat(),
  title: shortText,
  tags,
  expires: fc.option(day),
  created: time,
  modified: time,
  fields: fc.array(field, { minLength: 1, maxLength: 6 }),
});

const group = fc.record({ up: fc.nat({ max: 4 }), name: shortText, created: time, modified: time });

export const arbitraryTree: fc.Arbitrary<ExchangeTree> = fc
  .record({ groups: fc.array(group, { minLength: 1, maxLength: 6 }), entries: fc.array(entry, { maxLength: 6 }) })
  .map(({ groups: drawn, entries }) => {
    const groups: TreeGroup[] = [];
    let path: number[] = [];
    for (const { up, ...rest } of drawn) {
      // Below one of the groups on the way to the last one.
      path = path.slice(0, Math.max(1, path.length - up));
      path.push(groups.push({ ...rest, parent: path.at(-1) ?? null }) - 1);
    }
    const placed = entries.map((one): TreeEntry => ({ ...one, group: one.group % groups.length }));
    return { groups, entries: placed.toSorted((a, b) => a.group - b.group), skipped: [] };
  });
