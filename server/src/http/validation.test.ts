import * as z from 'zod/mini';
import { expect, test } from 'vitest';
import { id, list } from '@passwordbroker/core/contract/inputs';
import { examine } from './validation.ts';

const schema = z.object({ entries: list(z.object({ entry_id: id() }), 0, 500_000) });

test('lists at most twenty errors', () => {
  const { errors } = examine(schema, { entries: Array.from({ length: 20_000 }, () => ({})) });
  expect(Object.keys(errors)).toHaveLength(20);
  expect(errors['entries.0.entry_id']).toEqual(['The entry id is required.']);
});

test('reports an error even if there are too many for the library', () => {
  const { errors } = examine(schema, { entries: Array.from({ length: 300_000 }, () => 0) });
  expect(Object.keys(errors).length).toBeGreaterThan(0);
  expect(Object.keys(errors).length).toBeLessThanOrEqual(20);
});
