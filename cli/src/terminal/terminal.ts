/** What a command reads and writes. Results go to standard output; prompts and notices to standard error or the terminal. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import { CommandError, EXIT, type Exit, wrongUsage } from '../failure.ts';

export interface Terminal {
  /** Whether standard output is a terminal, and its width. */
  readonly isTerminal: boolean;
  readonly columns: number;
  out(text: string | Uint8Array): void;
  note(text: string): void;
  /** Whether progress is shown in one line, which needs a terminal behind standard error. */
  readonly hasProgress: boolean;
  /** How far something is, on standard error: one line that the next replaces; null removes it. */
  progress(text: string | null): void;
  /** Everything on standard input. @throws CommandError for more than `most` bytes */
  input(most: number): Promise<Buffer>;
  /**
   * @param options.without exit code without a terminal, by default that of wrong usage
   * @throws CommandError without a terminal, or when the person gives up (^C, ^D)
   */
  ask(question: string, options?: { readonly isSecret?: boolean; readonly without?: Exit }): Promise<string>;
  /** Whether `ask` can ask. */
  canAsk(): boolean;
}

export function processTerminal(): Terminal {
  return {
    isTerminal: process.stdout.isTTY,
    columns: widthOf(process.stdout.columns),
    out: (text) => write(1, text),
    note: (text) => tell(`${text}\n`),
    hasProgress: process.stderr.isTTY,
    progress: progressLine(process.stderr.isTTY),
    async input(most) {
      const chunks: Buffer[] = [];
      let length = 0;
      for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
        chunks.push(chunk);
        length += chunk.length;
        if (length > most) throw tooLong();
      }
      return Buffer.concat(chunks);
    },
    canAsk() {
      const file = openTerminal();
      if (file === null) return false;
      closeSync(file);
      return true;
    },
    ask: (question, { isSecret = false, without = EXIT.usage } = {}) => ask(question, isSecret, without),
  };
}

export const tooLong = () => wrongUsage('The value on standard input is too large.');

/** Some terminals do not tell theirs, or tell 0. */
const widthOf = (columns: number | undefined) => (columns === undefined || columns === 0 ? 80 : columns);

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
      if (isTerminal && last !== null) tell('\r\u001b[2K');
      [begun, last] = [null, null];
      return;
    }
    begun ??= now;
    if (now - (last ?? begun) < (last === null ? FIRST_MS : isTerminal ? PACE_MS : PACE_IN_LOG_MS)) return;
    last = now;
    tell(isTerminal ? `\r\u001b[2K${text}` : `${text}\n`);
  };
}

/** The whole text, before the process ends. @throws CommandError if the reader is gone; errors of the disk */
function write(file: 1 | 2, text: string | Uint8Array): void {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(file, bytes, at);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EPIPE') throw new CommandError(EXIT.failed, 'output_closed', OUTPUT_CLOSED);
      if (code !== 'EAGAIN') throw error;
    }
  }
}

export const OUTPUT_CLOSED = 'The output was closed before everything was written.';

/** On standard error, which may be gone. */
function tell(text: string): void {
  try {
    write(2, text);
  } catch {
    // The exit code tells it.
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

async function ask(question: string, isSecret: boolean, without: Exit): Promise<string> {
  const file = openTerminal();
  if (file === null) throw new CommandError(without, 'no_terminal', `There is no terminal to ask: ${question}`);
  const stream = new ReadStream(file);
  stream.setRawMode(true);
  stream.resume();
  tell(`${question}: `);
  try {
    return await typed(stream, isSecret ? null : question);
  } finally {
    stream.setRawMode(false);
    stream.destroy();
    tell('\n');
  }
}

/** @param shownAfter the question behind which the text is shown; null: it is not shown */
function typed(stream: ReadStream, shownAfter: string | null): Promise<string> {
  return new Promise((resolve, reject) => {
    const bytes: number[] = [];
    // The terminal was closed.
    const gone = () => reject(new CommandError(EXIT.givenUp, 'given_up', 'Given up.'));
    stream.on('error', gone).on('end', gone);
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
      if (shownAfter !== null) tell(`\r\u001b[2K${shownAfter}: ${Buffer.from(bytes).toString('utf8')}`);
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
