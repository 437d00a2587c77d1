import { urlOf } from '../url.ts';

/** Only these may be opened (threat W5). */
const OPENABLE = new Set(['http:', 'https:', 'mailto:']);

/** The URL to open; null for anything else. Rejects control characters. */
export function openableLink(value: string): URL | null {
  if (!/^(?:https?:\/\/|mailto:)/i.test(value) || /[\p{Cc}\p{Cf}]/u.test(value)) return null;
  const url = urlOf(value);
  return url !== null && OPENABLE.has(url.protocol) ? url : null;
}

/** No confusable letters. */
const PLAIN = /^[\u0021-\u007e]*$/;

/** `https://user@host:1/path` → `user@host:1`. */
const authorityOf = (text: string): string => text.toLowerCase().split(/[/\\?#]+/)[1] ?? '';

/** The text if it is ASCII with the true host, otherwise as the browser parses it (M28). */
export const readableLink = (text: string, address: URL): string =>
  PLAIN.test(text) && authorityOf(text).includes(address.host) ? text : address.href;
