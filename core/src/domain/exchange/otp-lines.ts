/** A text file with one address of a one-time password in each line. */
import { ExchangeError, EXCHANGE_LIMITS as LIMITS } from './exchange-error.ts';
import type { Read } from './formats.ts';
import { isMigration, otpFields } from './otp-migration.ts';
import { decodeText } from './text.ts';
import { treeBuilder } from './tree-builder.ts';

const IMPORTED = 'Imported codes';

export const readOtpLines: Read = async (file, _given, { now, signal, onProgress }) => {
  if (file.size > LIMITS.bytes) throw ExchangeError.largerThan(LIMITS.bytes);
  const tree = treeBuilder(now);
  const { pieces, isWestern } = await decodeText(file, { signal, onProgress: (done) => onProgress?.(done, file.size) });
  if (isWestern) tree.leaveOut('text', 'not UTF-8, read as Western European');
  const take = (line: string) => {
    if (line.trim() === '') return;
    const title = isMigration(line) ? IMPORTED : (labelOf(line) ?? IMPORTED);
    tree.add({ group: 0, title, fields: otpFields(tree, line.trim(), title) });
  };
  let rest = '';
  let count = 0;
  for await (const piece of pieces) {
    const lines = (rest + piece).split(/\r?\n|\r/);
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
    count += lines.length;
    if (rest.length > LIMITS.csvRow) throw new ExchangeError('unreadable', `Line ${count + 1} is too long.`);
  }
  take(rest);
  return tree.end();
};

/** 'Issuer: account' of an `otpauth://` address. */
function labelOf(line: string): string | null {
  try {
    const { pathname, searchParams } = new URL(line.trim());
    const label = decodeURIComponent(pathname.split('/').at(-1) ?? '').replace(/^([^:]+):\s*/, '$1: ');
    const issuer = searchParams.get('issuer') ?? '';
    const whole = issuer === '' || label.startsWith(`${issuer}: `) || label === '' ? label : `${issuer}: ${label}`;
    return whole.trim() || issuer || null;
  } catch {
    return null;
  }
}
