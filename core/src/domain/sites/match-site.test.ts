/** BX2: rules and pages, with the public suffix list that extensions use. */
import { describe, expect, test } from 'vitest';
import { indexSites, isThisMachine, matchSite, needsHttps, type SiteMatch } from './match-site.ts';
import { registrableDomain } from './registrable-domain.ts';
import { siteAddressOf, type SiteMode, siteRulesOf } from './site-rules.ts';

type Expected = SiteMatch | null | 'no page';
type Row = readonly [mode: SiteMode, link: string, page: string, expected: Expected];

const judge = (mode: SiteMode, link: string, address: string): Expected => {
  const page = siteAddressOf(address);
  return page === null ? 'no page' : matchSite(siteRulesOf(link, mode), page, registrableDomain);
};

const ROWS: readonly Row[] = [
  // Scheme, host and port are equal.
  ['host', 'https://example.org', 'https://example.org/', 'exact'],
  ['host', 'https://example.org/a?b#c', 'https://example.org/other', 'exact'],
  ['host', 'https://EXAMPLE.org', 'https://example.org/', 'exact'],
  ['host', 'https://example.org:443', 'https://example.org/', 'exact'],
  ['host', 'http://example.org:80', 'http://example.org/', 'exact'],
  ['host', 'https://example.org', 'https://example.org:443/', 'exact'],
  ['host', 'http://intranet', 'http://intranet/', 'exact'],
  ['host', 'http://localhost:8080', 'http://localhost:8080/x', 'exact'],
  ['host', 'http://127.0.0.1:3000', 'http://127.0.0.1:3000/', 'exact'],
  ['host', 'https://[2001:db8::1]', 'https://[2001:db8:0::1]/', 'exact'],
  ['host', 'http://0x7f.1', 'http://127.0.0.1/', 'exact'],
  ['host', 'https://login.example.co.uk', 'https://login.example.co.uk/', 'exact'],
  // Ports.
  ['host', 'https://example.org', 'https://example.org:8443/', 'same_domain'],
  ['host', 'https://example.org:8443', 'https://example.org/', 'same_domain'],
  ['host', 'https://example.org:8443', 'https://example.org:8443/', 'exact'],
  ['host', 'http://127.0.0.1:3000', 'http://127.0.0.1:3001/', 'same_domain'],
  ['host', 'http://localhost', 'http://localhost:81/', 'same_domain'],
  ['host', 'https://example.org:80', 'https://example.org/', 'same_domain'],
  // www. at the front of either.
  ['host', 'https://www.example.org', 'https://example.org/', 'exact'],
  ['host', 'https://example.org', 'https://www.example.org/', 'exact'],
  ['host', 'https://www.example.org', 'https://www.example.org/', 'exact'],
  ['host', 'https://www.login.example.org', 'https://login.example.org/', 'exact'],
  ['host', 'https://www.www.example.org', 'https://example.org/', 'same_domain'],
  ['host', 'https://www2.example.org', 'https://example.org/', 'same_domain'],
  ['host', 'https://wwwexample.org', 'https://example.org/', null],
  ['host', 'https://www.example.org:8443', 'https://example.org/', 'same_domain'],
  // Below a public suffix www. is a site of somebody else.
  ['host', 'https://www.github.io', 'https://github.io/', null],
  ['host', 'https://github.io', 'https://www.github.io/', null],
  ['host', 'https://www.co.uk', 'https://co.uk/', null],
  ['host', 'https://www.com', 'https://com/', null],
  // Sub and sibling domains.
  ['host', 'https://example.org', 'https://login.example.org/', 'same_domain'],
  ['host', 'https://login.example.org', 'https://example.org/', 'same_domain'],
  ['host', 'https://a.example.org', 'https://b.example.org/', 'same_domain'],
  ['host', 'https://example.org', 'https://example.com/', null],
  ['host', 'https://example.org', 'https://example.org.evil.test/', null],
  ['host', 'https://example.org', 'https://notexample.org/', null],
  ['host', 'https://example.org', 'https://example.org-login.test/', null],
  ['host', 'https://example.org', 'https://evil.test/example.org', null],
  ['host', 'https://example.org', 'https://evil.test/?u=https://example.org', null],
  ['host', 'https://example.co.uk', 'https://other.co.uk/', null],
  // The whole domain.
  ['domain', 'https://example.org', 'https://example.org/', 'exact'],
  ['domain', 'https://example.org', 'https://a.b.example.org/', 'exact'],
  ['domain', 'https://a.example.org', 'https://b.example.org/', 'exact'],
  ['domain', 'https://a.example.org', 'https://example.org:8443/', 'exact'],
  ['domain', 'https://a.example.co.uk', 'https://b.example.co.uk/', 'exact'],
  ['domain', 'https://a.example.co.uk', 'https://other.co.uk/', null],
  ['domain', 'https://example.org', 'http://example.org/', 'https_only'],
  ['domain', 'http://example.org', 'https://example.org/', 'same_domain'],
  ['domain', 'http://example.org', 'http://a.example.org/', 'same_domain'],
  ['domain', 'http://example.org', 'http://example.org/', 'exact'],
  ['domain', 'https://example.org', 'https://example.com/', null],
  ['domain', 'https://example.org', 'https://notexample.org/', null],
  // Private suffixes, suffixes themselves, single labels and addresses: as `host`.
  ['domain', 'https://ada.github.io', 'https://bob.github.io/', null],
  ['domain', 'https://ada.github.io', 'https://x.ada.github.io/', 'exact'],
  ['domain', 'https://github.io', 'https://ada.github.io/', null],
  ['domain', 'https://github.io', 'https://github.io/', 'exact'],
  ['domain', 'https://co.uk', 'https://co.uk/', 'exact'],
  ['domain', 'https://co.uk', 'https://example.co.uk/', null],
  ['domain', 'https://b.s3.amazonaws.com', 'https://c.s3.amazonaws.com/', null],
  ['domain', 'https://ada.blogspot.com', 'https://bob.blogspot.com/', null],
  ['domain', 'https://intranet', 'https://a.intranet/', null],
  ['domain', 'https://localhost', 'https://localhost/', 'exact'],
  ['domain', 'https://10.0.0.1', 'https://10.0.0.1/', 'exact'],
  ['domain', 'https://10.0.0.1', 'https://10.0.0.2/', null],
  ['domain', 'https://10.0.0.1', 'https://10.0.0.1:8443/', 'same_domain'],
  ['domain', 'https://[::1]', 'https://[::2]/', null],
  // This address and below.
  ['prefix', 'https://example.org/app', 'https://example.org/app', 'exact'],
  ['prefix', 'https://example.org/app', 'https://example.org/app/x', 'exact'],
  ['prefix', 'https://example.org/app', 'https://example.org/app?x', 'exact'],
  ['prefix', 'https://example.org/app', 'https://example.org/app#x', 'exact'],
  ['prefix', 'https://example.org/app/', 'https://example.org/app/x', 'exact'],
  ['prefix', 'https://example.org/app/', 'https://example.org/app', 'same_domain'],
  ['prefix', 'https://example.org/app', 'https://example.org/application', 'same_domain'],
  ['prefix', 'https://example.org/app', 'https://example.org/APP', 'same_domain'],
  ['prefix', 'https://example.org/app', 'https://example.org/', 'same_domain'],
  ['prefix', 'https://example.org/app', 'https://example.org/x/../app/', 'exact'],
  ['prefix', 'https://example.org/app', 'https://example.org/app/../x', 'same_domain'],
  ['prefix', 'https://example.org/app', 'https://example.org/app/%2e%2e/x', 'same_domain'],
  ['prefix', 'https://example.org/app', 'https://example.org/app%2Fx', 'same_domain'],
  ['prefix', 'https://example.org/app', 'https://example.org//app', 'same_domain'],
  ['prefix', 'https://example.org/app', 'https://example.org/?/app', 'same_domain'],
  ['prefix', 'https://example.org/app?secret=1', 'https://example.org/app', 'exact'],
  ['prefix', 'https://example.org/', 'https://example.org/x', 'exact'],
  ['prefix', 'https://example.org/app', 'https://login.example.org/app', 'same_domain'],
  // Nowhere.
  ['never', 'https://example.org', 'https://example.org/', null],
  ['never', 'https://example.org', 'http://example.org/', null],
  // Schemes.
  ['host', 'https://example.org', 'http://example.org/', 'https_only'],
  ['host', 'https://example.org', 'http://www.example.org/', 'https_only'],
  ['host', 'https://a.example.org', 'http://b.example.org/', 'https_only'],
  ['host', 'https://example.org:8443', 'http://example.org:8443/', 'https_only'],
  ['host', 'https://10.0.0.1', 'http://10.0.0.1/', 'https_only'],
  ['host', 'https://example.org', 'http://example.com/', null],
  ['host', 'http://example.org', 'https://example.org/', 'same_domain'],
  ['host', 'http://example.org', 'http://example.org/', 'exact'],
  // Names that look alike.
  ['host', 'https://apple.com', 'https://аpple.com/', null],
  ['domain', 'https://apple.com', 'https://аpple.com/', null],
  ['host', 'https://bücher.example', 'https://xn--bcher-kva.example/', 'exact'],
  ['host', 'https://xn--bcher-kva.example', 'https://bücher.example/', 'exact'],
  ['host', 'https://bücher.example', 'https://bucher.example/', null],
  ['host', 'https://faß.de', 'https://fass.de/', null],
  ['host', 'https://example.org', 'https://ｅxample.org/', 'exact'],
  ['host', 'https://example.org', 'https://example。org/', 'exact'],
  ['host', 'https://paypal.com', 'https://paypaI.com/', null],
  ['host', 'https://example.org', 'https://example.org\u200b.test/', null],
  ['domain', 'https://a.公司.cn', 'https://b.公司.cn/', null],
  // User information.
  ['host', 'https://example.org', 'https://example.org@evil.test/', null],
  ['host', 'https://example.org', 'https://example.org:443@evil.test/', null],
  ['host', 'https://example.org', 'https://ada:pw@example.org/', 'exact'],
  ['host', 'https://ada:pw@example.org', 'https://example.org/', 'exact'],
  ['host', 'https://example.org', 'https://evil.test\\@example.org/', null],
  ['host', 'https://example.org@evil.test', 'https://example.org/', null],
  // Trailing dots.
  ['host', 'https://example.org', 'https://example.org./', 'no page'],
  ['domain', 'https://example.org', 'https://a.example.org./', 'no page'],
  ['host', 'https://example.org.', 'https://example.org/', null],
  ['host', 'https://example.org', 'https://example..org/', null],
  // Not pages of http or https.
  ['host', 'https://example.org', 'data:text/html,https://example.org', 'no page'],
  ['host', 'https://example.org', 'blob:https://example.org/0f1e', 'no page'],
  ['host', 'https://example.org', 'about:srcdoc', 'no page'],
  ['host', 'https://example.org', 'about:blank', 'no page'],
  ['host', 'https://example.org', 'view-source:https://example.org/', 'no page'],
  ['host', 'https://example.org', 'filesystem:https://example.org/x', 'no page'],
  ['host', 'https://example.org', 'javascript:location="https://example.org"', 'no page'],
  ['host', 'https://example.org', 'file:///example.org', 'no page'],
  ['host', 'https://example.org', 'ftp://example.org/', 'no page'],
  ['host', 'https://example.org', 'chrome-extension://abc/https://example.org', 'no page'],
  ['host', 'https://example.org', '', 'no page'],
  ['host', 'https://example.org', '//example.org', 'no page'],
  // Not web addresses: no rule.
  ['host', 'example.org', 'https://example.org/', null],
  ['host', 'mailto:ada@example.org', 'https://example.org/', null],
  ['host', 'ftp://example.org', 'https://example.org/', null],
  ['host', 'https://exam\u202eple.org', 'https://example.org/', null],
];

