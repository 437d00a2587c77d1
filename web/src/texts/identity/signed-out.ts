/** Texts for people who are not signed in, except those of the sign-in page, which are in `identity.ts`. */
import { catalogue } from '@passwordbroker/core/texts';
import { BACKUP_TEXTS } from '@passwordbroker/core/contract/site/backups';

export const SIGN_UP_TEXTS = catalogue('signUp', {
  userName: 'User name',
  passwordConfirmation: 'Password confirmation',
  masterPassword: 'Master password',
  masterPasswordHint: 'Opens your secrets. Nobody can restore it for you.',
  masterPasswordConfirmation: 'Master password confirmation',
  setupToken: 'Setup token',
  setupTokenHint: 'You find it in the output of the server, or in its setting SETUP_TOKEN.',
  signUp: 'Sign up',
  makingKeys: 'Making your keys',
  firstUser: 'Create the first user',
  firstUserHint: 'This account becomes the first user of the server.',
  fromBackup: 'Recover this server from a backup instead',
  continueAnyway: 'Continue despite warnings',
  goBack: 'Go back and change it',
  checking: 'Checking',
  error: (text: string) => `Error: ${text}`,
  warning: (text: string) => `Warning ${text}`,
  identicalHint:
    'The server sees your password each time you log in. If your master password is the same, the server knows it too.',
  signUpFailed: 'Could not complete the sign up',
  sideSignUp: 'Two passwords, two jobs',
  sidePassword: 'Signs you in to this server.',
  sideMasterPassword: 'Asked when you show, copy or change a secret. Make it different from your password.',
});

export const INVITATION_TEXTS = catalogue('invitation', {
  acceptInvite: 'Accept your invitation',
  invitedBoth: 'Your name and email come from the invitation.',
  invitedEmail: 'Your email comes from the invitation.',
  openingInvite: 'Opening your invitation',
  inviteError: 'INVITE ERROR',
  inviteGone: 'This link may have been used already or may have expired. Ask a site admin for a new one.',
  goToLogin: 'Go to login',
  signedInAlready: (name: string) =>
    `You are signed in as ${name}. To accept this invitation with a new account, log out first.`,
  logOutFirst: 'Log out and accept',
  stayIn: 'Back to the groups',
});

export const LOGOUT_TEXTS = catalogue('logout', {
  loggingOut: 'Logging out',
  notLoggedOut: 'You are not logged out',
  stillSignedIn: 'The server did not confirm the logout, so this browser may still be signed in. Try again.',
  copyLeft: 'The local copy is still on this device',
  copyLeftText:
    'You are logged out, but the browser did not remove your local copy. It is encrypted; your master password opens it.',
  sideCopyLeftText: 'The session on the server has ended, too.',
  sideLogout: 'Your keys are gone from this page',
  sideLogoutText: 'Only the server still has to end your session.',
});

export const RECOVERY_TEXTS = catalogue('recovery', {
  page: 'Initial recovery',
  file: 'Backup file',
  drop: 'Drop a file here or',
  choose: 'choose a backup file',
  fileKind: 'pb_backup_….tar.gz, or .tar.gz.age when it has a password',
  replace: 'Replace',
  oneFileOnly: 'One backup file at a time',
  fileMissing: BACKUP_TEXTS.fileMissing,
  fileTooLarge:
    'The file is too large to be uploaded here. Restore it with the command line of the server: backup restore.',
  password: 'Archive password',
  submit: 'Recover',
  recovering: 'Recovering',
  uploading: 'Uploading. Keep this tab open.',
  restoring: 'Restoring. Keep this tab open.',
  failed: 'Something going wrong try again',
  done: 'The backup has been restored.',
  doneWhat: 'Everyone has to log in again, with the passwords from the time of the backup.',
  goToLogin: 'Go to login',
  createInstead: 'Create the first user instead',
  side: 'Start from a backup',
  sideText: 'Choose a backup file to restore this server. If the archive was made with a password, enter it too.',
});

export const SERVER_TEXTS = catalogue('server', {
  kept: 'Signed in before',
  open: (name: string, host: string) => `${name} at ${host}`,
  opening: 'Opening',
  forget: (host: string) => `Forget ${host}`,
  failed: 'The list of other servers saved in this browser could not be read',
  unreachable: 'The server does not answer',
  noConnection: (host: string) => `Cannot establish connection with ${host}`,
  whatNow: 'You stay signed in there. Check the network, then try again.',
  tryAgain: 'Try again',
  trying: 'Trying',
  otherServer: 'Log in to another server',
  sideTitle: 'Nothing is lost',
  sideText: 'What you saved is still on the server. Your keys were never unlocked there.',
});
