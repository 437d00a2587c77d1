/**
 * A vault written and exported by KeePassXC. Writing one takes many seconds, so the export is
 * cached by program version and input.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CACHE = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', '..', '.cache', 'keepassxc');
const PASSWORD = 'for this file alone';
const ATTACHMENT_BYTES = 1_000_000;
/**
 * Duration of the key derivation in ms. The default is one second for each command; it does not
 * affect the export.
 */
const DECRYPTION_MS = '100';

const { status, stdout } = spawnSync('keepassxc-cli', ['--version'], { encoding: 'utf8' });
export const hasKeepassxc = status === 0;

interface Exported {
  readonly xml: Buffer;
  /** Content of the file `large.bin` of each holder. */
  readonly attachment: Buffer;
}

/** `source` is a KeePass XML file; each entry with a title of `holders` gets an attachment of 1 MB. */
export function exportedByKeepassxc(source: Buffer, holders: readonly string[]): Exported {
  const given = [stdout, PASSWORD, ...holders, source];
  const digest = given.reduce((hash, one) => hash.update(one).update('\0'), createHash('sha256')).digest('hex');
  const place = join(CACHE, digest);
  if (!existsSync(place)) make(place, source, holders);
  return { xml: readFileSync(join(place, 'vault.xml')), attachment: readFileSync(join(place, 'attachment.bin')) };
}

/** Renames the finished folder last, so readers never see a partial one. */
function make(place: string, source: Buffer, holders: readonly string[]): void {
  const folder = `${place}.${process.pid}`;
  mkdirSync(folder, { recursive: true });
  const [database, given] = [join(folder, 'vault.kdbx'), join(folder, 'source.xml')];
  const attachment = join(folder, 'attachment.bin');
  writeFileSync(given, source);
  writeFileSync(attachment, randomBytes(ATTACHMENT_BYTES));
  keepassxc('import', '-p', '-t', DECRYPTION_MS, given, database);
  const paths = keepassxc('ls', '-R', '-f', database).toString().split('\n');
  for (const holder of holders) {
    const path = paths.find((one) => one.endsWith(`/${holder}`)) ?? holder;
    keepassxc('attachment-import', database, path, 'large.bin', attachment);
  }
  writeFileSync(join(folder, 'vault.xml'), keepassxc('export', '-f', 'xml', database));
  rmSync(database);
  rmSync(given);
  renameSync(folder, place);
}

const keepassxc = (command: string, ...more: readonly string[]) =>
  execFileSync('keepassxc-cli', [command, ...more], {
    input: `${PASSWORD}\n${PASSWORD}\n`,
    env: { ...process.env, QT_QPA_PLATFORM: 'offscreen' },
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
