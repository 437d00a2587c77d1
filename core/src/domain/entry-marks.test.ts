/** Tags and due dates of entries. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayAfter, distinctTags, dueStateOf, readDay, tagKey, tagProblem, TAG_TEXTS, writeDay } from './entry-marks.ts';
import { foldText, parseSearch } from './search-text.ts';

describe('tags', () => {
  test.each([
    ['a'.repeat(40), null],
    ['a'.repeat(41), TAG_TEXTS.long],
    ['a,b', TAG_TEXTS.line],
    ['a;b', TAG_TEXTS.line],
    ['a\nb', TAG_TEXTS.line],
    ['a\u2028b', TAG_TEXTS.line],
    ['\ud800', TAG_TEXTS.line],
    ['', TAG_TEXTS.blank],
    ['\u0301', TAG_TEXTS.blank],
    ['東京', null],
  ])('%j', (tag, problem) => {
    expect(tagProblem(tag)).toBe(problem);
  });

  test('are distinct by their folded text, in its order, each as it was first written', () => {
    expect(distinctTags(['b', ' Ä ', 'a', 'B', 'z'])).toEqual(['Ä', 'b', 'z']);
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (tags) => {
        const once = distinctTags(tags);
        expect(distinctTags(once)).toEqual(once);
        expect(new Set(once.map(tagKey))).toEqual(new Set(tags.map(tagKey)));
      }),
    );
  });

  test('have the key that a search for them looks for', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const tag = text.trim().replaceAll('"', '');
        fc.pre(tagProblem(tag) === null);
        expect(parseSearch(`tag:"${tag}"`)).toEqual([{ kind: 'tag', tag: tagKey(tag), isExcluded: false }]);
        expect(foldText(tagKey(tag)).trim()).toBe(tagKey(tag));
      }),
    );
  });
});

describe('due dates', () => {
  test.each([
    ['2027-01-31', Date.UTC(2027, 0, 31)],
    ['2028-02-29', Date.UTC(2028, 1, 29)],
    ['2027-02-29', null],
    ['2027-02-30', null],
    ['2027-13-01', null],
    ['1999-12-31', null],
    ['2200-01-01', null],
    ['40000-01-01', null],
    ['+040000-01-01', null],
    ['2027-1-1', null],
    ['2027-01-31T00:00:00Z', null],
    ['', null],
  ])('%s', (text, ms) => {
    expect(readDay(text)).toBe(ms);
    if (ms !== null) expect(writeDay(ms)).toBe(text);
  });

  test.each([
    ['2027-01-30', 'late'],
    ['2027-01-31', 'week'],
    ['2027-02-07', 'week'],
    ['2027-02-08', 'later'],
    [null, null],
  ])('%s is %s during the whole 31 January 2027 in UTC', (day, state) => {
    expect(dueStateOf(day, Date.UTC(2027, 0, 31))).toBe(state);
    expect(dueStateOf(day, Date.UTC(2027, 0, 31, 23, 59, 59, 999))).toBe(state);
  });

  test('365 days after 29 February is 28 February', () => {
    expect(writeDay(dayAfter(Date.UTC(2028, 1, 29, 17), 365))).toBe('2029-02-28');
  });
});
