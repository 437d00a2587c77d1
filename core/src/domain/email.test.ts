import { expect, test } from 'vitest';
import { isEmail } from './sign-up-rules.ts';

test.each([
  'ada@example.org',
  'ada.lovelace+vault@mail.example.co.uk',
  "o'neill@example.org",
  'jörg@müller.example',
  `${'a'.repeat(242)}@example.org`,
])('%s is an e-mail address', (text) => {
  expect(isEmail(text)).toBe(true);
});

test.each([
  '',
  'ada',
  'ada@example',
  '@example.org',
  'ada@',
  'ada@.org',
  'ada@example..org',
  'ada@example.org.',
  'ada@@example.org',
  'ada @example.org',
  'ada@exam ple.org',
  'ada@example.org\r\nBcc: eve@example.org',
  'Ada <ada@example.org>',
  'ada@example.org,eve@example.org',
  'ada@example.org;eve@example.org',
  '"ada"@example.org',
  'ada\u0000@example.org',
  `${'a'.repeat(243)}@example.org`,
])('%j is not an e-mail address', (text) => {
  expect(isEmail(text)).toBe(false);
});
