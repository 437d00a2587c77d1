/** CM7: what the clipboard programs of each system are called with. A value is never among it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClipboard } from './clipboard.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pb-clipboard-'));
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH'] ?? ''}`);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

/** A program that writes its arguments down and keeps or shows the clipboard. */
const install = (name: string, pasting: string) =>
  writeFileSync(
    join(folder, name),
    `#!/bin/sh\necho "${name} $*" >> ${folder}/calls\ncase "$*" in *${pasting}*) cat ${folder}/board ;; *) cat > ${folder}/board ;; esac\n`,
    { mode: 0o755 },
  );
const board = () => readFileSync(join(folder, 'board'), 'utf8');
const calls = () => readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');

test('CM7 copies by standard input and clears what is still there', async () => {
  install('xclip', '-o');
  await systemClipboard('linux', {}).copy('s3cret', 0.2);
  expect(board()).toBe('s3cret');
  await expect.poll(board).toBe('');
  expect(calls()).toEqual([
    'xclip -selection clipboard',
    'xclip -selection clipboard -o',
    'xclip -selection clipboard',
  ]);
});

test('leaves what the person has copied meanwhile', async () => {
  install('pbcopy', 'never');
  writeFileSync(join(folder, 'pbpaste'), `#!/bin/sh\necho pbpaste >> ${folder}/calls\nprintf other\n`, { mode: 0o755 });
  await systemClipboard('darwin', {}).copy('s3cret', 0.2);
  await expect.poll(() => calls().length).toBe(2);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(board()).toBe('s3cret');
});

test('prefers the program of Wayland, and takes the next one if it fails', async () => {
  writeFileSync(join(folder, 'wl-copy'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  install('xclip', '-o');
  await systemClipboard('linux', { WAYLAND_DISPLAY: 'wayland-0' }).copy('s3cret', 60);
  expect(board()).toBe('s3cret');
});

test('says so if there is none', async () => {
  vi.stubEnv('PATH', folder);
  await expect(systemClipboard('linux', {}).copy('s3cret', 60)).rejects.toThrow('Use pb get instead.');
});
