/**
 * Examples of the API reference get the same answers as when they were recorded; `RECORD_EXAMPLES=1` records
 * them again.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type ApiExample, recordExamples } from './testing/api-examples.ts';

const STORED = new URL('./testing/api-examples.json', import.meta.url);

test('a running server answers every example with the recorded status', { timeout: 300_000 }, async () => {
  const examples = await recordExamples();
  if (process.env['RECORD_EXAMPLES'] === '1') writeFileSync(STORED, `${JSON.stringify(examples, null, 1)}\n`);
  const stored = JSON.parse(readFileSync(STORED, 'utf8')) as Record<string, ApiExample>;
  const statuses = (all: Readonly<Record<string, ApiExample>>) =>
    Object.entries(all).map(([name, { method, status }]) => [name, method, status]);
  expect(statuses(examples)).toEqual(statuses(stored));
});
