/** A test certificate authority and its certificates, made by openssl. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

export interface Certificate {
  /** Paths. */
  readonly certFile: string;
  readonly keyFile: string;
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

export interface Authority {
  /** Path of the authority's certificate. */
  readonly caFile: string;
  /** @param names as in a subjectAltName: `DNS:localhost`, `IP:127.0.0.1` */
  issue(...names: string[]): Certificate;
  remove(): void;
}

export function makeAuthority(): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'passwordbroker-ca-'));
  /** `openssl req -x509` with a new key and extensions. */
  const request = (args: string, ...extensions: string[]) => {
    const all = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 ${args}`.split(' ');
    for (const extension of extensions) all.push('-addext', extension);
    execFileSync('openssl', all, { cwd: folder, stdio: 'pipe' });
  };
  request('-subj /CN=authority -keyout ca.key -out ca.pem', 'keyUsage=critical,keyCertSign');
  let count = 0;
  return {
    caFile: join(folder, 'ca.pem'),
    issue(...names) {
      count += 1;
      const [keyFile, certFile] = [join(folder, `${count}.key`), join(folder, `${count}.pem`)];
      request(
        `-CA ca.pem -CAkey ca.key -subj /CN=test -keyout ${count}.key -out ${count}.pem`,
        'basicConstraints=critical,CA:FALSE',
        `subjectAltName=${names.join(',')}`,
      );
      return { certFile, keyFile, cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
