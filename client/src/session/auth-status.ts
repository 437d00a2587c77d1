/** Whether somebody is signed in, as a table (docs/spec/product.md §4): status → event → status. */

export type AuthStatus = 'loading' | 'login' | 'signup' | 'logged-in' | 'network_error' | 'initial recovery';

export type AuthEvent =
  /** The identity check begins. */
  | 'check'
  | 'guest'
  | 'loggedIn'
  | 'firstUser'
  /** The identity check failed: the visitor is sent to the login page. */
  | 'check failed'
  /** The server does not answer, and it is one where a token signs in, or this browser has a local copy of it. */
  | 'unreachable'
  | 'signed in'
  /** A first visitor has a backup. */
  | 'recover'
  /** The backup is restored: there are users now. */
  | 'recovered'
  /** By hand, or because the server says that the session is over. */
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

/** An event that a status does not know changes nothing. */
export function afterEvent(status: AuthStatus, event: AuthEvent): AuthStatus {
  return AUTH_STATUS[status][event] ?? status;
}
