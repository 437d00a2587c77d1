import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

test('an empty environment gives the defaults of decision R3', () => {
  expect(readConfig({})).toEqual({
    port: 8080,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:8080',
    dataDir: resolve('data'),
    databaseUrl: null,
    smtpUrl: null,
    mailFrom: null,
    trustProxy: [],
    logLevel: 'info',
    serverCrypto: 'allowed',
    backupDir: resolve('data/backups'),
    setupToken: null,
    corsOrigins: [],
    connectOrigins: [],
    auditSyslogUrl: null,
    auditWebhookUrl: null,
  });
});

test('everything given', () => {
  const config = readConfig({
    PORT: '9000',
    HOST: '0.0.0.0',
    PUBLIC_URL: 'https://vault.example.org/',
    DATABASE_URL: 'sqlite:',
    SMTP_URL: 'smtp://127.0.0.1:25',
    MAIL_FROM: 'vault@example.org',
    TRUST_PROXY: 'loopback, 10.0.0.0/8 fd00::/8',
    LOG_LEVEL: 'debug',
    SERVER_CRYPTO: 'off',
    SETUP_TOKEN: 'token',
    CORS_ORIGINS: 'https://a.example, https://b.example:8443',
    CONNECT_ORIGINS: 'https://c.example',
  });
  expect(config).toMatchObject({
    port: 9000,
    host: '0.0.0.0',
    publicUrl: 'https://vault.example.org',
    trustProxy: ['loopback', '10.0.0.0/8', 'fd00::/8'],
    serverCrypto: 'off',
    setupToken: 'token',
    corsOrigins: ['https://a.example', 'https://b.example:8443'],
    connectOrigins: ['https://c.example'],
  });
});

test('https demands a word about the proxy: its addresses, or none (T143)', () => {
  const PUBLIC_URL = 'https://vault.example.org';
  expect(problemsOf({ PUBLIC_URL })).toEqual([
    expect.stringMatching(/^TRUST_PROXY must be set with an https PUBLIC_URL/),
  ]);
  expect(readConfig({ PUBLIC_URL, TRUST_PROXY: 'none' }).trustProxy).toEqual([]);
  expect(readConfig({ PUBLIC_URL, TRUST_PROXY: 'loopback' }).trustProxy).toEqual(['loopback']);
  expect(readConfig({ PUBLIC_URL: 'http://vault.example.org' }).trustProxy).toEqual([]);
  expect(problemsOf({ PUBLIC_URL, TRUST_PROXY: 'none loopback' })).toHaveLength(1);
});

test('a database on a server', () => {
  const databaseUrl = 'postgres://vault:secret@db.example/vault?sslmode=verify-full&connections=8';
  expect(readConfig({ DATABASE_URL: databaseUrl }).databaseUrl).toBe(databaseUrl);
  expect(readConfig({}).databaseUrl).toBeNull();
  for (const wrong of ['mysql://x@db/y', 'postgres://db', 'postgres:///', 'postgres://db/y?connections=1']) {
    expect(problemsOf({ DATABASE_URL: wrong }), wrong).toHaveLength(1);
  }
});

test('the public address follows the port', () => {
  expect(readConfig({ PORT: '9000' }).publicUrl).toBe('http://localhost:9000');
});

test('all problems are listed at once, and no secret with them', () => {
  const problems = problemsOf({
    PORT: '99999',
    PUBLIC_URL: 'vault.example.org/path',
    DATABASE_URL: 'postgres://x:secret@db',
    SMTP_URL: 'http://user:secret@mail',
    TRUST_PROXY: 'everyone',
    LOG_LEVEL: 'loud',
    SERVER_CRYPTO: 'perhaps',
    CORS_ORIGINS: '*',
    CONNECT_ORIGINS: 'https://a.example/path',
  });
  expect(problems).toHaveLength(9);
  expect(problems.join()).not.toContain('secret');
});

test('X_FILE stands for X; both together, and a file that is missing or empty, are problems', () => {
  const folder = mkdtempSync(join(tmpdir(), 'passwordbroker-config-'));
  const file = join(folder, 'token');
  writeFileSync(file, 'from a file\n', { mode: 0o600 });
  expect(readConfig({ SETUP_TOKEN_FILE: file }).setupToken).toBe('from a file');
  expect(problemsOf({ SETUP_TOKEN_FILE: file, SETUP_TOKEN: 'x' })).toEqual([
    'SETUP_TOKEN and SETUP_TOKEN_FILE exclude each other.',
  ]);
  expect(problemsOf({ SETUP_TOKEN_FILE: join(folder, 'none') })).toEqual([
    'The file of SETUP_TOKEN_FILE cannot be read.',
  ]);
  for (const mode of [0o640, 0o604]) {
    chmodSync(file, mode);
    expect(problemsOf({ SETUP_TOKEN_FILE: file })).toEqual([
      'The file of SETUP_TOKEN_FILE is open to other accounts: chmod 600.',
    ]);
  }
  chmodSync(file, 0o600);
  writeFileSync(file, '\n');
  expect(problemsOf({ SETUP_TOKEN_FILE: file })).toEqual(['The file of SETUP_TOKEN_FILE is empty.']);
  rmSync(folder, { recursive: true });
});