describe('a rule and a page (BX2)', () => {
  test.each(ROWS)('%s of %s on %s: %s', (mode, link, page, expected) => {
    expect(judge(mode, link, page)).toBe(expected);
  });

  test('the index finds the same, and nothing else', () => {
    const rows = ROWS.map(([mode, link]) => ({ mode, link, rules: siteRulesOf(link, mode) }));
    const index = indexSites(rows, registrableDomain);
    for (const [, , page] of ROWS) {
      const found = index.find(page);
      const expected = (match: Expected) => rows.filter(({ mode, link }) => judge(mode, link, page) === match);
      if (siteAddressOf(page) === null) expect(found).toBeNull();
      else
        expect(found).toEqual({
          exact: expected('exact'),
          https_only: expected('https_only'),
          same_domain: expected('same_domain'),
        });
    }
  });

  test('with several rules the best one counts; https is never undercut', () => {
    const both = [...siteRulesOf('https://a.example.org'), ...siteRulesOf('http://b.example.org')];
    const match = (page: string) => matchSite(both, siteAddressOf(page)!, registrableDomain);
    expect(match('https://a.example.org/')).toBe('exact');
    expect(match('http://b.example.org/')).toBe('exact');
    expect(match('http://a.example.org/')).toBe('https_only');
    expect(match('http://c.example.org/')).toBe('https_only');
    expect(match('https://c.example.org/')).toBe('same_domain');
    expect(
      matchSite([...both, { mode: 'never' }], siteAddressOf('https://a.example.org')!, registrableDomain),
    ).toBeNull();
  });

  test('also a page that a person searched for gets nothing of https without encryption', () => {
    const rules = siteRulesOf('https://example.org');
    expect(needsHttps(rules, { scheme: 'http' })).toBe(true);
    expect(needsHttps(rules, { scheme: 'https' })).toBe(false);
    expect(needsHttps(siteRulesOf('http://example.org'), { scheme: 'http' })).toBe(false);
    expect(needsHttps([], { scheme: 'http' })).toBe(false);
  });

  test.each([
    ['localhost', true],
    ['a.localhost', true],
    ['127.0.0.1', true],
    ['127.255.0.9', true],
    ['[::1]', true],
    ['localhost.evil.test', false],
    ['127.0.0.1.evil.test', false],
    ['notlocalhost', false],
    ['10.0.0.1', false],
    ['128.0.0.1', false],
  ])('this machine: %s %s', (host, expected) => {
    expect(isThisMachine(host)).toBe(expected);
  });
});
