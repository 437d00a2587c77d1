/**
 * Before a run whose tests start servers: moves their data folders into memory, where fsync takes no time. No
 * test cuts the power, and files of a killed process stay as on a disk.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { memoryFolder } from './memory-folder.ts';

/** Many times what the tests of one run need at a time. */
const ROOM = 4 * 2 ** 30;

export default function start(): () => void {
  const folder = mkdtempSync(join(memoryFolder(ROOM), 'passwordbroker-run-'));
  // PostgreSQL runs under another account and has folders in here.
  chmodSync(folder, 0o755);
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder;
  return () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    rmSync(folder, { recursive: true, force: true });
  };
}
