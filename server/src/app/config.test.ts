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

test('an empty environment gives the defaults of docs/spec/decisions.md R3', () => {
  expect(readConfig({})).toEqual({
    port: 8080,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:8080',
    rpId: 'localhost',
    dataDir: resolve('data'),
    databaseUrl: null,
    confirmUpgrade: false,
    smtpUrl: null,
    mailFrom: null,
    trustProxy: [],
    hasUnnamedProxy: false,
    maxConnections: 2000,
    maxConnectionsPerAddress: 64,
    logLevel: 'info',
    serverCrypto: 'allowed',
    backupDir: resolve('data/backups'),
    backupCopy: null,
    setupToken: null,
    corsOrigins: [],
    connectOrigins: [],
    auditSyslogUrl: null,
    auditWebhookUrl: null,
    providers: [],
    allowsLocalSignIn: true,
  });
});

test('HOST=localhost is one loopback address, so that one server counts all connections (T155)', () => {
  expect(readConfig({ HOST: 'localhost' }).host).toBe('127.0.0.1');
  expect(readConfig({ HOST: '::1' }).host).toBe('::1');
});

test('every parameter is read', () => {
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
    MAX_CONNECTIONS: '500',
    MAX_CONNECTIONS_PER_ADDRESS: '16',
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
    maxConnections: 500,
    maxConnectionsPerAddress: 16,
  });
});

test('https requires TRUST_PROXY: the addresses of the proxy, or none (T143)', () => {
  const PUBLIC_URL = 'https://vault.example.org';
  expect(problemsOf({ PUBLIC_URL })).toEqual([
    expect.stringMatching(/^TRUST_PROXY must be set with an https PUBLIC_URL/),
  ]);
  expect(readConfig({ PUBLIC_URL, TRUST_PROXY: 'none' })).toMatchObject({ trustProxy: [], hasUnnamedProxy: true });
  expect(readConfig({ PUBLIC_URL, TRUST_PROXY: 'loopback' }).trustProxy).toEqual(['loopback']);
  expect(readConfig({ PUBLIC_URL: 'http://vault.example.org' }).trustProxy).toEqual([]);
  expect(problemsOf({ PUBLIC_URL, TRUST_PROXY: 'none loopback' })).toHaveLength(1);
});

test('DATABASE_URL names a PostgreSQL server', () => {
  const databaseUrl = 'postgres://vault:secret@db.example/vault?sslmode=verify-full&connections=8';
  expect(readConfig({ DATABASE_URL: databaseUrl }).databaseUrl).toBe(databaseUrl);
  expect(readConfig({}).databaseUrl).toBeNull();
  for (const wrong of ['mysql://x@db/y', 'postgres://db', 'postgres:///', 'postgres://db/y?connections=1']) {
    expect(problemsOf({ DATABASE_URL: wrong }), wrong).toHaveLength(1);
  }
});

test('a second target of backups can be a folder elsewhere', () => {
  expect(readConfig({ BACKUP_COPY: '/mnt/copies' }).backupCopy).toEqual({ kind: 'folder', path: '/mnt/copies' });
  const outside = ['BACKUP_COPY must be a folder outside of DATA_DIR and BACKUP_DIR, better on another disk.'];
  for (const within of ['data', 'data/copies', 'data/backups', 'data/backups/copies']) {
    expect(problemsOf({ BACKUP_COPY: within }), within).toEqual(outside);
  }
  expect(problemsOf({ BACKUP_DIR: '/mnt/backups', BACKUP_COPY: '/mnt/backups/' })).toEqual(outside);
  expect(problemsOf({ BACKUP_COPY: 'https://store.example' })).toEqual([
    'BACKUP_COPY must be a folder, or begin with s3://.',
  ]);
  expect(problemsOf({ BACKUP_COPY: '/mnt/copies', BACKUP_S3_SECRET_KEY: 'pb-secret' })).toEqual([
    'BACKUP_S3_SECRET_KEY is set, but BACKUP_COPY does not begin with s3://.',
  ]);
});

