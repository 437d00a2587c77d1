import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ownWorkers } from './trusted-worker.ts';

beforeEach(() => {
  vi.stubGlobal('location', { origin: 'https://vault.example' });
  vi.stubGlobal('Worker', class {});
});
afterEach(() => void vi.unstubAllGlobals());

const FILES = ['/assets/keyring-worker-abc.js', '/service-worker.js'];

test('F6d a file of the build can become a worker', () => {
  expect(() => ownWorkers(FILES).start('/assets/keyring-worker-abc.js', 'keyring')).not.toThrow();
});

test.each([
  'https://vault.example/import',
  '/assets/keyring-worker-other.js',
  '/assets/keyring-worker-abc.js?x',
  '/assets/keyring-worker-abc.js/../evil.js',
  '/assets/keyring-worker-abc.jsx',
  '/assets/',
  'https://evil.example/assets/keyring-worker-abc.js',
  'blob:https://vault.example/assets/keyring-worker-abc.js',
  'data:text/javascript,0',
  '',
])('M58 F6d %s cannot become a worker', (url) => {
  expect(() => ownWorkers(FILES).start(url, 'keyring')).toThrow(TypeError);
});

test('F6d the Trusted Types policy checks the same list', () => {
  let rule: ((url: string) => string) | undefined;
  const trustedTypes = {
    createPolicy: (name: string, rules: { createScriptURL: (url: string) => string }) => {
      expect(name).toBe('pb-worker');
      rule = rules.createScriptURL;
      return rules;
    },
  };
  vi.stubGlobal('trustedTypes', trustedTypes);
  ownWorkers(FILES);
  expect(rule?.('/service-worker.js')).toBe('https://vault.example/service-worker.js');
  expect(() => rule?.('/passwordBroker/api/entryGroups')).toThrow(TypeError);
});
