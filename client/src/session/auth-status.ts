/** Sign-in status (docs/spec/product.md §4). */

export type AuthStatus = 'loading' | 'login' | 'signup' | 'logged-in' | 'network_error' | 'initial recovery';

export type AuthEvent =
  | 'check'
  | 'guest'
  | 'loggedIn'
  | 'firstUser'
  /** The visitor is sent to the login page. */
  | 'check failed'
  /** The server does not answer, and this browser has a token or a local copy. */
  | 'unreachable'
  | 'signed in'
  /** The first visitor has a backup. */
  | 'recover'
  | 'recovered'
  /** By hand, or because the server ended the session. */
  | 'logged out';

type Exits = Partial<Record<AuthEvent, AuthStatus>>;

const CHECKED: Exits = {
  guest: 'login',
  loggedIn: 'logged-in',
  firstUser: 'signup',
  'check failed': 'login',
  unreachable: 'network_error',
};

const AUTH_STATUS: Readonly<Record<AuthStatus, Exits>> = {
  loading: CHECKED,
  login: { check: 'loading', 'signed in': 'logged-in', 'logged out': 'login' },
  signup: { check: 'loading', 'signed in': 'logged-in', 'logged out': 'login', recover: 'initial recovery' },
  'logged-in': { check: 'loading', 'logged out': 'login' },
  'initial recovery': { check: 'loading', 'signed in': 'logged-in', 'logged out': 'login', recovered: 'login' },
  network_error: { check: 'loading', 'signed in': 'logged-in', 'logged out': 'login' },
};

/** Events that a status does not list change nothing. */
export function afterEvent(status: AuthStatus, event: AuthEvent): AuthStatus {
  return AUTH_STATUS[status][event] ?? status;
}
