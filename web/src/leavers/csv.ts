/** A table as text for spreadsheets (RFC 4180). A cell that a spreadsheet would take for a formula begins with an apostrophe. */

/** Also those that some programs strip before they look: tab and carriage return. */
const FORMULA = /^[=+\-@\t\r]/;

/** @returns lines ended by CR LF, after a byte order mark, without which spreadsheets read another encoding */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((cells) => `${cells.map(cell).join(',')}\r\n`).join('')}`;
}

function cell(text: string): string {
  const safe = FORMULA.test(text.trimStart()) || FORMULA.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
