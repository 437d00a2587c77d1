import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packRows } from '../db/bulk/packed-rows.ts';
import type { Tables } from '../db/schema/tables.ts';
import type { RowPortion } from './checked-rows.ts';
import { asBytes, asRows, countsOf } from './portion-bytes.ts';

const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((some) => Buffer.from(some));
const revision = fc.record({
  field_id: fc.uuid(),
  rev: fc.nat(),
  cek_wrapped: bytes(120),
  value: bytes(9000),
  body_sha256: fc.option(fc.string()),
});

function portionWith(revisions: readonly unknown[]): RowPortion {
  const none = { columns: [], count: 0, alike: [], varied: [], values: [] };
  const packed = packRows<'field_revisions'>(revisions as Tables['field_revisions'][]);
  return { fields: none, revisions: packed, history: none, search: none, isLate: false, reopened: ['a'] };
}

test('rows survive the conversion to bytes and back, with sealed values of any length, including equal ones', () => {
  fc.assert(
    fc.property(fc.array(revision, { maxLength: 12 }), fc.nat(3), (revisions, copies) => {
      const all = revisions.flatMap((row) => Array.from({ length: 1 + copies }, () => row));
      const portion = portionWith(all);
      const sent = asBytes(portion);
      expect(countsOf(portion).revisions).toBe(all.length);
      expect(asRows(sent)).toEqual(portion);
      expect(
        asRows(sent)
          .revisions.values.filter((value) => value instanceof Uint8Array)
          .every((value) => Buffer.isBuffer(value)),
      ).toBe(true);
    }),
  );
});
