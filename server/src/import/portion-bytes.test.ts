import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packRows } from '../db/packed-rows.ts';
import type { Tables } from '../db/schema.ts';
import type { RowPortion } from './batch-rows.ts';
import { asBytes, asRows } from './portion-bytes.ts';

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
  return { fields: none, revisions: packed, history: none, search: none, reopened: ['a'] };
}

test('what was made bytes is the same rows again, with sealed values of any length and any of them alike', () => {
  fc.assert(
    fc.property(fc.array(revision, { maxLength: 12 }), fc.nat(3), (revisions, copies) => {
      const all = revisions.flatMap((row) => Array.from({ length: 1 + copies }, () => row));
      const portion = portionWith(all);
      const sent = asBytes(portion);
      expect(sent.counts).toMatchObject({ fields: 0, revisions: all.length });
      expect(asRows(sent)).toEqual(portion);
      expect(
        asRows(sent)
          .revisions.values.filter((value) => value instanceof Uint8Array)
          .every((value) => Buffer.isBuffer(value)),
      ).toBe(true);
    }),
  );
});

test('its memory is its own, so that it can be handed over', () => {
  const { bytes: sent } = asBytes(portionWith([{ field_id: 'f', value: Buffer.from('sealed') }]));
  const [copy] = structuredClone([sent], { transfer: [sent.buffer] });
  expect(copy?.length).toBeGreaterThan(0);
  expect(sent.length).toBe(0);
});
