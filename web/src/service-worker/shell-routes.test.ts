import { expect, test } from 'vitest';
import { routeOf } from './shell-routes.ts';

const ORIGIN = 'https://vault.example';
const FILES = new Set(['/index.html', '/theme.js', '/assets/index-abc.js']);
const route = (path: string, mode = 'cors', method = 'GET') =>
  routeOf({ method, mode, url: new URL(path, ORIGIN).href }, ORIGIN, FILES);

test.each(['/', '/entryGroup/1', '/identity/loading', '/importance', '/admin/logs/?page=2'])('%s is a page', (path) => {
  expect(route(path, 'navigate')).toBe('page');
});

test.each([
  '/identity/api/me',
  '/passwordBroker/api/entryGroupsWithFields',
  '/system/api/backups/1/file',
  '/sanctum/csrf-cookie',
  '/import',
  '/health',
])('%s is passed to the network, as a page or as a call', (path) => {
  expect(route(path, 'navigate')).toBe('network');
  expect(route(path)).toBe('network');
});

test('hashed files of any build are cached, other files only if listed', () => {
  expect(route('/assets/index-abc.js')).toBe('hashed file');
  expect(route('/assets/older-def.js')).toBe('hashed file');
  expect(route('/theme.js')).toBe('other file');
  expect(route('/robots.txt')).toBe('network');
});

test('what another app shares is not sent to the server', () => {
  expect(route('/share', 'navigate', 'POST')).toBe('shared');
  expect(route('/share', 'cors', 'POST')).toBe('network');
  expect(route('/identity/api/login', 'navigate', 'POST')).toBe('network');
  expect(route('https://other.example/share', 'navigate', 'POST')).toBe('network');
});

test('ignores writes and other origins', () => {
  expect(route('/theme.js', 'cors', 'POST')).toBe('network');
  expect(route('https://other.example/assets/index-abc.js')).toBe('network');
});
