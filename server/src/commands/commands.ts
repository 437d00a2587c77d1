/** All commands by name. */
import { auditVerify } from './audit-verify.ts';
import { backupRestore, backupVerify } from './backup-archive.ts';
import { backupCreate } from './backup-create.ts';
import { backupList } from './backup-list.ts';
import { backupStatusCommand } from './backup-status.ts';
import { checkup } from './checkup.ts';
import type { Command } from './command.ts';
import { seedDatabase } from './database.ts';
import { doctor } from './doctor.ts';
import { inviteSomebody } from './invite.ts';
import { migrateDatabase } from './migrate.ts';
import { settingsList, settingsSet } from './settings.ts';
import { tokenList, tokenRevoke } from './tokens.ts';
import { userAdd } from './user-add.ts';
import { userAuditor } from './user-auditor.ts';
import { userOffboard } from './user-offboard.ts';
import { userPromote } from './user-promote.ts';
import { userRelease } from './user-release.ts';
import { userReset } from './user-reset.ts';
import { verifyWeb } from './verify-web.ts';

export const COMMANDS: Readonly<Record<string, Command>> = {
  'user add': userAdd,
  'user offboard': userOffboard,
  'user promote': userPromote,
  'user auditor': userAuditor,
  'user release': userRelease,
  'user reset': userReset,
  invite: inviteSomebody,
  'token list': tokenList,
  'token revoke': tokenRevoke,
  'settings list': settingsList,
  'settings set': settingsSet,
  checkup,
  'audit verify': auditVerify,
  'backup create': backupCreate,
  'backup list': backupList,
  'backup status': backupStatusCommand,
  'backup verify': backupVerify,
  'backup restore': backupRestore,
  doctor,
  'verify-web': verifyWeb,
  migrate: migrateDatabase,
  seed: seedDatabase,
};
