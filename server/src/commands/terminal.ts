/** The terminal that the command line runs in. Secrets are typed unseen or come by standard input, never as arguments: those every account of the machine can read. */
import { StringDecoder } from 'node:string_decoder';
import { UsageError } from './command.ts';
import type { Terminal } from './command.ts';

export const processTerminal: Terminal = {
  say: (line) => void process.stdout.write(`${line}\n`),
  tell: (line) => void process.stderr.write(`${line}\n`),
  async secret(name, fromInput) {
    if (fromInput) return firstLine(await inputText());
    if (!process.stdin.isTTY) {
      throw new UsageError(`There is no terminal to type the ${name} into: give --password-stdin.`);
    }
    const secret = await typed(`${name}: `);
    if ((await typed(`${name} again: `)) !== secret) throw new UsageError('The two are not the same.');
    return secret;
  },
};

async function inputText(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString('utf8');
}

const firstLine = (text: string): string => text.split(/\r?\n/, 1)[0] ?? '';

const [ENTER, NEWLINE, INTERRUPT, END, ERASE, BACKSPACE] = ['\r', '\n', '\u0003', '\u0004', '\u007f', '\b'];

/** One line, typed with nothing shown. */
function typed(prompt: string): Promise<string> {
  const { stdin, stderr } = process;
  return new Promise((resolve, reject) => {
    const decoder = new StringDecoder('utf8');
    let line: string[] = [];
    const finish = (settle: () => void) => {
      stdin.off('data', read);
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write('\n');
      settle();
    };
    const read = (chunk: Buffer) => {
      for (const sign of decoder.write(chunk)) {
        if (sign === ENTER || sign === NEWLINE) return finish(() => resolve(line.join('')));
        if (sign === INTERRUPT || sign === END) return finish(() => reject(new UsageError('Given up.')));
        if (sign === ERASE || sign === BACKSPACE) line = line.slice(0, -1);
        else line.push(sign);
      }
    };
    stderr.write(prompt);
    stdin.setRawMode(true);
    stdin.on('data', read);
    stdin.resume();
  });
}
