/** The clipboard of the desktop, by the program that the system has for it. The value goes to its standard input. */
import { spawn } from 'node:child_process';
import { CommandError, EXIT } from '../failure.ts';
import { openStateFolder, type StateFolder, statePath } from './state-folder.ts';

export interface Clipboard {
  /** @param clearAfter seconds. @throws CommandError if there is no clipboard */
  copy(text: string, clearAfter: number): Promise<void>;
  /** Clears what was copied and not cleared yet. */
  end(): Promise<void>;
}

interface Program {
  readonly copy: readonly [string, ...string[]];
  readonly paste: readonly [string, ...string[]] | null;
}

/** In the order in which they are tried. */
function programsOf(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): readonly Program[] {
  if (platform === 'darwin') return [{ copy: ['pbcopy'], paste: ['pbpaste'] }];
  if (platform === 'win32')
    return [
      {
        copy: ['powershell', '-NoProfile', '-Command', '$input | Set-Clipboard'],
        paste: ['powershell', '-NoProfile', '-Command', 'Get-Clipboard -Raw'],
      },
    ];
  const wayland: Program = { copy: ['wl-copy'], paste: ['wl-paste', '--no-newline'] };
  const x11: readonly Program[] = [
    { copy: ['xclip', '-selection', 'clipboard'], paste: ['xclip', '-selection', 'clipboard', '-o'] },
    { copy: ['xsel', '--clipboard', '--input'], paste: ['xsel', '--clipboard', '--output'] },
  ];
  return environment['WAYLAND_DISPLAY'] === undefined ? x11 : [wayland, ...x11];
}

/** Names of the programs that may have the clipboard. */
export const clipboardPrograms = (platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): readonly string[] =>
  programsOf(platform, environment).map(({ copy: [file] }) => file);

export function systemClipboard(platform = process.platform, environment = process.env): Clipboard {
  let timer: NodeJS.Timeout | undefined;
  let pending: (() => Promise<void>) | null = null;
  return {
    async copy(text, clearAfter) {
      for (const program of programsOf(platform, environment)) {
        if (!(await run(program.copy, text)).isDone) continue;
        clearTimeout(timer);
        pending = async () => {
          pending = null;
          await clear(program, text);
        };
        timer = setTimeout(() => void pending?.(), clearAfter * 1000);
        return;
      }
      throw new CommandError(
        EXIT.failed,
        'no_clipboard',
        'No program for the clipboard answers (wl-copy, xclip or xsel). Use pb get instead.',
      );
    },
    async end() {
      clearTimeout(timer);
      await pending?.();
    },
  };
}

/** Leaves what another program has put there meanwhile. */
async function clear({ copy, paste }: Program, text: string): Promise<void> {
  const present = paste === null ? null : await run(paste, '');
  const isOurs = present === null || !present.isDone || present.output === text;
  if (isOurs) await run(copy, '');
}

const WAIT_MS = 5000;

function run([file, ...arguments_]: readonly [string, ...string[]], input: string) {
  return new Promise<{ readonly isDone: boolean; readonly output: string }>((resolve) => {
    const child = spawn(file, arguments_, { stdio: ['pipe', 'pipe', 'ignore'] });
    const late = setTimeout(() => child.kill(), WAIT_MS);
    let output = '';
    const end = (isDone: boolean) => {
      clearTimeout(late);
      resolve({ isDone, output });
    };
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
    child.on('error', () => end(false));
    // Programs that keep the clipboard stay in the background; their child has the output open.
    child.on('exit', (code) => end(code === 0));
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

/** Seconds. */
export const CLEAR_AFTER = { usual: 60, least: 5, most: 3600 } as const;

const CLEAR_KEY = 'passwordbroker.clear-after';

/** Seconds after which the clipboard is cleared on this device. */
export function clearAfterOf(environment: NodeJS.ProcessEnv): number {
  return storedClearAfter(openStateFolder(statePath(environment)));
}

/** As `clearAfterOf`. */
export function storedClearAfter({ plain }: StateFolder): number {
  const stored = plain.getItem(CLEAR_KEY);
  return (stored === null ? null : wholeNumber(stored, CLEAR_AFTER)) ?? CLEAR_AFTER.usual;
}

export const storeClearAfter = ({ plain }: StateFolder, seconds: number): void =>
  plain.setItem(CLEAR_KEY, String(seconds));

/** Null unless it is one within the bounds. */
export function wholeNumber(
  text: string,
  { least, most }: { readonly least: number; readonly most: number },
): number | null {
  const number = /^\d+$/.test(text) ? Number(text) : NaN;
  return number >= least && number <= most ? number : null;
}
