import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  DESK_LIMITS,
  type Desk,
  type DeskChange,
  EMPTY_DESK,
  isSameDesk,
  mergeDesks,
  mergeRecent,
  present,
  readDesk,
  withChange,
} from './desk.ts';

const DAY = 86_400;
const NOW = 1_800_000_000;
const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const star = (n: number, isOn = true): DeskChange => ({ favourite: { kind: 'entry', id: idOf(n) }, isOn });
const search = (n: number, query = 'tag:pci'): DeskChange => ({ searchId: idOf(n), search: { name: 'Cards', query } });

function after(changes: readonly DeskChange[], desk: Desk = EMPTY_DESK, now = NOW): Desk {
  return changes.reduce((before, change) => withChange(before, change, now) ?? before, desk);
}
const starred = (desk: Desk) => present(desk.favourites).map(({ id }) => id);

describe('a change', () => {
  test('stars, removes and stars again, also within one second and after the clock was set back', () => {
    expect(starred(after([star(1), star(2)]))).toEqual([idOf(1), idOf(2)]);
    expect(starred(after([star(1), star(1, false)]))).toEqual([]);
    const again = after([star(1), star(1, false), star(1)]);
    expect(starred(again)).toEqual([idOf(1)]);
    expect(starred(after([star(1, false)], again, NOW - DAY))).toEqual([]);
    // The later change wins on every device.
    expect(starred(mergeDesks(again, after([star(1)]), NOW))).toEqual([idOf(1)]);
  });

  test('saves, renames and removes a search; an entry and a group with the same id are two favourites', () => {
    const saved = after([search(1), { searchId: idOf(1), search: { name: 'Renamed', query: 'due:late' } }]);
    expect(present(saved.searches)).toMatchObject([{ id: idOf(1), name: 'Renamed', query: 'due:late' }]);
    expect(present(after([{ searchId: idOf(1), search: null }], saved).searches)).toEqual([]);
    const both = after([star(1), { favourite: { kind: 'group', id: idOf(1) }, isOn: true }]);
    expect(present(both.favourites)).toHaveLength(2);
  });

  test('above the limits is refused, and after a removal there is room again', () => {
    const full = after(Array.from({ length: DESK_LIMITS.favourites }, (_, n) => star(n)));
    expect(starred(full)).toHaveLength(500);
    expect(withChange(full, star(900), NOW)).toBeNull();
    // Starring a favourite again is no addition.
    expect(withChange(full, star(3), NOW)).not.toBeNull();
    expect(starred(after([star(3, false), star(900)], full))).toHaveLength(500);
    const searches = after(Array.from({ length: DESK_LIMITS.searches }, (_, n) => search(n)));
    expect(withChange(searches, search(900), NOW)).toBeNull();
  });

  test.each<[string, DeskChange]>([
    ['an id that is none', { favourite: { kind: 'entry', id: '../..' }, isOn: true }],
    ['a long query', search(1, 'x'.repeat(1025))],
    ['a long name', { searchId: idOf(1), search: { name: 'x'.repeat(101), query: 'a' } }],
  ])('with %s is refused', (_, change) => {
    expect(() => withChange(EMPTY_DESK, change, NOW)).toThrow(expect.objectContaining({ code: 'payload' }));
  });
});

describe('a document', () => {
  test('keeps members that this release does not know', () => {
    const raw = { v: 1, favourites: [], searches: [], accepted: [{ rev: 1 }], order: ['a'] };
    expect(readDesk(raw)).toEqual(raw);
    expect(mergeDesks(EMPTY_DESK, readDesk(raw), NOW)).toMatchObject({ order: ['a'] });
    expect(isSameDesk(EMPTY_DESK, readDesk(raw))).toBe(false);
    expect(readDesk({ v: 1 })).toEqual(EMPTY_DESK);
  });

  test.each<[string, unknown]>([
    ['nothing', null],
    ['another version', { v: 2, favourites: [], searches: [] }],
    ['a favourite without an id', { v: 1, favourites: [{ kind: 'entry', at: 1 }] }],
    ['an unknown kind', { v: 1, favourites: [{ kind: 'person', id: idOf(1), at: 1 }] }],
    ['a negative time', { v: 1, favourites: [{ kind: 'entry', id: idOf(1), at: -1 }] }],
    [
      'too many rows',
      { v: 1, favourites: Array.from({ length: 5001 }, (_, n) => ({ kind: 'entry', id: idOf(n), at: 1 })) },
    ],
  ])('with %s is damaged', (_, raw) => {
    expect(() => readDesk(raw)).toThrow(expect.objectContaining({ code: 'payload' }));
  });
});

describe('merging', () => {
  const changes = fc.array(
    fc.record({
      device: fc.integer({ min: 0, max: 2 }),
      n: fc.integer({ min: 0, max: 5 }),
      isOn: fc.boolean(),
      isSearch: fc.boolean(),
      at: fc.integer({ min: NOW - 3, max: NOW }),
    }),
    { maxLength: 40 },
  );

  test('of three devices gives the same desk in every order and when repeated (DU1)', () => {
    fc.assert(
      fc.property(changes, (made) => {
        const devices = [0, 1, 2].map((device) =>
          made
            .filter((change) => change.device === device)
            .reduce<Desk>((desk, { n, isOn, isSearch, at }) => {
              const change = isSearch ? search(n, `q${device}`) : star(n, isOn);
              return withChange(desk, change, at) ?? desk;
            }, EMPTY_DESK),
        );
        const [a = EMPTY_DESK, b = EMPTY_DESK, c = EMPTY_DESK] = devices;
        const merged = mergeDesks(mergeDesks(a, b, NOW), c, NOW);
        for (const other of [
          mergeDesks(c, mergeDesks(b, a, NOW), NOW),
          mergeDesks(mergeDesks(c, a, NOW), b, NOW),
          mergeDesks(merged, a, NOW),
          mergeDesks(merged, merged, NOW),
        ])
          expect(isSameDesk(other, merged)).toBe(true);
        // Of each row the latest change of any device is in force.
        for (const { id, at, gone } of merged.favourites) {
          const all = devices.flatMap(({ favourites }) => favourites).filter((row) => row.id === id);
          expect(at).toBe(Math.max(...all.map((row) => row.at)));
          expect(all.some((row) => row.at === at && row.gone === gone)).toBe(true);
        }
      }),
    );
  });

  test('keeps the newest favourites up to the limit, and removals for ninety days', () => {
    const many = (from: number) => Array.from({ length: 400 }, (_, n) => star(from + n));
    const [old, young] = [after(many(0)), after(many(400), EMPTY_DESK, NOW + 1)];
    const merged = mergeDesks(old, young, NOW + 1);
    expect(starred(merged)).toHaveLength(500);
    expect(starred(merged)).toEqual(expect.arrayContaining(starred(young)));
    const removed = after([star(1), star(1, false)]);
    expect(mergeDesks(removed, EMPTY_DESK, NOW + 89 * DAY).favourites).toHaveLength(1);
    expect(mergeDesks(removed, EMPTY_DESK, NOW + 91 * DAY).favourites).toEqual([]);
  });

  test('keeps the thirty entries used last, each once', () => {
    const used = Array.from({ length: 40 }, (_, n) => ({ id: idOf(n % 35), at: NOW + n }));
    const recent = mergeRecent(used.slice(0, 20), used.slice(20));
    expect(recent).toHaveLength(30);
    expect(recent[0]).toEqual({ id: idOf(4), at: NOW + 39 });
    expect(new Set(recent.map(({ id }) => id)).size).toBe(30);
  });
});
