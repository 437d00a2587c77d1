/** Before a run: builds the command line, which all tests share. `PB_BUILT` names its folder. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BUILD = join(import.meta.dirname, '..', '..', '..', 'build', 'build.mjs');

/** Puts `pb.js` and what it loads into the folder. */
export const buildPb = (folder: string): Buffer => execFileSync(process.execPath, [BUILD, `--cli=${folder}`]);

export default function start(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'pb-built-'));
  buildPb(folder);
  process.env['PB_BUILT'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
