/** Arbitraries for property tests. */
import fc from 'fast-check';
import type { Bytes } from '../crypto/bytes.ts';
import type { Contexts, Kind } from '../crypto/seal.ts';
import { FIELD_TYPES } from '../domain/fields/field-kinds.ts';

/** Runs of a cheap property; fewer in a browser, where only the platform differs. */
export const RUNS = 'document' in globalThis ? 200 : 1000;
/** Runs of a property that generates keys or walks a file. */
export const FEW_RUNS = 40;
/** For a test whose runs `runsOf` counts. */
export const LONG_TIMEOUT = { timeout: 7_200_000 };
/** Runs of an expensive property: few in every test run, many with `TEST_LONG` (Node only). */
export const runsOf = (short: number, long: number): number =>
  globalThis.process?.env?.['TEST_LONG'] === undefined ? short : long;

export const bytesOf = (constraints: fc.IntArrayConstraints): fc.Arbitrary<Bytes> =>
  fc.uint8Array(constraints).map((drawn) => new Uint8Array(drawn));
export const key32 = bytesOf({ minLength: 32, maxLength: 32 });
/** Any text without lone surrogates, which have no UTF-8. */
export const text = (maxLength = 40): fc.Arbitrary<string> => fc.string({ unit: 'grapheme', maxLength });
export const uuid: fc.Arbitrary<string> = fc.uuid();
const count = fc.integer({ min: 0, max: 2 ** 31 });
const type = fc.constantFrom(...FIELD_TYPES);

const CONTEXTS: { readonly [K in Kind]: fc.Arbitrary<Contexts[K]> } = {
  slot: fc.record({ userId: uuid, slotId: uuid, slotType: fc.constantFrom('password', 'recovery'), desc: text() }),
  keyset: fc.record({ userId: uuid, keysetVersion: count, fingerprint: text() }),
  cek: fc.record({ entryGroupId: uuid, gkVersion: count, entryId: uuid, fieldId: uuid, rev: count, type }),
  value: fc.record({ entryId: uuid, fieldId: uuid, rev: count, type }),
  site: fc.record({ entryId: uuid, fieldId: uuid, rev: count, type }),
  doc: fc.record({ userId: uuid, name: text(), n: count }),
  offline: fc.record({ userId: uuid, serverOrigin: text(), timestamp: count }),
};

/** A kind with a context of it. */
export interface Bound {
  readonly kind: Kind;
  readonly context: Contexts[Kind];
}
export const bound: fc.Arbitrary<Bound> = fc.oneof(
  ...(Object.keys(CONTEXTS) as Kind[]).map((kind) =>
    (CONTEXTS[kind] as fc.Arbitrary<Contexts[Kind]>).map((context) => ({ kind, context })),
  ),
);
