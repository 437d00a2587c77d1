import { expect, test } from 'vitest';
import { targetFinder, type TargetGroup } from './find-targets.ts';

const group = (title: string, above = ''): TargetGroup => ({ id: title, title, above, role: 'admin' });
const find = targetFinder([
  group('Engineering'),
  group('Größere Datenbanken', 'Engineering'),
  group('Staging', 'Engineering / Databases'),
  group('Status page', 'Marketing'),
]);
const titles = (query: string) => find(query).map(({ title }) => title);

test.each([
  ['', ['Engineering', 'Größere Datenbanken', 'Staging', 'Status page']],
  ['sta', ['Staging', 'Status page']],
  ['GROSSERE', ['Größere Datenbanken']],
  ['engineering sta', ['Staging']],
  ['dat', ['Größere Datenbanken', 'Staging']],
  ['100%', []],
])('%s', (query, expected) => {
  expect(titles(query)).toEqual(expected);
});
