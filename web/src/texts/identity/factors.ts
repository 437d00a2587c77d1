import { catalogue } from '@passwordbroker/core/texts';

/** The second step of signing in, `/identity/factor`. */
export const FACTOR_TEXTS = catalogue('factor', {
  title: 'Confirm it is you',
  totpHint: 'Enter the six digits from your authenticator app.',
  code: 'Code',
  useTotp: 'Use your authenticator app',
  useKey: 'Use your security key or passkey',
  keyHint: 'Press the button, then follow your browser: touch the key, or confirm on your phone or computer.',
  waitingForKey: 'Waiting for your passkey',
  keyGone: 'None of your security keys works here any more. Use another way.',
  keysMoved: (hosts: string) => `Your passkeys belong to ${hosts}. Use your authenticator app or a recovery code.`,
  keysAtHome: (host: string) => `Your passkeys belong to ${host}. Sign in at ${host} itself, or use a recovery code.`,
  useRecovery: 'Use a recovery code',
  choose: 'How do you want to confirm?',
  anotherWay: 'Another way',
  remember: (days: number) => `Do not ask in this browser for ${days === 1 ? 'one day' : `${days} days`}`,
  confirm: 'Confirm',
  confirming: 'Confirming',
  recoveryCode: 'Recovery code',
  recoveryHint: (left: number) => `It works once. ${left === 1 ? 'One is' : `${left} are`} left.`,
  lost: 'Lost all of them? An administrator can give you a code.',
  back: 'Back',
  missing: 'The code is required.',
  side: 'Two steps keep others out',
  sideText: 'Someone who learns your password still needs your phone, your security key or one of your codes.',
});

/** The screen of a session that may only set up a second factor, `/identity/enrol`. */
export const ENROL_TEXTS = catalogue('enrol', {
  title: 'Set up a second factor',
  intro: 'This site requires one. It takes a minute. Your vault is as you left it.',
  key: 'Security key or passkey',
  keyHint:
    'Recommended: a USB or NFC key, or a passkey on your phone or computer. You touch or unlock it when you log in.',
  keyText: 'Give it a name. Your browser then asks you to touch the key, or to make a passkey.',
  addKey: 'Add',
  waitingForKey: 'Waiting for your passkey',
  anotherWay: 'Another way',
  app: 'Authenticator app',
  appHint: 'An app on your phone shows a code of six digits. You type it when you log in.',
  logOut: 'Log out',
  againText:
    'Your second factor is set up. The codes you were shown before this page was loaded again cannot be shown.',
  skip: 'I have put the old ones somewhere safe',
  side: 'Your vault is as you left it',
  sideText: 'A second factor is asked for when you log in. It does not open your secrets.',
});

/** The banner while there is still time. */
export const GRACE_TEXTS = catalogue('grace', {
  due: (date: string) => `Set up a second factor by ${date}.`,
  after: 'After that date you have to do it before you can go on.',
  setUp: 'Set up now',
  fewCodes: (left: number) =>
    left === 0
      ? 'You have no recovery codes left.'
      : `You have ${left === 1 ? 'one recovery code' : `${left} recovery codes`} left.`,
  makeNew: 'Make new codes',
  recently: 'Recently in your account:',
  byAdmin: 'by an administrator',
  more: (count: number) => `and ${count} more`,
  notMe: 'If you did not expect this, tell a site admin.',
  wasMe: 'I know',
});

