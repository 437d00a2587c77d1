import { describe, expect, test } from 'vitest';
import { parseTotpSecret, totpCode } from './totp.ts';

/**
 * RFC 6238, appendix B: the secrets are '1234567890' repeated to 20, 32 and 64 bytes. The product
 * shows six of the eight digits.
 */
const SECRETS = {
  sha1: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  sha256: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA',
  sha512: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNA',
} as const;

describe('RFC 6238 (P23)', () => {
  test.each([
    [59, 'sha1', '94287082'],
    [59, 'sha256', '46119246'],
    [59, 'sha512', '90693936'],
    [1_111_111_109, 'sha1', '07081804'],
    [1_111_111_109, 'sha256', '68084774'],
    [1_111_111_109, 'sha512', '25091201'],
    [1_111_111_111, 'sha1', '14050471'],
    [1_111_111_111, 'sha256', '67062674'],
    [1_111_111_111, 'sha512', '99943326'],
    [1_234_567_890, 'sha1', '89005924'],
    [1_234_567_890, 'sha256', '91819424'],
    [1_234_567_890, 'sha512', '93441116'],
    [2_000_000_000, 'sha1', '69279037'],
    [2_000_000_000, 'sha256', '90698825'],
    [2_000_000_000, 'sha512', '38618901'],
    [20_000_000_000, 'sha1', '65353130'],
    [20_000_000_000, 'sha256', '77737706'],
    [20_000_000_000, 'sha512', '47863826'],
  ] as const)('at %d with %s', (seconds, algorithm, eight) => {
    expect(totpCode({ secret: SECRETS[algorithm], algorithm, period: 30 }, seconds * 1000).code).toBe(eight.slice(2));
  });
});

test.each([
  [30, 0, 30],
  [30, 29_999, 1],
  [30, 30_000, 30],
  [1, 500, 1],
  [10_000, 9_999_000, 1],
  [45, 44_000, 1],
])('period %d at %d ms: %d s left', (period, now, left) => {
  expect(totpCode({ secret: SECRETS.sha1, algorithm: 'sha1', period }, now).secondsLeft).toBe(left);
});

describe('secrets in usual notations', () => {
  test.each([
    ['JBSWY3DPEHPK3PXP', 'JBSWY3DPEHPK3PXP'],
    ['jbsw y3dp ehpk 3pxp', 'JBSWY3DPEHPK3PXP'],
    [' JBSW-Y3DP-EHPK-3PXP ', 'JBSWY3DPEHPK3PXP'],
    ['MFRGG===', 'MFRGG'],
    ['ME======', 'ME'],
  ])('%s', (text, secret) => {
    expect(parseTotpSecret(text)).toEqual({ secret });
  });

  test('an address names algorithm and period', () => {
    const address =
      'otpauth://totp/ACME:ada%40example.org?secret=jbswy3dpehpk3pxp&issuer=ACME&algorithm=SHA256&period=60';
    expect(parseTotpSecret(address)).toEqual({ secret: 'JBSWY3DPEHPK3PXP', algorithm: 'sha256', period: 60 });
  });

  test('an address with defaults', () => {
    expect(parseTotpSecret('otpauth://totp/x?secret=JBSWY3DPEHPK3PXP')).toEqual({
      secret: 'JBSWY3DPEHPK3PXP',
      algorithm: 'sha1',
      period: 30,
    });
  });

  test.each([
    '',
    '   ',
    'not base32!',
    'JBSWY3DPEHPK3PX1',
    'A',
    'ABC',
    'otpauth://hotp/x?secret=JBSWY3DPEHPK3PXP&counter=1',
    'otpauth://totp/x',
    'otpauth://totp/x?secret=%%%',
    'otpauth://totp/x?secret=JBSWY3DPEHPK3PXP&period=0',
    'otpauth://totp/x?secret=JBSWY3DPEHPK3PXP&period=10001',
    'otpauth://totp/x?secret=JBSWY3DPEHPK3PXP&algorithm=MD5',
    'otpauth://totp/x?secret=JBSWY3DPEHPK3PXP&digits=8',
    'otpauth://totp/Steam:x?secret=JBSWY3DPEHPK3PXP&encoder=steam',
    'https://example.org/?secret=JBSWY3DPEHPK3PXP',
  ])('refused: %s', (text) => {
    expect(parseTotpSecret(text)).toBeNull();
  });
});
