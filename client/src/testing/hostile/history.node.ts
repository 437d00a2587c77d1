/** Histories of a hostile server (M80): a few unlocks in a few browsers, drawn at random. */
import fc from 'fast-check';
import { move, type Move } from './front.node.ts';
import { lie, type Lie } from './lies.node.ts';
import { act, type Act, type Kind } from './person.node.ts';

interface Unlock {
  readonly browser: number;
  readonly lies: readonly Lie[];
  readonly moves: readonly Move[];
  readonly acts: readonly Act[];
  /** Whether the storage of the browser is deleted before the unlock. */
  readonly isWiped: boolean;
  /** Whether the page stays open until the trust record is written. */
  readonly isSynced: boolean;
}

export interface History {
  readonly kind: Kind;
  readonly hasColluder: boolean;
  /** Content of each browser's device store: of the end or the middle of the past, or nothing. */
  readonly browsers: readonly ('full' | 'half' | 'none')[];
  readonly unlocks: readonly Unlock[];
  /** Whether the server is honest in the end and all browsers unlock again (`honestHour`). */
  readonly isSettled: boolean;
}

/** True once in `times` draws; shrinks to false. */
const rarely = (times: number) => fc.nat({ max: times - 1 }).map((drawn) => drawn === times - 1);

const unlock: fc.Arbitrary<Unlock> = fc.record({
  browser: fc.nat({ max: 2 }),
  lies: fc.array(lie, { maxLength: 3 }),
  moves: fc.array(move, { maxLength: 2 }),
  acts: fc.array(act, { maxLength: 3 }),
  isWiped: rarely(5),
  isSynced: rarely(3),
});

/** Restricts generated histories; without it anything is drawn. */
export interface Aim {
  readonly kind?: Kind;
  readonly hasColluder?: boolean;
  readonly lies?: readonly Lie['kind'][];
  readonly by?: Lie['by'];
  readonly acts?: readonly Act['what'][];
}

export const historiesOf = ({ kind, hasColluder, lies, by, acts }: Aim = {}): fc.Arbitrary<History> =>
  fc.tuple(history, fc.nat({ max: 1_000 })).map(([told, drawn]) => ({
    ...told,
    kind: kind ?? told.kind,
    hasColluder: hasColluder ?? told.hasColluder,
    unlocks: told.unlocks.map((one, index) => ({
      ...one,
      lies: one.lies.map((lied, at) => ({
        ...lied,
        kind: lies?.[(drawn + index + at) % lies.length] ?? lied.kind,
        by: by ?? lied.by,
      })),
      acts: one.acts.map((done, at) => ({ ...done, what: acts?.[(drawn + at) % acts.length] ?? done.what })),
    })),
  }));

export const history: fc.Arbitrary<History> = fc.record({
  kind: fc.constantFrom('never', 'careful', 'hasty'),
  hasColluder: fc.boolean(),
  browsers: fc.array(fc.constantFrom('full', 'half', 'none'), { minLength: 1, maxLength: 3 }),
  unlocks: fc
    .tuple(fc.constantFrom(2, 2, 2, 2, 2, 3, 3, 4, 5, 6), fc.array(unlock, { minLength: 6, maxLength: 6 }))
    .map(([count, all]) => all.slice(0, count)),
  isSettled: rarely(8),
});
