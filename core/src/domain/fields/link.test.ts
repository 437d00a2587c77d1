import { describe, expect, test } from 'vitest';
import { openableLink, readableLink } from './link.ts';

describe('links (M28)', () => {
  test.each([
    ['https://example.org/a?b#c', 'https://example.org/a?b#c'],
    ['HTTP://Example.org', 'http://example.org/'],
    ['https://münchen.example/', 'https://xn--mnchen-3ya.example/'],
    ['https://аррӏе.com', 'https://xn--80ak6aa92e.com/'],
    ['mailto:ada@example.org', 'mailto:ada@example.org'],
    ['https://console.ledger.internal:8443/primary', 'https://console.ledger.internal:8443/primary'],
  ])('%s opens', (value, href) => {
    expect(openableLink(value)?.href).toBe(href);
  });

  test.each([
    '',
    'example.org',
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox(1)',
    'file:///etc/passwd',
    '//evil.example/x',
    'blob:https://example.org/1',
    'about:blank',
    'filesystem:https://example.org/temporary/x',
    'view-source:https://example.org',
    '\u0001javascript:alert(1)',
    'javascript\n:alert(1)',
    'javascript&colon;alert(1)',
    '\\\\evil.example\\x',
    'https:\\\\evil.example',
    'https:evil.example',
    'https://',
    ' https://example.org',
    'https://exa\nmple.org',
    'https://example.org/\u202Etxt.exe',
    'mailtoo:x',
  ])('%j is shown as text only', (value) => {
    expect(openableLink(value)).toBeNull();
  });
});

test.each([
  ['https://example.org/a?b=c#d', 'https://example.org/a?b=c#d'],
  ['HTTPS://Example.ORG', 'HTTPS://Example.ORG'],
  ['https://user@example.org:443/', 'https://user@example.org:443/'],
  ['mailto:ada@example.org', 'mailto:ada@example.org'],
  ['https://аррӏе.com', 'https://xn--80ak6aa92e.com/'],
  // The true host later in the URL does not make the rest readable.
  ['https://аpple.com/#xn--pple-43d.com', 'https://xn--pple-43d.com/#xn--pple-43d.com'],
  ['https://1.1/#1.0.0.1', 'https://1.0.0.1/#1.0.0.1'],
  ['https://example.org/ä', 'https://example.org/%C3%A4'],
])('M28 %s is shown as %s', (text, shown) => {
  expect(readableLink(text, openableLink(text)!)).toBe(shown);
});
