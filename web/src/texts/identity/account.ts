import { catalogue } from '@passwordbroker/core/texts';

const minutes = (count: number) => (count === 1 ? '1 minute' : `${count} minutes`);

export const ACCOUNT_TEXTS = catalogue('account', {
  page: 'Account',
  link: (name: string) => `Account of ${name}`,
  save: 'Save',
  saving: 'Saving',
  tryAgain: 'Try again',
  loading: 'Loading',

  profile: {
    title: 'Name and email',
    name: 'User name',
    email: 'Email',
    saved: 'The User was successfully updated',
    failed: 'An error occured, try again',
  },
  password: {
    title: 'Account password',
    hint: 'For signing in. Change your master password in the lock menu.',
    current: 'Current password',
    next: 'New password',
    confirmation: 'New password confirmation',
    change: 'Change password',
    changing: 'Changing',
    changed: 'Account password changed. All your other sessions and tokens have ended.',
    empty: 'Password is empty',
    mismatch: 'Password Confirmation mismatch to Password',
    currentMissing: 'Password is incorrect',
  },
  lock: {
    title: 'Lock and clipboard',
    hint: 'How long secrets stay open in this browser while you are away.',
    after: 'Lock after',
    minutes,
    remaskAfter: 'Hide shown values after',
    remaskHint: 'A one-time code stays visible while the vault is unlocked, for 5 minutes at most.',
    clearAfter: 'Clear the clipboard after',
    clearHint: 'After a secret was copied. Programs that keep a clipboard history may still have it.',
    seconds: (seconds: number) => (seconds < 60 ? `${seconds} seconds` : minutes(seconds / 60)),
    most: (most: number) => `This site allows ${most === 1 ? 'one minute' : `${most} minutes`} at most.`,
    notKept: 'This browser does not store the choice; it is lost when you close the page.',
  },
  appearance: {
    title: 'Appearance',
    hint: 'Applies to this browser.',
    theme: 'Theme',
    themes: { dark: 'Dark', light: 'Light', system: 'System' },
    density: 'Rows',
    densities: { comfortable: 'Comfortable', compact: 'Compact' },
    dates: 'Dates',
    dateFormats: { plain: 'Year first', locale: 'Browser language' },
    dateExample: (now: string) => `Now: ${now}`,
  },
  language: {
    title: 'Language',
    hint: 'Applies to this browser. Changing it reloads the page and locks the vault.',
    choice: 'Language of the page',
    system: 'As in the browser',
    /** Each in its own language. */
    names: { en: 'English', de: 'Deutsch' },
  },
  serverCrypto: {
    title: 'Master password on the server',
    hint: 'This website never sends your master password to the server. Other programs may, unless this site or you forbid it.',
    optOut: 'The server refuses my master password',
    optOutHint: 'Programs that send it are refused. You can allow it again at any time. This website works as before.',
    optedOut: 'The server refuses your master password from now on',
    optedIn: 'Programs may send your master password again',
    siteOff: 'On this site, no program may send a master password.',
    exposed: (time: string) => `Your master password was used on the server, last ${time}`,
    exposedWhat: 'For that moment the server could open your keys. If it was not a program of yours, act now.',
    exposedAdvice:
      'Change your master password, and tick “The server refuses my master password” below. Copied keys still work until a site admin resets yours.',
    change: 'Change master password',
  },
  storage: {
    title: 'Storage',
    hint: 'Files and texts above 1 kB that you added, including older versions and the trash.',
    failed: 'Your storage could not be loaded.',
    stored: (stored: string) => `You store ${stored}.`,
    storedOf: (stored: string, quota: string) => `You store ${stored} of ${quota}.`,
  },
  sessions: {
    title: 'Sessions',
    hint: 'Browsers that are signed in as you.',
    failed: 'The sessions could not be loaded',
    current: 'this browser',
    at: (address: string) => `at ${address}`,
    lastSeen: (time: string) => `last seen ${time}`,
    until: (time: string) => `ends ${time}`,
    unknown: 'Unknown browser',
    end: 'End',
    endNamed: (what: string) => `End the session of ${what}`,
    ending: 'Ending',
    ended: 'Session ended',
    endOthers: 'End all others',
    endedOthers: (count: number) => (count === 1 ? 'One session ended' : `${count} sessions ended`),
  },
  tokens: {
    title: 'Tokens',
    hint: 'A token lets a program sign in as you. Browsers that sign in from another server’s page have one, too.',
    failed: 'The tokens could not be loaded',
    empty: 'No tokens',
    current: 'this browser',
    scopes: (scopes: readonly string[]) => scopes.join(', '),
    lastUsed: (time: string) => `last used ${time}`,
    until: (time: string) => `ends ${time}`,
    revoke: 'Revoke',
    revokeNamed: (name: string) => `Revoke the token ${name}`,
    revoking: 'Revoking',
    revoked: (name: string) => `Token ${name} revoked`,
    add: 'New token',
    dialog: 'New token',
    name: 'Name',
    nameHint: 'Replaces a token of the same name.',
    days: 'Days until it ends',
    daysHint: (most: number) => `1 to ${most}`,
    scope: 'It may',
    scopeNames: { read: 'read', write: 'write', offline: 'download the offline copy' },
    create: 'Create token',
    creating: 'Creating',
    made: (name: string) => `Token ${name}`,
    once: 'Copy it now; it is not shown again. Anyone who has it can act as you.',
    copy: 'Copy token',
    copied: 'copied',
    done: 'Done',
    cancel: 'Cancel',
    noScope: 'Choose what it may do.',
  },
});

/** Why a new password could not be checked, and what to do. */
export const PASSWORD_RULE_TEXTS = catalogue('passwordRule', {
  rulesUnknown:
    'The password rules of this site could not be loaded. Nothing was sent. Check the connection and try again.',
  rulesRefused: (reason: string) =>
    `The server did not send its password rules (${reason.replace(/\.$/, '')}). Nothing was sent. Try again; if that does not help, ask the people who run this server.`,
  tooShort: (least: number) => `On this site, a password needs at least ${least} characters.`,
  strengthUnknown:
    'This site refuses passwords that are easy to guess, but this browser could not check yours. Nothing was sent. Try again; if that does not help, reload the page.',
});

/** Texts that ask for a new password if the site no longer allows the present one. */
export const WEAK_PASSWORD_TEXTS = catalogue('weakPassword', {
  password: 'Your account password is weaker than this site allows.',
  masterPassword: 'Your master password is weaker than this site allows.',
  why: 'Choose a longer one that is harder to guess.',
  changePassword: 'Change password',
  changeMasterPassword: 'Change master password',
});

export const FRESH_SIGN_IN_TEXTS = catalogue('freshSignIn', {
  title: 'Confirm your password first',
  subtitle: 'It has been over ten minutes. Confirm it’s you and we’ll continue.',
  password: 'Password',
  hint: 'The password you log in with, not your master password.',
  missing: 'Field: Password should be filled in',
  confirm: 'Confirm',
  confirming: 'Confirming',
  cancel: 'Cancel',
});
