/** All migrations in order. Never edit a released one: databases store its checksum. */
import type { Migration } from '../migrate.ts';
import { tables } from './0001-tables.ts';
import { departures } from './0002-departures.ts';
import { accounts } from './0003-accounts.ts';
import { certificates } from './0003-certificates.ts';
import { auditChain } from './0004-audit-chain.ts';
import { offline } from './0005-offline.ts';
import { backups } from './0006-backups.ts';
import { bodies } from './0007-bodies.ts';
import { auditLogins } from './0008-audit-logins.ts';
import { entryMoves } from './0009-entry-moves.ts';
import { staleChecks } from './0010-stale-checks.ts';
import { fewerTrees } from './0012-fewer-trees.ts';
import { weakPasswords } from './0018-weak-passwords.ts';
import { storedSizes } from './0019-stored-sizes.ts';
import { boundedSearch } from './0020-bounded-search.ts';
import { stagedImports } from './0020-staged-imports.ts';
import { access } from './0021-access.ts';
import { auditRetention } from './0023-audit-retention.ts';
import { backupCopies } from './0025-backup-copies.ts';
import { trust } from './0030-trust.ts';
import { createdEntries } from './0031-created-entries.ts';
import { entryMarks } from './0032-entry-marks.ts';
import { dueDates } from './0033-due-dates.ts';
import { notices } from './0035-notices.ts';
import { inviteGroups } from './0036-invite-groups.ts';
import { groupTemplates } from './0037-group-templates.ts';
import { secondFactors } from './0038-second-factors.ts';
import { passkeys } from './0041-passkeys.ts';
import { singleSignOn } from './0042-single-sign-on.ts';
import { departureRoles } from './0043-departure-roles.ts';
import { exports } from './0044-exports.ts';
import { importedRows } from './0045-imported-rows.ts';
import { clients } from './0046-clients.ts';
import { sites } from './0047-sites.ts';
import { serviceAccounts } from './0048-service-accounts.ts';
import { stoppedServices } from './0049-stopped-services.ts';
import { importParts } from './0050-import-parts.ts';

export const MIGRATIONS: readonly Migration[] = [
  tables,
  departures,
  accounts,
  certificates,
  auditChain,
  offline,
  backups,
  bodies,
  auditLogins,
  entryMoves,
  staleChecks,
  fewerTrees,
  weakPasswords,
  storedSizes,
  boundedSearch,
  stagedImports,
  access,
  auditRetention,
  backupCopies,
  trust,
  createdEntries,
  entryMarks,
  dueDates,
  notices,
  inviteGroups,
  groupTemplates,
  secondFactors,
  passkeys,
  singleSignOn,
  departureRoles,
  exports,
  importedRows,
  clients,
  sites,
  serviceAccounts,
  stoppedServices,
  importParts,
];
