import { describe, expect, test } from 'vitest';
import { openableLink } from './link.ts';

describe('links', () => {
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
    'https:evil.example',
    'https://',
    ' https://example.org',
    'https://exa\nmple.org',
    'https://example.org/\u202Etxt.exe',
    'mailtoo:x',
  ])('%j is only text', (value) => {
    expect(openableLink(value)).toBeNull();
  });
});
