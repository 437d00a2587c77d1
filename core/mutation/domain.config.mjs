import { settings } from './common.mjs';

/** Who may do what, who belongs to a group, and which key is whose. */
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
