/** Cookie that unsafe calls repeat in a header against CSRF (docs/spec/api.md §1.4). */

const COOKIE = 'XSRF-TOKEN';
export const XSRF_HEADER = 'X-XSRF-TOKEN';

export interface CookieJar {
  read(): string;
  write(cookie: string): void;
}

/** Returns null if there is no cookie of exactly this name. */
export function readXsrfToken(jar: CookieJar): string | null {
  for (const part of jar.read().split('; ')) {
    const border = part.indexOf('=');
    if (border > 0 && part.slice(0, border) === COOKIE) return decoded(part.slice(border + 1));
  }
  return null;
}

/** Deletes the token, so that the next unsafe call fetches one. */
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
