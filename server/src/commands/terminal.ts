/**
 * The process's terminal. Secrets are typed without echo or read from stdin, never arguments: every account
 * of the machine can read those.
 */
import { StringDecoder } from 'node:string_decoder';
import { UsageError } from './command.ts';
import type { Terminal } from './command.ts';

export const processTerminal: Terminal = {
  say: (line) => void process.stdout.write(`${line}\n`),
  tell: (line) => void process.stderr.write(`${line}\n`),
  secret: (name, fromInput) => unseen(name, fromInput, true),
  knownSecret: (name, fromInput) => unseen(name, fromInput, false),
};

async function unseen(name: string, fromInput: boolean, isTypedTwice: boolean): Promise<string> {
  if (fromInput) return firstLine(await inputText());
  if (!process.stdin.isTTY) {
    throw new UsageError(`There is no terminal to type the ${name} into: give --password-stdin.`);
  }
  // Echo is off from before the first prompt until after the last line, so nothing typed ahead shows.
  process.stdin.setRawMode(true);
  try {
    const lines = typedLines();
    const secret = await lines.ask(`${name}: `);
    if (isTypedTwice && (await lines.ask(`${name} again: `)) !== secret) {
      throw new UsageError('The two are not the same.');
    }
    return secret;
  } finally {
    process.stdin.setRawMode(false);
    process.stdin.pause();
  }
}

async function inputText(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString('utf8');
}

const firstLine = (text: string): string => text.split(/\r?\n/, 1)[0] ?? '';

const [ENTER, NEWLINE, INTERRUPT, END, ERASE, BACKSPACE] = ['\r', '\n', '\u0003', '\u0004', '\u007f', '\b'];

/** Reads lines without echo. Input typed ahead of a prompt answers it. */
function typedLines() {
  const decoder = new StringDecoder('utf8');
  const signs: string[] = [];
  let wake = () => {};
  process.stdin.on('data', (chunk: Buffer) => {
    signs.push(...decoder.write(chunk));
    wake();
  });
  const next = async (): Promise<string> => {
    while (signs.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    return signs.shift() ?? '';
  };
  return {
    async ask(prompt: string): Promise<string> {
      process.stderr.write(prompt);
      const line: string[] = [];
      for (;;) {
        const sign = await next();
        if (sign === INTERRUPT || sign === END) {
          process.stderr.write('\n');
          throw new UsageError('Given up.');
        }
        if (sign === ENTER || sign === NEWLINE) {
          process.stderr.write('\n');
          return line.join('');
        }
        if (sign === ERASE || sign === BACKSPACE) line.pop();
        else line.push(sign);
      }
    },
  };
}
