import { expect, test } from 'vitest';
import { urlOf } from './url.ts';

test('reads absolute URLs, and nothing else', () => {
  expect(urlOf('https://example.org/a?b#c')?.href).toBe('https://example.org/a?b#c');
  for (const text of ['', 'example.org', '/a', 'https://', 'https://a b/']) expect(urlOf(text)).toBeNull();
});

test('reads a name in other letters each time, also in optimised code', () => {
  let refused = 0;
  for (let count = 0; count < 50_000; count += 1) if (urlOf('https://bücher.example') === null) refused += 1;
  expect(refused).toBe(0);
});
