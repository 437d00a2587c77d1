/** Sign-in status (docs/spec/product.md §4). */

export type AuthStatus = 'loading' | 'login' | 'signup' | 'logged-in' | 'network_error' | 'initial recovery';

export type AuthEvent =
  | 'check'
  | 'guest'
  | 'loggedIn'
  | 'firstUser'
  | 'check failed'
  /** The server does not answer, and this browser has a token or a local copy. */
  | 'unreachable'
  | 'signed in'
  | 'recover'
  | 'recovered'
  /** By hand or by the server. */
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

export function afterEvent(status: AuthStatus, event: AuthEvent): AuthStatus {
  return AUTH_STATUS[status][event] ?? status;
}
