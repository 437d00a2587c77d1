/** What a command reads and writes. Results go to standard output; prompts and notices to standard error or the terminal. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import { CommandError, EXIT } from '../failure.ts';

export interface Terminal {
  /** Whether standard output is a terminal, and its width. */
  readonly isTerminal: boolean;
  readonly columns: number;
  out(text: string | Uint8Array): void;
  note(text: string): void;
  /** How far something is, on standard error: one line that the next replaces; null removes it. */
  progress(text: string | null): void;
  /** Everything on standard input. */
  input(): Promise<Buffer>;
  /** @throws CommandError without a terminal, or when the person gives up (^C, ^D) */
  ask(question: string, options?: { readonly isSecret?: boolean }): Promise<string>;
  /** Whether `ask` can ask. */
  canAsk(): boolean;
}

export function processTerminal(): Terminal {
  return {
    isTerminal: process.stdout.isTTY,
    columns: process.stdout.columns ?? 80,
    out: (text) => write(1, text),
    note: (text) => write(2, `${text}\n`),
    progress: progressLine(process.stderr.isTTY),
    async input() {
      const chunks: Buffer[] = [];
      for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Uint8Array));
      return Buffer.concat(chunks);
    },
    canAsk() {
      const file = openTerminal();
      if (file === null) return false;
      closeSync(file);
      return true;
    },
    ask: (question, { isSecret = false } = {}) => ask(question, isSecret),
  };
}

/** Something that takes less is not told. */
const FIRST_MS = 1000;
const [PACE_MS, PACE_IN_LOG_MS] = [200, 10_000];

/** @param isTerminal otherwise lines are added, fewer of them */
function progressLine(isTerminal: boolean): Terminal['progress'] {
  let begun: number | null = null;
  let last: number | null = null;
  return (text) => {
    const now = Date.now();
    if (text === null) {
      if (isTerminal && last !== null) write(2, '\r\u001b[2K');
      [begun, last] = [null, null];
      return;
    }
    begun ??= now;
    if (now - (last ?? begun) < (last === null ? FIRST_MS : isTerminal ? PACE_MS : PACE_IN_LOG_MS)) return;
    last = now;
    write(2, isTerminal ? `\r\u001b[2K${text}` : `${text}\n`);
  };
}

/** The whole text, before the process ends. @throws EPIPE if the reader is gone */
function write(file: 1 | 2, text: string | Uint8Array): void {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(file, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}

function openTerminal(): number | null {
  try {
    return openSync(process.platform === 'win32' ? 'CONIN$' : '/dev/tty', 'r+');
  } catch {
    return null;
  }
}

const ENTER = [0x0d, 0x0a];
const GIVE_UP = [0x03, 0x04];
const [BACKSPACE, DELETE, CLEAR] = [0x08, 0x7f, 0x15];

async function ask(question: string, isSecret: boolean): Promise<string> {
  const file = openTerminal();
  if (file === null) throw new CommandError(EXIT.usage, 'no_terminal', `There is no terminal to ask: ${question}`);
  const stream = new ReadStream(file);
  stream.setRawMode(true);
  stream.resume();
  write(2, `${question}: `);
  try {
    return await typed(stream, isSecret ? null : question);
  } finally {
    stream.setRawMode(false);
    stream.destroy();
    write(2, '\n');
  }
}

/** @param shownAfter the question behind which the text is shown; null: it is not shown */
function typed(stream: ReadStream, shownAfter: string | null): Promise<string> {
  return new Promise((resolve, reject) => {
    const bytes: number[] = [];
    stream.on('data', (chunk: Buffer) => {
      for (const byte of chunk) {
        if (ENTER.includes(byte)) {
          resolve(Buffer.from(bytes).toString('utf8'));
          bytes.fill(0);
          return;
        }
        if (GIVE_UP.includes(byte)) {
          bytes.fill(0);
          reject(new CommandError(EXIT.givenUp, 'given_up', 'Given up.'));
          return;
        }
        if (byte === CLEAR) bytes.length = 0;
        else if (byte === BACKSPACE || byte === DELETE) removeLast(bytes);
        else if (byte >= 0x20) bytes.push(byte);
      }
      if (shownAfter !== null) write(2, `\r\u001b[2K${shownAfter}: ${Buffer.from(bytes).toString('utf8')}`);
      chunk.fill(0);
    });
  });
}

/** The last character, which may have several bytes. */
function removeLast(bytes: number[]): void {
  while (bytes.length > 0) {
    const byte = bytes.pop() ?? 0;
    if ((byte & 0xc0) !== 0x80) return;
  }
}
