/** The readable cookie that unsafe calls repeat in a header (docs/spec/api.md §1.4). */

const COOKIE = 'XSRF-TOKEN';
export const XSRF_HEADER = 'X-XSRF-TOKEN';

/** The cookies of the server that scripts may read. */
export interface CookieJar {
  read(): string;
  write(cookie: string): void;
}

/** The token's text, or null when there is none (never a cookie of a similar name). */
export function readXsrfToken(jar: CookieJar): string | null {
  for (const part of jar.read().split('; ')) {
    const border = part.indexOf('=');
    if (border > 0 && part.slice(0, border) === COOKIE) return decoded(part.slice(border + 1));
  }
  return null;
}

/** After 'CSRF token mismatch.': the next unsafe call fetches a new one (docs/spec/product.md §8). */
export function dropXsrfToken(jar: CookieJar): void {
  jar.write(`${COOKIE}=; Max-Age=0; Path=/`);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