test('a second target of backups can be an S3-compatible store', () => {
  const store = {
    BACKUP_COPY: 's3://vault.backups/team_1/site/',
    BACKUP_S3_ENDPOINT: 'https://s3.example.org/',
    BACKUP_S3_ACCESS_KEY: 'AKIAEXAMPLE',
    BACKUP_S3_SECRET_KEY: 'pb/secret+key=',
  };
  const target = {
    kind: 's3',
    endpoint: 'https://s3.example.org',
    region: 'us-east-1',
    bucket: 'vault.backups',
    prefix: 'team_1/site/',
    accessKey: 'AKIAEXAMPLE',
    secretKey: 'pb/secret+key=',
  };
  expect(readConfig(store).backupCopy).toEqual(target);
  expect(readConfig({ ...store, BACKUP_COPY: 's3://vault', BACKUP_S3_REGION: 'eu-central-1' }).backupCopy).toEqual({
    ...target,
    bucket: 'vault',
    prefix: '',
    region: 'eu-central-1',
  });
  expect(problemsOf({ BACKUP_COPY: 's3://vault' })).toEqual(
    ['ENDPOINT', 'ACCESS_KEY', 'SECRET_KEY'].map(
      (name) => `BACKUP_S3_${name} is missing: BACKUP_COPY names an S3-compatible store.`,
    ),
  );
  const wrong = {
    BACKUP_COPY: ['s3://', 's3://V', 's3://ab', 's3://vault/../x', 's3://vault/a//b', 's3://vault/ä', 's3://vault/a?b'],
    BACKUP_S3_ENDPOINT: [
      's3.example.org',
      'ftp://s3.example.org',
      'https://s3.example.org/path',
      'https://pb:pw@s3.example.org',
    ],
    BACKUP_S3_REGION: ['eu central', 'x'.repeat(65)],
    BACKUP_S3_ACCESS_KEY: ['two words', 'x'.repeat(257)],
    BACKUP_S3_SECRET_KEY: ['pb\nsecret', 'pb-secret\u0000'],
  };
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      const problems = problemsOf({ ...store, [name]: value });
      expect([value, problems.length, problems.join().startsWith(name)]).toEqual([value, 1, true]);
      for (const secret of ['pb:pw', 'two words', 'pb\nsecret', 'pb-secret'])
        expect(problems.join()).not.toContain(secret);
    }
  }
});

test('only insecure=1 turns off TLS for mail (T156)', () => {
  for (const name of ['ignoreTLS', 'opportunisticTLS', 'requireTLS', 'tls.rejectUnauthorized']) {
    expect(problemsOf({ SMTP_URL: `smtp://u:secret@mail.example?${name}=true` })).toEqual([
      `SMTP_URL cannot have ${name}: insecure=1 allows mail without TLS or with any certificate.`,
    ]);
    expect(problemsOf({ SMTP_URL: `smtp://localhost?${name}=true` })).toEqual([]);
  }
});

test('SMTP_URL accepts insecure=1 only, and sslmode accepts disable, require, verify-ca and verify-full (T156)', () => {
  for (const smtp of ['smtp://mail.example?insecure=1', 'smtps://mail.example'])
    expect(readConfig({ SMTP_URL: smtp }).smtpUrl).toBe(smtp);
  for (const value of ['', '0', 'true', 'yes'])
    expect(problemsOf({ SMTP_URL: `smtp://u:secret@mail.example?insecure=${value}` })).toEqual([
      'SMTP_URL can have insecure=1 and no other insecure.',
    ]);
  expect(problemsOf({ DATABASE_URL: 'postgres://v:secret@db.example/x?sslmode=prefer' })).toEqual([
    'DATABASE_URL must have disable, require, verify-ca or verify-full as its sslmode.',
  ]);
});

test('the public URL follows the port', () => {
  expect(readConfig({ PORT: '9000' }).publicUrl).toBe('http://localhost:9000');
});

test('all problems are listed at once, without any secret', () => {
  const problems = problemsOf({
    PORT: '99999',
    PUBLIC_URL: 'vault.example.org/path',
    DATABASE_URL: 'postgres://x:secret@db',
    SMTP_URL: 'http://user:secret@mail',
    TRUST_PROXY: 'everyone',
    LOG_LEVEL: 'loud',
    SERVER_CRYPTO: 'perhaps',
    LOCAL_SIGN_IN: 'off',
    CORS_ORIGINS: '*',
    CONNECT_ORIGINS: 'https://a.example/path',
    MAX_CONNECTIONS: '0',
    MAX_CONNECTIONS_PER_ADDRESS: 'many',
  });
  expect(problems).toHaveLength(12);
  expect(problems.join()).not.toContain('secret');
});

test('X_FILE replaces X; both together, or a missing or empty file, are problems', () => {
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

test('passkeys belong to the host of PUBLIC_URL or a domain above it, and need a name and HTTPS', () => {
  const rpIdOf = (PUBLIC_URL: string, more = {}) => readConfig({ PUBLIC_URL, TRUST_PROXY: 'none', ...more }).rpId;
  expect(rpIdOf('https://vault.example.org')).toBe('vault.example.org');
  expect(rpIdOf('https://vault.example.org', { WEBAUTHN_RP_ID: 'example.org' })).toBe('example.org');
  expect(rpIdOf('http://localhost:8080')).toBe('localhost');
  for (const url of [
    'https://192.0.2.7',
    'https://[2001:db8::1]',
    'http://127.0.0.1:8080',
    'http://vault.example.org',
  ]) {
    expect(rpIdOf(url)).toBeNull();
  }
  for (const WEBAUTHN_RP_ID of ['other.example.org', 'org', 'ault.example.org', 'a.vault.example.org']) {
    expect(problemsOf({ PUBLIC_URL: 'https://vault.example.org', TRUST_PROXY: 'none', WEBAUTHN_RP_ID })).toEqual([
      'WEBAUTHN_RP_ID must be the host of PUBLIC_URL or a domain above it.',
    ]);
  }
});
