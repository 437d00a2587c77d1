/** The numbers of the threat model, how to find them in names of tests, and the reasons of those without a test. */

/**
 * Letter, first and last number of each range, subject.
 * @type {readonly (readonly [string, readonly (readonly [number, number])[], string])[]}
 */
export const FAMILIES = [
  [
    'T',
    [
      [1, 127],
      [140, 160],
    ],
    'over HTTP',
  ],
  [
    'M',
    [
      [1, 60],
      [80, 81],
    ],
    'against a server that lies',
  ],
  ['P', [[1, 29]], 'properties'],
  [
    'R',
    [
      [1, 57],
      [60, 67],
    ],
    'faults',
  ],
];

const SECOND_FACTOR =
  'there is no second factor in this release, so there is nothing to bypass. One place grants every session and token; the second factor will be checked there';

/** Reasons of numbers without a test, repeated in docs/spec/threats.md. */
export const WITHOUT_TEST = new Map(['T17', 'T18', 'T19', 'T20', 'T21'].map((id) => [id, SECOND_FACTOR]));

WITHOUT_TEST.set('M59', 'teams are not part of this release; no code reads their lists');

/** Measured separately because it takes hours: the command, and the page with its last result. */
export const MEASURED_APART = new Map([
  [
    'P25',
    'mutation testing takes hours and is a step of each release (`npm run test:mutation`; results and survivors in docs/mutation-testing.md): no change survives in `open` and `verifyRoster`, frozen vectors cover the KDF table; all of core/crypto: between 92.3 and 95.7 %, 24 of 714 changes not run again yet',
  ],
]);

/** All numbers of a family, in ascending order. */
export const idsOf = (letter, ranges) =>
  ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => `${letter}${first + at}`));
export const ALL_IDS = FAMILIES.flatMap(([letter, ranges]) => idsOf(letter, ranges));
const KNOWN = new Set(ALL_IDS);

/** `T31–T33, T40 (P8)` → T31 T32 T33 T40 P8. Numbers that do not exist are ignored. */
export function idsIn(name) {
  const ids = new Set();
  const range = /\b([TMPR])(\d{1,3})(?:\s*[–-]\s*(?:\1)?(\d{1,3}))?\b/g;
  for (const [, letter, first, last = first] of name.matchAll(range)) {
    for (let number = Number(first); number <= Number(last); number += 1) {
      if (KNOWN.has(`${letter}${number}`)) ids.add(`${letter}${number}`);
    }
  }
  return ids;
}
