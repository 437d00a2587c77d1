/** Which link values may be opened: web addresses and mail, nothing that could run (threats W5). */
const OPENABLE = new Set(['http:', 'https:', 'mailto:']);

/**
 * The address to open, host names in their ASCII form; null for anything that is not plainly one.
 * A value with control characters or spaces around its scheme is never "repaired" into an address.
 */
export function openableLink(value: string): URL | null {
  if (!/^(?:https?:\/\/|mailto:)/i.test(value) || /[\p{Cc}\p{Cf}]/u.test(value)) return null;
  try {
    const url = new URL(value);
    return OPENABLE.has(url.protocol) ? url : null;
  } catch {
    return null;
  }
}

/** Letters that cannot be taken for others. */
const PLAIN = /^[\u0021-\u007e]*$/;

/** What stands where the host is: `https://user@host:1/path` → `user@host:1`; nothing for mail. */
const authorityOf = (text: string): string => text.toLowerCase().split(/[/\\?#]+/)[1] ?? '';

/** The link as it is shown: as written where it cannot be misread, else as the browser reads it (M28). */
export const readableLink = (text: string, address: URL): string =>
  PLAIN.test(text) && authorityOf(text).includes(address.host) ? text : address.href;
