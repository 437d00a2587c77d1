import { expect, test } from 'vitest';
import { isChallenge, newProgramSecret, programLink, readProgramLink, shownChallenge } from './program-link.ts';

const ORIGIN = 'https://vault.example';

test('a link is read as it was made, and has no secret', async () => {
  const { secret, challenge } = await newProgramSecret();
  const link = programLink(ORIGIN, { challenge, computer: 'work & home #1' });
  expect(link).not.toContain(secret);
  expect(new URL(link).origin + new URL(link).pathname).toBe(`${ORIGIN}/account`);
  expect(readProgramLink(new URL(link).hash)).toEqual({ challenge, computer: 'work & home #1' });
  expect(shownChallenge('3f9a02bc71de'.padEnd(64, '0'))).toBe('3f9a-02bc-71de');
  expect((await newProgramSecret()).secret).not.toBe(secret);
});

test.each([
  '',
  '#',
  '#program=',
  '#program=abc',
  `#program=${'A'.repeat(64)}`,
  `#program=${'a'.repeat(65)}`,
  '#other=1',
])('a link that is not whole: %j', (hash) => expect(readProgramLink(hash)).toBe(null));

test('the name of a computer is one short line', () => {
  const challenge = '0'.repeat(64);
  expect(isChallenge(challenge)).toBe(true);
  const read = readProgramLink(
    `#program=${challenge}&computer=${encodeURIComponent('a\u202eb\n\u2028c\0'.repeat(90))}`,
  );
  expect(read?.computer).toBe('abc'.repeat(30).slice(0, 64));
  expect(readProgramLink(`#program=${challenge}`)).toEqual({ challenge, computer: '' });
});
