/** The numbers of the threat model, how they stand in the names of tests, and why some have no test that `npm run test:long` runs. */

/**
 * Letter, first and last number of each range, what it is about.
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
  'no second factor in this release : nothing asks for one, so nothing can be passed by. One place grants every session and token, where it will be asked for';

/** Why a number has no test: each has to hold against a reviewer, and is repeated in docs/security.md. */
export const WITHOUT_TEST = new Map(['T17', 'T18', 'T19', 'T20', 'T21'].map((id) => [id, SECOND_FACTOR]));

WITHOUT_TEST.set('M59', 'teams are not part of this release: their lists have no reader');

/** Measured apart, since it takes hours: what to run, and where its last result stands. */
export const MEASURED_APART = new Map([
  [
    'P25',
    'mutation testing takes hours and is a step of each release (`npm run test:mutation`; results and every survivor in docs/mutation-testing.md): nothing survives in `open` nor in `verifyRoster`, the KDF table is held by frozen vectors; all of core/crypto: between 92.3 and 95.7 %, 24 of 714 changes not run again yet',
  ],
]);

/** Every number there is, in the order of the document. */
export const idsOf = (letter, ranges) =>
  ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => `${letter}${first + at}`));
export const ALL_IDS = FAMILIES.flatMap(([letter, ranges]) => idsOf(letter, ranges));
const KNOWN = new Set(ALL_IDS);

/** `T31–T33, T40 (P8)` → T31 T32 T33 T40 P8. Numbers that the document does not have are none. */
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
