import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { utf8 } from '../../crypto/bytes.ts';
import { CryptoError } from '../../crypto/errors.ts';
import { MAX_PADDED_SITE_BYTES, pad } from '../fields/padding.ts';
import { changedSiteRules } from './changed-site-rules.ts';
import { decodeSiteRules, encodeSiteRules, siteModesOf, siteRulesOf } from './site-rules.ts';

const HOST = { scheme: 'https', host: 'example.org', port: 443 } as const;
const decoded = (rules: unknown, v: unknown = 1) => decodeSiteRules(pad(utf8(JSON.stringify({ v, rules }))));

describe('the rules of a link', () => {
  test.each([
    ['https://example.org/app', ['host', 'domain', 'prefix', 'never']],
    ['https://example.org/', ['host', 'domain', 'never']],
    ['http://example.org/app', ['host', 'prefix', 'never']],
    ['https://10.0.0.1/app', ['host', 'prefix', 'never']],
    ['https://[::1]', ['host', 'never']],
    ['https://intranet', ['host', 'never']],
    [`https://example.org/${'a'.repeat(512)}`, ['host', 'domain', 'never']],
    ['mailto:ada@example.org', []],
    ['example.org', []],
    ['https://example.org.', []],
    ['https://', []],
  ])('%s can have the modes %j', (value, modes) => {
    expect(siteModesOf(value)).toEqual(modes);
  });

  test('a mode that the address cannot have is `host`, which matches less', () => {
    expect(siteRulesOf('http://example.org', 'domain')).toEqual([
      { mode: 'host', scheme: 'http', host: 'example.org', port: 80 },
    ]);
    expect(siteRulesOf('https://example.org', 'prefix')).toEqual([{ mode: 'host', ...HOST }]);
  });

  test('another value replaces the first rule in its mode; added rules stay, except with `never`', () => {
    const added = { mode: 'host', scheme: 'https', host: 'login.example.org', port: 443 } as const;
    const rules = [{ mode: 'domain', ...HOST } as const, added];
    const former = { value: 'https://example.org', rules };
    expect(changedSiteRules(former, 'https://example.com')).toEqual([
      { mode: 'domain', ...HOST, host: 'example.com' },
      added,
    ]);
    expect(changedSiteRules(former, 'https://example.com', 'host')).toEqual([
      { mode: 'host', ...HOST, host: 'example.com' },
      added,
    ]);
    expect(changedSiteRules(former, 'mailto:ada@example.org')).toEqual([added]);
    expect(changedSiteRules(former, 'https://example.org', 'never')).toEqual([{ mode: 'never' }]);
    const never = { ...former, rules: [{ mode: 'never' }] } as const;
    expect(changedSiteRules(never, 'https://example.com')).toEqual([{ mode: 'never' }]);
    expect(changedSiteRules({ ...former, rules: undefined }, 'https://example.org')).toEqual([
      { mode: 'host', ...HOST },
    ]);
  });

  test('of a value that is no web address were all added, and stay', () => {
    const former = { value: 'example.org', rules: siteRulesOf('https://example.org') };
    expect(changedSiteRules(former, 'example.org/login')).toEqual(former.rules);
    expect(changedSiteRules(former, 'https://example.com')).toEqual([
      { mode: 'host', ...HOST, host: 'example.com' },
      ...former.rules,
    ]);
  });
});

