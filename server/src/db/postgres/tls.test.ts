/** `sslmode` of `DATABASE_URL` against a real server, as libpq means it (T156). */
import { chmodSync, chownSync, copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasOpenssl, makeAuthority } from '../../testing/certificate.ts';
import type { Authority, Certificate } from '../../testing/certificate.ts';
import { postgresPrograms, startCluster } from '../../testing/postgres-cluster.ts';
import type { Cluster } from '../../testing/postgres-cluster.ts';
import { openDatabase } from '../open.ts';
import { plaintextHostOf, postgresUrlProblem, readPostgresUrl } from './address.ts';
import { openQueries } from './pool.ts';

test('tells which connections leave this machine unencrypted', () => {
  const hostOf = (url: string) => plaintextHostOf(readPostgresUrl(url)!);
  for (const url of [
    'postgres://v@db.example/x',
    'postgres://v@db.example/x?sslmode=disable',
    'postgres:///x?host=db.example',
    'postgres://v@localhost/x?host=db.example',
    'postgres://v@db.example/x?ssl=0',
    'postgres://v@db.example/x?ssl=true&sslmode=disable',
  ])
    expect([url, hostOf(url)]).toEqual([url, 'db.example']);
  for (const url of [
    'postgres://v@localhost/x',
    'postgres://v@127.0.0.1/x?sslmode=disable',
    'postgres://v@[::1]/x',
    'postgres:///x?host=/run/postgresql',
    'postgres://v@db.example/x?sslmode=require',
    'postgres://v@db.example/x?sslmode=verify-full&sslrootcert=system',
  ])
    expect([url, hostOf(url)]).toEqual([url, null]);
});

test('describes each invalid TLS parameter', () => {
  const problemOf = (query: string) => postgresUrlProblem(`postgres://v:secret@db.example/x?${query}`);
  for (const mode of ['prefer', 'allow', 'no-verify', 'VERIFY-FULL', ''])
    expect(problemOf(`sslmode=${mode}`)).toBe('must have disable, require, verify-ca or verify-full as its sslmode.');
  expect(problemOf('sslmode=verify-ca')).toBe(
    'needs sslrootcert with sslmode=verify-ca: a file with the certificate of the authority.',
  );
  for (const name of ['sslrootcert', 'sslcert', 'sslkey'])
    expect(problemOf(`sslmode=verify-full&${name}=/does/not/exist`)).toBe(
      `names a file as its ${name} that cannot be read.`,
    );
  for (const mode of ['disable', 'require', 'verify-full']) expect(problemOf(`sslmode=${mode}`)).toBeNull();
});

describe.skipIf(!hasOpenssl || postgresPrograms() === null)(
  'against a server with a certificate for localhost (T156)',
  () => {
    let authority: Authority;
    let other: Authority;
    let cluster: Cluster;
    let withoutTls: Cluster;
    let dataDir: string;
    beforeAll(async () => {
      dataDir = mkdtempSync(join(tmpdir(), 'passwordbroker-'));
      [authority, other] = [makeAuthority(), makeAuthority()];
      withoutTls = await startCluster({ port: await freePort(), isInMemory: true });
      const { certFile, keyFile } = readableBy(withoutTls, authority.issue('DNS:localhost'));
      const settings = ['ssl=on', `ssl_cert_file=${certFile}`, `ssl_key_file=${keyFile}`];
      cluster = await startCluster({ port: await freePort(), isInMemory: true, settings });
    });
    afterAll(async () => {
      await Promise.all([cluster.stop(), withoutTls.stop()]);
      for (const one of [authority, other]) one.remove();
      rmSync(dataDir, { recursive: true });
    });

    /** Whether the server reports an encrypted connection. @throws the error of a start */
    async function isEncrypted(query: string, { host = 'localhost', at = cluster } = {}): Promise<boolean> {
      const url = `postgres://vault@${host}:${at.port}/postgres?${query}`;
      expect(postgresUrlProblem(url)).toBeNull();
      const address = readPostgresUrl(url);
      if (address === null) throw new Error('no address');
      const queries = openQueries(address, { max: 1 });
      try {
        const ssl = sql<{ ssl: number }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`;
        return (await ssl.execute(queries)).rows[0]?.ssl === 1;
      } catch {
        // The error is one sentence, without the address.
        const opening = openDatabase({ dataDir, databaseUrl: url, now: Date.now() });
        throw await opening.then(
          () => new Error('opened'),
          (error: unknown) => error,
        );
      } finally {
        await queries.destroy();
      }
    }
    const root = (one: Authority) => `&sslrootcert=${encodeURIComponent(one.caFile)}`;

    test.each([
      ['nothing', () => '', false],
      ['disable', () => 'sslmode=disable', false],
      ['require, which accepts any certificate', () => 'sslmode=require', true],
      ['verify-ca', () => `sslmode=verify-ca${root(authority)}`, true],
      ['verify-full', () => `sslmode=verify-full${root(authority)}`, true],
    ])('%s', async (_, query, encrypted) => {
      expect(await isEncrypted(query())).toBe(encrypted);
    });

    test('verify-ca ignores the host name, verify-full checks it', async () => {
      const here = { host: '127.0.0.1' };
      expect(await isEncrypted(`sslmode=verify-ca${root(authority)}`, here)).toBe(true);
      await expect(isEncrypted(`sslmode=verify-full${root(authority)}`, here)).rejects.toThrow(
        'The certificate of the database server is not accepted (ERR_TLS_CERT_ALTNAME_INVALID).',
      );
    });

    test.each(['verify-ca', 'verify-full', 'require'])(
      '%s refuses the certificate of another authority',
      async (mode) => {
        await expect(isEncrypted(`sslmode=${mode}${root(other)}`)).rejects.toThrow(
          /^The certificate of the database server is not accepted \(\w+\)\.$/,
        );
      },
    );

    test('verify-full without a file accepts the authorities that Node trusts', async () => {
      for (const more of ['', '&sslrootcert=system'])
        await expect(isEncrypted(`sslmode=verify-full${more}`)).rejects.toThrow(/is not accepted/);
    });

    test.each(['require', 'verify-full'])('%s refuses a server without TLS', async (mode) => {
      await expect(isEncrypted(`sslmode=${mode}`, { at: withoutTls })).rejects.toThrow(
        'The database server offers no TLS, which sslmode demands.',
      );
    });
  },
);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** The server runs as another account and needs a key file that only it can read. */
function readableBy({ folder }: Cluster, certificate: Certificate): Pick<Certificate, 'certFile' | 'keyFile'> {
  const { uid, gid } = statSync(folder);
  const copy = (from: string, name: string) => {
    const path = join(folder, name);
    copyFileSync(from, path);
    chownSync(path, uid, gid);
    chmodSync(path, 0o600);
    return path;
  };
  return { certFile: copy(certificate.certFile, 'server.pem'), keyFile: copy(certificate.keyFile, 'server.key') };
}
