export const LOGOUT_TEXTS = {
  loggingOut: 'Logging out',
  notLoggedOut: 'You are not logged out',
  stillSignedIn:
    'The server did not confirm that the session is over. Until it does, this browser may still be signed in.',
  copyLeft: 'The local copy is still on this device',
  copyLeftText:
    'You are logged out, but the browser did not remove your local copy. It is sealed under your master password.',
  sideCopyLeftText: 'The session on the server has ended, too.',
  sideLogout: 'Your keys are gone from this page',
  sideLogoutText: 'Only the session on the server is left.',
} as const;
