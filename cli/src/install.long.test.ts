/** The packed command line on a machine that has only Node. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');

test('CM1 the packed file installs without a network and runs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pb-install-'));
  try {
    const [source, prefix] = [join(folder, 'cli'), join(folder, 'prefix')];
    cpSync(join(ROOT, 'cli', 'package.json'), join(source, 'package.json'));
    execFileSync(process.execPath, [join(ROOT, 'build', 'build.mjs'), `--cli=${join(source, 'dist')}`]);
    execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: source, stdio: 'pipe' });
    const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
    execFileSync('npm', ['install', '-g', '--offline', `--prefix=${prefix}`, join(folder, tarball)], { stdio: 'pipe' });
    const env = { PATH: process.env['PATH'], PB_STATE_DIR: join(folder, 'state') };
    const run = (...arguments_: string[]) =>
      execFileSync(join(prefix, 'bin', 'pb'), arguments_, { env, encoding: 'utf8' });
    expect(run('generate', '--length', '20')).toMatch(/^\S{20}\n$/);
    expect(run('--help')).toContain('pb: the command line of PasswordBroker');
    expect(readdirSync(join(prefix, 'lib', 'node_modules'))).toEqual(['passwordbroker-cli']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
