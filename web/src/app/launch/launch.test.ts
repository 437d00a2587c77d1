import { expect, test } from 'vitest';
import { addressOfShared, launchOf } from './launch.ts';

const newLogin = (title = '', link = '') => ({ action: 'new login', title, link });

test.each([
  ['#search', { action: 'search' }],
  ['#new-login', newLogin()],
  [
    '#new-login?title=Bank&link=https%3A%2F%2Fbank.example%2Fin%3Fa%3D1',
    newLogin('Bank', 'https://bank.example/in?a=1'),
  ],
  ['', null],
  ['#main', null],
  ['#new-logins', null],
])('%s', (hash, launch) => {
  expect(launchOf(hash)).toEqual(launch);
});

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'bank.example',
  `https://${'a'.repeat(2048)}`,
])('a link that is not of the web, or too long, is dropped: %s', (link) => {
  expect(launchOf(`#new-login?${new URLSearchParams({ link })}`)).toEqual(newLogin());
});

test('a title is cut to the length of an entry’s title', () => {
  const hash = `#new-login?title=${'t'.repeat(300)}`;
  expect(launchOf(hash)).toEqual(newLogin('t'.repeat(255)));
});

const form = (members: Readonly<Record<string, string>>) => {
  const data = new FormData();
  for (const [name, value] of Object.entries(members)) data.set(name, value);
  return data;
};

test.each([
  [{ title: 'Bank', url: 'https://bank.example/' }, newLogin('Bank', 'https://bank.example/')],
  [{ title: 'Bank', text: 'See https://bank.example/ & more' }, newLogin('Bank', 'https://bank.example/')],
  [{ text: 'no link' }, newLogin()],
  [{}, newLogin()],
])('what another app shares, %o, comes to the form', (shared, launch) => {
  const address = addressOfShared(form(shared));
  expect(address.startsWith('/#')).toBe(true);
  expect(launchOf(address.slice(1))).toEqual(launch);
});
