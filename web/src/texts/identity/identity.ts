import { catalogue } from '@passwordbroker/core/texts';

/** Texts that every visitor loads, on the sign-in page too. */
export const IDENTITY_TEXTS = catalogue('identity', {
  home: 'PasswordBroker, home',
  about: 'What this page is for',
  loading: 'Opening PasswordBroker',
  tryAgain: 'Try again',
  logIn: 'Log in',
  passkey: 'Sign in with a passkey',
  loggingIn: 'Logging in',
  serverUrl: 'Server URL',
  email: 'Email',
  password: 'Password',
  serverUrlMissing: 'Field: Server URL should be filled in',
  emailMissing: 'Field: Email should be filled in',
  passwordMissing: 'Field: Password should be filled in',
  noConnection: (host: string) => `Cannot establish connection with ${host}`,
  loginFailed: 'Could not complete the login',
  maybeNotAdmitted: 'The server is offline or does not accept sign-in from here. Ask its administrator.',
  needsHttps: 'This page needs HTTPS: without it, browsers do not allow encryption.',
  sideLogin: 'Signing in opens your groups',
  sideLoginText: 'Secret values stay encrypted until you enter your master password.',
  backToGroups: 'Back to the groups',
  toggleTheme: 'Toggle light and dark theme',
  waiting: 'loading...',
  unexpected: 'Unexpected Application Error!',
  reload: 'Reload the page',
  chunkHints: {
    missing: 'The server was updated. Reload the page.',
    timeout: 'A part of the page did not arrive in time. Reload the page.',
    error: 'A part of the page did not arrive. Check the connection.',
  },
});
