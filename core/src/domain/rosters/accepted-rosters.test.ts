/** The device's memory of accepted rosters (docs/spec/crypto.md §9). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { errorCodeOf } from '../../testing/error-code.ts';
import { GROUP_ID } from '../../testing/groups/rosters.ts';
import { NO_ACCEPTED_ROSTERS, readAcceptedRosters, writeAcceptedRosters } from './accepted-rosters.ts';

const hash = 'ab'.repeat(32);
const document = (change: object, id = GROUP_ID) => ({ v: 1, groups: { [id]: { seq: 3, hash, ...change } } });

describe('the document', () => {
  test('is written as in the specification, and read back', () => {
    const accepted = new Map([[GROUP_ID, { seq: 3, hash }]]);
    expect(writeAcceptedRosters(accepted)).toEqual(document({}));
    expect(readAcceptedRosters(writeAcceptedRosters(accepted))).toEqual(accepted);
    expect(readAcceptedRosters({ v: 1, groups: {} })).toEqual(NO_ACCEPTED_ROSTERS);
    // Unknown members are absent, not undefined.
    expect(readAcceptedRosters(document({ seq: 0, later: 1 })).get(GROUP_ID)).toStrictEqual({ seq: 0, hash });
    const whole = new Map([[GROUP_ID, { seq: 3, hash, role: 'admin', origin: 'server', gone: true } as const]]);
    expect(writeAcceptedRosters(whole)).toEqual(document({ role: 'admin', origin: 'server', gone: true }));
    expect(readAcceptedRosters(writeAcceptedRosters(whole))).toEqual(whole);
  });

  test.each<[string, unknown]>([
    ['null', null],
    ['a list', []],
    ['a text', 'x'],
    ['another document version', { ...document({}), v: 2 }],
    ['no groups', { v: 1 }],
    ['groups as a list', { v: 1, groups: [] }],
    ['groups as null', { v: 1, groups: null }],
    ['a malformed id', document({}, 'x')],
    ['an id with a suffix', document({}, `${GROUP_ID}0`)],
    ['an id with a prefix', document({}, `0${GROUP_ID}`)],
    ['a row as null', { v: 1, groups: { [GROUP_ID]: null } }],
    ['a row as a list', { v: 1, groups: { [GROUP_ID]: [3, hash] } }],
    ['a negative number', document({ seq: -1 })],
    ['a fractional number', document({ seq: 0.5 })],
    ['a number as text', document({ seq: '3' })],
    ['half a hash', document({ hash: 'ab' })],
    ['a hash with a suffix', document({ hash: `${hash}0` })],
    ['a hash with a prefix', document({ hash: `0${hash}` })],
    ['an upper-case hash', document({ hash: 'AB'.repeat(32) })],
    ['a hash in a list', document({ hash: [hash] })],
    ['an unknown role', document({ role: 'owner' })],
    ['no role', document({ role: null })],
    ['an unknown origin', document({ origin: 'import' })],
    ['gone and not gone', document({ gone: false })],
    ['unpinned and pinned', document({ unpinned: false })],
  ])('%s is refused', async (_, raw) => {
    expect(await errorCodeOf(() => readAcceptedRosters(raw))).toBe('payload');
  });

  test('P10 any JSON is parsed or rejected', async () => {
    const raw = fc.oneof(
      fc.anything(),
      fc.record({ v: fc.constant(1), groups: fc.dictionary(fc.oneof(fc.uuid(), fc.string()), fc.anything()) }),
    );
    await fc.assert(
      fc.asyncProperty(raw, async (any) => {
        expect(['payload', 'no error']).toContain(await errorCodeOf(() => readAcceptedRosters(any)));
      }),
      { numRuns: 500 },
    );
  });
});
