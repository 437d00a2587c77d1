import { settings } from './common.mjs';

/** Rights, membership in groups, and the owners of keys. */
const NAMES = [
  'policy',
  'rosters/roster',
  'rosters/roster-chain',
  'rosters/accepted-rosters',
  'keyring/certificate',
  'keyring/documents',
  'keyring/fingerprint-words',
  'groups/grants',
  'groups/secret-cache',
  'groups/group-keys',
  'groups/member-change',
  'trust/pins',
  'groups/rotation',
];

export default settings(
  'domain',
  NAMES.map((name) => `core/src/domain/${name}.ts`),
);
