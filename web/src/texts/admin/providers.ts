/** Single sign-on in the admin panel: sign-in services, local sign-in and break-glass accounts. */
import { catalogue } from '@passwordbroker/core/texts';
import { counted } from '../counted.ts';

export const ADMIN_PROVIDERS_TEXTS = catalogue('adminProviders', {
  hint: 'People sign in at a sign-in service of your organisation instead of with an account password here.',
  opensNothing: 'Single sign-on tells who you are. Your vault opens with your master password, or a passkey of yours.',
  loading: 'Loading the sign-in services',
  failed: 'The sign-in services could not be loaded.',
  none: 'No sign-in service is set up',
  noneHint:
    'The people who run this server add one in its environment, with OIDC_PROVIDERS. The operations manual says how.',

  on: 'On',
  off: 'Off',
  linked: (count: number) => `${counted(count, 'account is', 'accounts are')} linked`,
  sessions: (count: number) => `${counted(count, 'session', 'sessions')} began there`,
  noSecret: 'Without a client secret',
  fixed: 'Set in the environment of the server.',
  enabled: 'People may sign in with it',
  endsSessions: (count: number) =>
    `${counted(count, 'session that began there ends', 'sessions that began there end')} when you save.`,
  sessionHours: 'Longest session (hours)',
  sessionHoursHint: 'The limit of the site applies if it is shorter.',
  createAccounts: 'New people get an account at their first sign-in',
  createAccountsHint: 'Needs domains or groups below. Without this, people need an invitation.',
  allowedDomains: 'Domains of new accounts',
  allowedDomainsHint: 'One in each line, such as example.org. New people need an e-mail address there. Empty: any.',
  allowedGroups: 'Groups that may sign in',
  allowedGroupsHint: 'One in each line, as the sign-in service names them. Checked at every sign-in. Empty: everyone.',
  groupsClaim: 'Where the groups are',
  groupsClaimHint: 'The name of the claim in which the sign-in service lists them.',
  secondFactor: 'Second factor',
  secondFactorHint: 'Who asks for it.',
  secondFactorChoices: { ours: 'This site', provider: 'The sign-in service' },
  acceptedAcr: 'Values of acr that count',
  acceptedAmr: 'Values of amr that count',
  acceptedHint: 'One in each line. They say in its answer that it asked for a second factor; otherwise this site asks.',
  logoutThere: 'Logging out here also logs out there',
  logoutThereHint: (address: string) =>
    `The browser goes to the logout page of the sign-in service, which must know this address to lead back to: ${address}`,
  backChannel: 'The sign-in service ends sessions',
  backChannelHint: (address: string) =>
    `When a person logs out there, the sessions here end too. Its back-channel logout address: ${address}`,

  test: 'Test',
  testNamed: (name: string) => `Test ${name}`,
  testing: 'Testing',
  good: (name: string) => `${name} answers, and nothing is missing.`,
  bad: (name: string) => `${name} cannot be used yet`,

  local: {
    title: 'Account passwords and passkeys',
    choice: 'Sign-in beside the sign-in services',
    hint: 'Whether people may also sign in here, with their account password or a passkey.',
    choices: { allowed: 'Allowed', to_link: 'Only to link an account', off: 'Off' },
    allowed: 'Everyone can choose how to sign in.',
    toLink: (count: number) =>
      `People whose account is not linked can do nothing but link it. ${counted(count, 'account is', 'accounts are')} not linked now.`,
    off: 'Only break-glass accounts can sign in here. Sessions of others that began here end at once.',
    isOff: (unlinked: number, all: number) =>
      `${unlinked} of ${counted(all, 'account', 'accounts')} ${unlinked === 1 ? 'is' : 'are'} not linked and cannot sign in.`,
    tokens: (count: number) =>
      `${counted(count, 'token stays valid', 'tokens stay valid')}. ${count === 1 ? 'It is' : 'They are'} on the page Tokens.`,
    show: 'Show these accounts',
    needs: 'What “Off” needs',
    met: 'Done',
    missing: 'Missing',
    signedIn: 'You are signed in with a sign-in service, so you know that it works.',
    notSignedIn:
      'You are not signed in with a sign-in service. Log out, sign in with one, and come back. Then you know that it works.',
    hasBreakGlass: 'A break-glass account can still sign in if the sign-in service fails.',
    noBreakGlass: 'There is no break-glass account. Name one below: it can still sign in if the sign-in service fails.',
    question: 'Switch account passwords and passkeys off?',
    confirm: 'Switch off',
    confirming: 'Switching off',
    type: (count: number) => `Type ${count} to confirm`,
    overruled: {
      LOCAL_SIGN_IN:
        'The server runs with LOCAL_SIGN_IN=allowed: everyone can sign in here, whatever is chosen below. Remove it after the emergency.',
      'no provider': 'No sign-in service is set up: everyone can sign in here, whatever is chosen below.',
    },
  },

  breakGlass: {
    title: 'Break-glass accounts',
    hint: 'Site admins who can always sign in here, for the day on which the sign-in service fails. Name two. All site admins get an e-mail when one is used while others cannot sign in here.',
    how: 'Name one in the list of users: open the menu of a site admin who has an account password and a second factor.',
    users: 'Open the users',
    none: 'No break-glass account',
    failed: 'The break-glass accounts could not be loaded.',
    ready: 'Ready',
    notReady: 'Does not count',
    lacks: {
      disabled: 'The account is disabled',
      admin: 'No site admin any more',
      password: 'No account password',
      factor: 'No second factor',
    },
    end: 'End',
    endNamed: (name: string) => `End the break-glass account ${name}`,
  },

  links: {
    title: 'Linked sign-in services',
    hint: 'If the person got a new identity there, end the link. The person can link the account again at the next sign-in.',
    failed: 'The links could not be loaded.',
    linkedAs: (address: string) => `linked as ${address}`,
    since: (time: string) => `since ${time}`,
    lastUsed: (time: string) => `last used ${time}`,
    neverUsed: 'not used yet',
    end: 'End the link',
    endNamed: (name: string) => `End the link to ${name}`,
    question: (user: string, name: string) => `End the link of ${user} to ${name}?`,
    text: (user: string) => `Sessions of ${user} that began there end.`,
    onlyWay: (user: string) =>
      `${user} has no account password. Give the account one first: without a passkey that signs in, nobody can sign in to it then.`,
    ending: 'Ending',
    ended: (user: string, name: string) => `${user} is no longer linked to ${name}`,
  },
});
