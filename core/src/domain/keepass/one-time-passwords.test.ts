import { describe, expect, test } from 'vitest';
import { readOneTimePasswords } from './one-time-passwords.ts';

const SECRET = 'JBSWY3DPEHPK3PXP';
/** The bytes of SECRET: 'Hello!' and 0xdeadbeef. */
const HEX = '48656c6c6f21deadbeef';
const BASE64 = 'SGVsbG8h3q2+7w==';

type Expected = readonly [secret: string, algorithm: string, period: number];
type Case = readonly [name: string, strings: Record<string, string>, expected: Expected];

const read = (strings: Record<string, string>) => readOneTimePasswords(new Map(Object.entries(strings)));

const CASES: readonly Case[] = [
  ['an address', { otp: `otpauth://totp/A:b?secret=${SECRET}&issuer=A` }, [SECRET, 'sha1', 30]],
  [
    'an address with all parameters',
    { otp: `otpauth://totp/A:b?secret=${SECRET}&period=60&digits=6&algorithm=SHA512` },
    [SECRET, 'sha512', 60],
  ],
  ['a bare secret', { otp: 'jbsw y3dp ehpk 3pxp' }, [SECRET, 'sha1', 30]],
  ['KeeOtp', { otp: `key=${SECRET}` }, [SECRET, 'sha1', 30]],
  ['KeeOtp with its parameters', { otp: `key=${SECRET}&step=45&size=6&otpHashMode=Sha256` }, [SECRET, 'sha256', 45]],
  ['KeeOtp, escaped padding', { otp: 'key=MFRGG%3d%3d%3d&type=Totp' }, ['MFRGG', 'sha1', 30]],
  ['KeeOtp in base64', { otp: `key=${BASE64}&encoding=Base64` }, [SECRET, 'sha1', 30]],
  ['KeeOtp in hex', { otp: `key=${HEX}&encoding=hex` }, [SECRET, 'sha1', 30]],
  ['TimeOtp in base32', { 'TimeOtp-Secret-Base32': SECRET }, [SECRET, 'sha1', 30]],
  [
    'TimeOtp with its parameters',
    {
      'TimeOtp-Secret-Base32': SECRET,
      'TimeOtp-Period': '60',
      'TimeOtp-Algorithm': 'HMAC-SHA-256',
      'TimeOtp-Length': '6',
    },
    [SECRET, 'sha256', 60],
  ],
  ['TimeOtp in hex', { 'TimeOtp-Secret-Hex': HEX.toUpperCase() }, [SECRET, 'sha1', 30]],
  ['TimeOtp in base64', { 'TimeOtp-Secret-Base64': BASE64 }, [SECRET, 'sha1', 30]],
  ['TimeOtp as text', { 'TimeOtp-Secret': '12345678901234567890' }, ['GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', 'sha1', 30]],
  ['a KeePass seed', { 'TOTP Seed': 'jbsw y3dp ehpk 3pxp' }, [SECRET, 'sha1', 30]],
  ['a seed with settings', { 'TOTP Seed': SECRET, 'TOTP Settings': '45;6' }, [SECRET, 'sha1', 45]],
  [
    'a seed with a time server',
    { 'TOTP Seed': SECRET, 'TOTP Settings': '30;6;https://example.org' },
    [SECRET, 'sha1', 30],
  ],
];

describe('notations', () => {
  test.each(CASES)('%s', (_, strings, [secret, algorithm, period]) => {
    const { found, unread } = read(strings);
    expect(found.map(({ totp }) => totp)).toEqual([{ secret, algorithm, period }]);
    expect(unread).toBe(0);
    for (const key of Object.keys(strings)) expect(found[0]?.keys).toContain(key);
  });

  test('one secret in two notations counts once', () => {
    const { found } = read({ otp: `key=${SECRET}`, 'TOTP Seed': SECRET, 'TOTP Settings': '30;6' });
    expect(found).toHaveLength(1);
    expect(found[0]?.keys).toEqual(['otp', 'TOTP Seed', 'TOTP Settings']);
  });

  test('two secrets give two fields', () => {
    expect(read({ otp: `key=${SECRET}`, 'TOTP Seed': 'MFRGG' }).found).toHaveLength(2);
  });

  test('an entry without a usable one-time password', () => {
    expect(read({ Password: 'a', otp: ' ' })).toEqual({ found: [], unread: 0 });
  });
});

test.each<[string, Record<string, string>]>([
  ['by counter', { otp: `otpauth://hotp/A?secret=${SECRET}&counter=1` }],
  ['KeeOtp by counter', { otp: `key=${SECRET}&type=hotp&counter=3` }],
  ['of eight digits', { otp: `otpauth://totp/A?secret=${SECRET}&digits=8` }],
  ['KeeOtp of eight digits', { otp: `key=${SECRET}&size=8` }],
  ['TimeOtp of eight digits', { 'TimeOtp-Secret-Base32': SECRET, 'TimeOtp-Length': '8' }],
  ["with Steam's letters", { 'TOTP Seed': SECRET, 'TOTP Settings': '30;S' }],
  ["an address with Steam's letters", { otp: `otpauth://totp/Steam:a?secret=${SECRET}&encoder=steam` }],
  ['with an unknown algorithm', { otp: `key=${SECRET}&otpHashMode=Md5` }],
  ['with an impossible period', { otp: `key=${SECRET}&step=0` }],
  ['with a period above 10 000 s', { 'TOTP Seed': SECRET, 'TOTP Settings': '10001;6' }],
  ['invalid base32', { 'TOTP Seed': 'not a seed!' }],
  ['invalid hex', { 'TimeOtp-Secret-Hex': 'xyz' }],
  ['invalid base64', { 'TimeOtp-Secret-Base64': '*' }],
  ['something else', { otp: 'https://example.org' }],
  ['settings without a seed', { 'TOTP Settings': '30;6' }],
])('kept as text: %s', (_, strings) => {
  expect(read(strings)).toEqual({ found: [], unread: 1 });
});
