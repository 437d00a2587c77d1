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