/** Second factors on the account page and where one is set up. */
export const FACTORS_TEXTS = catalogue('factors', {
  title: 'Signing in',
  secondFactor: 'Second factor',
  hint: 'Asked for when you log in. It does not open your secrets.',
  failed: 'Your second factors could not be loaded',
  required: 'Your site requires a second factor.',
  off: 'Second factors are switched off on this site.',
  elsewhere: (host: string) => `To see and change them, sign in at ${host} itself.`,
  app: 'Authenticator app',
  appNone: 'Not set up',
  added: (time: string) => `Added ${time}`,
  lastUsed: (time: string) => `last used ${time}`,
  neverUsed: 'not used yet',
  setUp: 'Set up',
  replace: 'Replace',
  remove: 'Remove',
  cancel: 'Cancel',
  done: 'Done',

  totp: {
    dialog: 'Set up an authenticator app',
    scan: 'Scan this with your app, or type the key',
    qr: 'QR code for the authenticator app',
    cannotScan: 'Cannot scan?',
    copyKey: 'Copy the key',
    keyKind: 'Time-based, six digits.',
    code: 'Code from the app',
    codeMissing: 'The code is required.',
    revokeTokens: (count: number) => `Also revoke my ${count === 1 ? 'token' : `${count} tokens`}`,
    revokeHint: 'They were made with the password alone.',
    replaces: 'The present app works until you confirm the new one.',
    expired: 'That took too long. Scan the new code.',
    starting: 'Making a key',
    confirm: 'Confirm',
    confirming: 'Confirming',
    done: 'Authenticator app set up',
  },
  keys: {
    title: 'Security key or passkey',
    kinds: 'A USB or NFC key, or a passkey on your phone or computer',
    needsHost: 'Needs a site with a host name and HTTPS',
    count: (count: number) => (count === 1 ? 'One added' : `${count} added`),
    one: 'Security key',
    addAnother: 'Add another',
    nameHint: 'To recognise it later, for example “Blue key” or “Phone”.',
    dialog: {
      title: 'Add a security key or passkey',
      hint: 'When you log in, you use it after your password. Press Add: your browser then asks you to touch the key, or to make a passkey.',
      submit: 'Add',
    },
    added: 'Security key added',
    removeTitle: (name: string) => `Remove “${name}”?`,
    removed: 'Security key removed',
  },
  removal: {
    title: 'Remove the authenticator app?',
    textLast:
      'When you log in, only your password is asked for. Your recovery codes stop working, and your other sessions end.',
    text: 'Your other second factors and your recovery codes stay. Your other sessions end.',
    removing: 'Removing',
    done: 'Authenticator app removed',
  },

  codes: {
    title: 'Recovery codes',
    left: (left: number) => `${left} of 10 left`,
    made: (time: string) => `made ${time}`,
    makeNew: 'Make new codes',
    making: 'Making codes',
    makeTitle: 'Make new recovery codes?',
    makeText: 'The old ones stop working.',
    check: 'Check a code',
    checkText: 'Checking does not use the code.',
    checking: 'Checking',
    code: 'Recovery code',
    missing: 'The code is required.',
    good: 'This code is good',
    notGood: 'This code is not good',
    restored: 'This site was restored from a backup. Codes used since then work again: make new ones.',
    shown: 'Your recovery codes',
    shownText:
      'Use one when you have no other factor. Each works once. Keep them safe: with your password, anyone can sign in with one. They are shown only now.',
    copy: 'Copy',
    copied: 'Recovery codes copied',
    save: 'Save as a file',
    print: 'Print',
    kept: 'I have put them somewhere safe',
    file: (host: string, email: string) => [
      `Recovery codes of ${email}`,
      `for PasswordBroker at ${host}`,
      'Each works once, together with the account password.',
    ],
  },

  remembered: {
    title: 'Remembered browsers',
    hint: 'They are not asked for a second factor.',
    none: 'None',
    current: 'this browser',
    unknown: 'Unknown browser',
    at: (address: string) => `at ${address}`,
    lastUsed: (time: string) => `last used ${time}`,
    until: (time: string) => `until ${time}`,
    forget: 'Remove',
    forgetNamed: (what: string) => `Remove ${what} from the remembered browsers`,
    forgetting: 'Removing',
    forgotten: 'This browser is asked for a second factor again',
    forgetAll: 'Remove all',
    forgotAll: (count: number) => (count === 1 ? 'One browser removed' : `${count} browsers removed`),
  },
});

const METHODS = {
  password: 'Password',
  passkey: 'Passkey',
  'sign-up': 'Sign-up',
  invite: 'Invitation',
  sso: 'Single sign-on',
} as const;
const FACTORS = {
  totp: 'authenticator app',
  recovery: 'recovery code',
  passkey: 'security key',
  remembered: 'remembered browser',
  sso: 'second factor there',
} as const;

/** How a session began. */
export const HOW_TEXTS = catalogue('how', {
  begun: (method: keyof typeof METHODS, factor: keyof typeof FACTORS | null) =>
    factor === null || factor === method ? METHODS[method] : `${METHODS[method]} and ${FACTORS[factor]}`,
  /** Of a token. */
  withoutFactor: 'made without a second factor',
});
