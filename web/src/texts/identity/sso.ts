import { catalogue } from '@passwordbroker/core/texts';

/** Single sign-on: the sign-in page, the page after the provider, and links on the account page. */
export const SSO_TEXTS = catalogue('sso', {
  continueWith: (name: string) => `Continue with ${name}`,
  leaving: (name: string) => `Going to ${name}`,
  withPassword: 'Sign in with a password',
  otherWays: 'Other ways to sign in',
  opensNothing: 'Single sign-on tells who you are. Your vault opens with your master password, or a passkey of yours.',
  working: 'Signing you in',
  refused: 'You are not signed in',
  notLinked: 'Your account is not linked',
  back: 'Back',
  signInToLink: 'Sign in to link',
  notNow: 'Not now',
  question: 'Link your account?',
  questionText: (address: string | null, name: string, user: string) =>
    address === null
      ? `Link your sign-in at ${name} to the account of ${user}?`
      : `Link ${address} at ${name} to the account of ${user}?`,
  questionHint: (name: string) => `Anyone who can sign in there can then sign in here with ${name}.`,
  link: 'Link',
  linking: 'Linking',
  linked: (name: string) => `You can now sign in with ${name}`,
  invite: {
    text: (address: string) => `The invitation is for ${address}. Sign in with this address.`,
    password: 'Choose a password instead',
    again: 'Open the link of the invitation again to try once more.',
  },
  /** A fresh sign-in of a person whose account password does not confirm. */
  confirm: {
    title: 'Sign in again first',
    subtitle: 'It has been over ten minutes since you signed in.',
    text: 'You come back here; your vault locks. Then begin once more what you wanted to do.',
    none: 'There is no way to confirm here that it is you. Log out, then sign in again.',
    cancel: 'Cancel',
    failed: 'You did not sign in again',
    done: 'You signed in again. Begin once more what you wanted to do.',
  },
  required: {
    title: 'Link your account first',
    text: 'This site asks you to sign in with single sign-on. Link your account once. Your vault is as you left it.',
    logOut: 'Log out',
  },
  links: {
    title: 'Single sign-on',
    failed: 'Your linked sign-ins could not be loaded',
    none: 'Not linked',
    linkedAs: (address: string) => `linked as ${address}`,
    since: (time: string) => `since ${time}`,
    lastUsed: (time: string) => `last used ${time}`,
    neverUsed: 'not used yet',
    linkNamed: (name: string) => `Link: ${name}`,
    linkHint: 'To link, you leave this page, and your vault locks. You come back here.',
    unlink: 'Unlink',
    unlinkNamed: (name: string) => `Unlink: ${name}`,
    unlinkTitle: (name: string) => `Unlink ${name}?`,
    unlinkText: (name: string) =>
      `${name} then no longer signs you in. Sessions that began there end, and so does this one if it is one of them.`,
    cancel: 'Cancel',
    unlinking: 'Unlinking',
    unlinked: (name: string) => `${name} is no longer linked`,
  },
});