describe('encoded rules', () => {
  test('open as they were, in 64 byte steps', () => {
    const modes = ['host', 'domain', 'prefix', 'never'] as const;
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), fc.constantFrom(...modes), (value, mode) => {
        const rules = siteRulesOf(value, mode);
        const bytes = encodeSiteRules(rules);
        expect(bytes.length % 64).toBe(0);
        expect(decodeSiteRules(bytes)).toEqual(rules);
      }),
    );
  });

  test('more than eight, and more than 1 KiB, are refused', () => {
    const rules = Array.from({ length: 9 }, (_, at) => ({ mode: 'host' as const, ...HOST, port: at + 1 }));
    expect(decodeSiteRules(encodeSiteRules(rules.slice(1)))).toHaveLength(8);
    expect(() => encodeSiteRules(rules)).toThrow(CryptoError);
    const long = Array.from({ length: 8 }, (_, at) => ({
      mode: 'prefix' as const,
      ...HOST,
      path: `/${'a'.repeat(200)}${at}`,
    }));
    expect(encodeSiteRules(long.slice(0, 2)).length).toBeLessThanOrEqual(MAX_PADDED_SITE_BYTES);
    expect(() => encodeSiteRules(long)).toThrow(CryptoError);
  });

  test.each<[string, unknown]>([
    ['no list', {}],
    ['nothing', null],
    ['no rule', [null]],
    ['a text', ['host']],
    ['nine', Array.from({ length: 9 }, () => ({ mode: 'never' }))],
    ['an unknown mode', [{ ...HOST, mode: 'regex' }]],
    ['no mode', [{ ...HOST }]],
    ['another scheme', [{ ...HOST, mode: 'host', scheme: 'ftp' }]],
    ['capitals', [{ ...HOST, mode: 'host', host: 'Example.org' }]],
    ['not ASCII', [{ ...HOST, mode: 'host', host: 'bücher.example' }]],
    ['user information', [{ ...HOST, mode: 'host', host: 'example.org@evil.test' }]],
    ['a path in the host', [{ ...HOST, mode: 'host', host: 'evil.test/x' }]],
    ['a port in the host', [{ ...HOST, mode: 'host', host: 'evil.test:1' }]],
    ['a tab in the host', [{ ...HOST, mode: 'host', host: 'exam\tple.org' }]],
    ['a trailing dot', [{ ...HOST, mode: 'host', host: 'example.org.' }]],
    ['an empty host', [{ ...HOST, mode: 'host', host: '' }]],
    ['an address in another notation', [{ ...HOST, mode: 'host', host: '0x7f.1' }]],
    ['no port', [{ mode: 'host', scheme: 'https', host: 'example.org' }]],
    ['a port as text', [{ ...HOST, mode: 'host', port: '443' }]],
    ['a port that is too high', [{ ...HOST, mode: 'host', port: 65_536 }]],
    ['a fraction as port', [{ ...HOST, mode: 'host', port: 1.5 }]],
    ['a domain on http', [{ ...HOST, mode: 'domain', scheme: 'http' }]],
    ['a domain of an address', [{ ...HOST, mode: 'domain', host: '10.0.0.1' }]],
    ['a prefix without path', [{ ...HOST, mode: 'prefix' }]],
    ['a prefix of everything', [{ ...HOST, mode: 'prefix', path: '/' }]],
    ['a prefix with a query', [{ ...HOST, mode: 'prefix', path: '/a?b' }]],
    ['a prefix with dots', [{ ...HOST, mode: 'prefix', path: '/a/../b' }]],
    ['a relative prefix', [{ ...HOST, mode: 'prefix', path: 'a' }]],
    ['a prefix that is too long', [{ ...HOST, mode: 'prefix', path: `/${'a'.repeat(512)}` }]],
  ])('are refused: %s', (_, rules) => {
    expect(() => decoded(rules)).toThrow(CryptoError);
  });

  test('another version is refused; unknown members are ignored', () => {
    expect(() => decoded([], 2)).toThrow(CryptoError);
    expect(() => decodeSiteRules(pad(utf8('[]')))).toThrow(CryptoError);
    expect(() => decodeSiteRules(pad(utf8('{')))).toThrow(CryptoError);
    expect(() => decodeSiteRules(new Uint8Array(64))).toThrow(CryptoError);
    expect(decoded([{ ...HOST, mode: 'host', path: '/x', more: 1 }])).toEqual([{ mode: 'host', ...HOST }]);
  });
});
