/**
 * Searches recorded bytes for a secret in every encoding of attack M24: raw, base64, hex, percent, UTF-16,
 * reversed, in windows of eight bytes.
 */

const WINDOW = 8;

function* windows(secret: Buffer): Generator<Buffer> {
  if (secret.length <= WINDOW) yield secret;
  else for (let start = 0; start + WINDOW <= secret.length; start += 1) yield secret.subarray(start, start + WINDOW);
}

const percent = (bytes: Buffer) => [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const utf16 = (bytes: Buffer, bigEndian: boolean) => {
  const text = Buffer.from(bytes.toString('utf8'), 'utf16le');
  return bigEndian ? Buffer.from(text).swap16() : text;
};

/**
 * Base64 of the bytes at each of the three alignments, without characters that depend on neighbouring bytes.
 */
function base64Spellings(bytes: Buffer): string[] {
  return [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replaceAll('=', '');
    const from = shift === 0 ? 0 : shift + 1;
    const to = (bytes.length + shift) % 3 === 0 ? text.length : text.length - 1;
    return text.slice(from, to);
  });
}

/** All encodings of one window, as byte patterns. */
function spellings(window: Buffer): Buffer[] {
  const hex = window.toString('hex');
  const base64 = base64Spellings(window);
  const texts = [
    hex,
    hex.toUpperCase(),
    percent(window),
    percent(window).toUpperCase(),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ];
  const isText = /^[\x20-\x7e]*$/.test(window.toString('latin1'));
  return [
    window,
    Buffer.from(window).reverse(),
    ...texts.map((text) => Buffer.from(text, 'latin1')),
    ...(isText
      ? [utf16(window, false), utf16(window, true), Buffer.from(encodeURIComponent(window.toString('latin1')))]
      : []),
  ];
}

export interface Leak {
  readonly secret: string;
  readonly where: string;
}

/**
 * @param secrets bytes by name; fewer than six bytes are refused, because they occur by chance
 * @param places bytes to search, by name
 * @param isWhole searches only for whole secrets, for large places
 */
export function findLeaks(
  secrets: Readonly<Record<string, Uint8Array>>,
  places: Readonly<Record<string, Buffer>>,
  { isWhole = false }: { readonly isWhole?: boolean } = {},
): Leak[] {
  const patterns = new Map<number, Pattern[]>();
  for (const [secret, bytes] of Object.entries(secrets)) {
    if (bytes.length < 6) throw new Error(`${secret} is too short to be looked for`);
    const whole = Buffer.from(bytes);
    for (const pattern of [...(isWhole ? [whole] : windows(whole))].flatMap(spellings)) {
      const start = pattern.readInt32BE(0);
      patterns.set(start, [...(patterns.get(start) ?? []), { secret, bytes: pattern }]);
    }
  }
  return Object.entries(places).flatMap(([where, haystack]) =>
    [...findSecrets(haystack, patterns)].map((secret) => ({ secret, where })),
  );
}

interface Pattern {
  readonly secret: string;
  readonly bytes: Buffer;
}

/**
 * Names of the secrets in the haystack, in one pass. Patterns are keyed by their first four bytes, a signed
 * integer.
 */
function findSecrets(haystack: Buffer, patterns: ReadonlyMap<number, readonly Pattern[]>): ReadonlySet<string> {
  // The upper half of these bytes rules out most positions.
  const begins = new Uint8Array(1 << 16);
  for (const start of patterns.keys()) begins[start >>> 16] = 1;
  const found = new Set<string>();
  for (let at = 0; at + 4 <= haystack.length; at += 1) {
    if (begins[((haystack[at] ?? 0) << 8) | (haystack[at + 1] ?? 0)] === 0) continue;
    for (const { secret, bytes } of patterns.get(haystack.readInt32BE(at)) ?? [])
      if (haystack.subarray(at, at + bytes.length).equals(bytes)) found.add(secret);
  }
  return found;
}
