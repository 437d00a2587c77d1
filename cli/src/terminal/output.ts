/** How results look: tables for people, JSON for programs. */

/** Control and bidirectional characters, which could fake another line or name. */
const UNSAFE = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** A title or name from the vault, safe to print. */
export const shown = (text: string): string =>
  text.replaceAll(UNSAFE, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`);

const GAP = '  ';
const ELLIPSIS = '…';

/** Columns side by side, without borders. @param columns width of the terminal; null: not cut */
export function table(rows: readonly (readonly string[])[], columns: number | null): string {
  const safe = rows.map((row) => row.map(shown));
  const widths: number[] = [];
  for (const row of safe) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  const lines = safe.map((row) =>
    row
      .map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)))
      .join(GAP)
      .trimEnd(),
  );
  return lines.map((line) => `${columns === null ? line : cut(line, columns)}\n`).join('');
}

const cut = (line: string, columns: number) =>
  line.length <= columns ? line : `${line.slice(0, Math.max(0, columns - 1))}${ELLIPSIS}`;
