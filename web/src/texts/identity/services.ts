import { catalogue } from '@passwordbroker/core/texts';

const days = (count: number) => (count === 1 ? '1 day' : `${count} days`);
const groups = (count: number) => (count === 1 ? '1 group' : `${count} groups`);

/** Of service accounts: the lists of their owners and of site admins, and their mark among members. */
export const SERVICE_TEXTS = catalogue('services', {
  title: 'Service accounts',
  hint: 'Accounts of programs, for example of a pipeline. Each opens the values of chosen groups with one secret, its credential.',
  siteHint: 'All accounts of programs on this site.',
  off: 'Service accounts are switched off on this site: they cannot sign in, and none can be made.',
  failed: 'The service accounts could not be loaded',
  empty: 'No service accounts',
  search: 'Search service accounts',
  searchHint: 'By name, description or owner',
  noneFound: 'No service account matches.',
  left: (count: number, name: string) =>
    count === 1
      ? `1 service account belonged to ${name}. Renew its credentials, or delete it.`
      : `${count} service accounts belonged to ${name}. Renew their credentials, or delete them.`,

  states: {
    used: 'in use',
    unused: (count: number) => `unused for ${days(count)}`,
    fresh: 'not used yet',
    ending: (count: number) => (count === 0 ? 'ends today' : `ends in ${days(count)}`),
    ended: 'ended',
    disabled: 'disabled',
    noOwner: 'no owner',
    due: 'credential of a former owner',
  },
  mark: 'service',
  readOnly: 'read only',
  owner: (name: string) => `owner: ${name}`,
  groups,
  networks: (list: string) => `only from ${list}`,
  credentials: (name: string) => `Credentials of ${name}`,
  credentialOf: (time: string) => `Credential of ${time}`,
  usedAt: (time: string, address: string | null) =>
    address === null ? `last used ${time}` : `last used ${time} from ${address}`,
  neverUsed: 'not used yet',
  until: (time: string) => `ends ${time}`,

  more: (name: string) => `More for ${name}`,
  cancel: 'Cancel',

  add: 'Add',
  addTitle: 'New service account',
  addAction: 'make a service account',
  create: 'Create',
  creating: 'Creating',
  name: 'Name',
  nameHint: 'Histories and lists of members show it.',
  description: 'Description',
  days: 'Days until the credential ends',
  daysHint: (most: number) => `1 to ${most}`,
  networksLabel: 'Networks',
  networksHint: 'Addresses and ranges such as 10.0.0.0/8. Without one it may be used from everywhere.',
  removeNetwork: (network: string) => `Remove ${network}`,
  wrongNetwork: (network: string, reason: string) => `${network}: ${reason}`,
  groupsLabel: 'Groups that it may read',
  groupsHint: 'Groups that you administer. More can be added in the Users tab of a group.',
  addGroup: 'Add a group',
  chooseGroup: 'Choose a group',
  takeGroup: 'Add this group',
  removeGroup: (title: string) => `Remove ${title}`,

  change: 'Change',
  changeTitle: (name: string) => `Change ${name}`,
  save: 'Save',
  saving: 'Saving',
  changed: (name: string) => `Service account ${name} changed`,
  disable: 'Disabled',
  disableHint: 'Programs that use it are refused until you enable it again.',

  renew: 'New credential',
  renewTitle: (name: string) => `New credential for ${name}`,
  renewText: (count: number) =>
    count === 0
      ? 'It gets new keys: the present credentials end at once.'
      : `It gets new keys: the present credentials end at once, it is added again to its ${groups(count)} by you, and these get new keys.`,
  renewHint: 'While the program has a working credential, “pb service rotate” replaces it without an outage.',
  renewAction: 'make a new credential',
  onlyOwner: 'Only the owner can. Change the owner first.',
  renewing: 'Making it',

  giveTo: 'Change the owner',
  giveTitle: (name: string) => `Owner of ${name}`,
  giveText: 'The owner makes new credentials, changes and deletes the account.',
  person: 'Find a person',
  take: (name: string) => `Make ${name} the owner`,
  takeShort: 'Make owner',
  searching: 'Searching',
  nobody: 'Nobody found.',
  given: (name: string, owner: string) => `${owner} owns ${name} now`,

  end: 'End',
  endNamed: (time: string, name: string) => `End the credential of ${name} made ${time}`,
  endTitle: (name: string) => `End a credential of ${name}?`,
  endText: 'Programs that use it are refused at once.',
  ending: 'Ending',
  ended: 'Credential ended',

  remove: 'Delete',
  removeTitle: (name: string) => `Delete ${name}?`,
  removeText: (count: number) =>
    count === 0
      ? 'Programs that use it are refused at once.'
      : `Programs that use it are refused at once. It leaves its ${groups(count)}, which ${count === 1 ? 'gets' : 'get'} new keys.`,
  removing: 'Deleting',
  removed: (name: string) => `Service account ${name} deleted`,

  made: (name: string) => `Credential of ${name}`,
  once: 'This is shown once. Put it into the secret store of your CI as PB_SERVICE.',
  copy: 'Copy the credential',
  saveFile: 'Save as file',
  pinsHint: 'Set this beside it: then only lists of members count that your key vouches for.',
  copyPins: 'Copy the line',
  missed: 'It could not be added to these groups. Add it in their Users tab:',
  missedGroup: (title: string, reason: string) => `${title}: ${reason}`,
  stored: 'I have stored it',
  done: 'Done',
});
