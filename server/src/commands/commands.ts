/** All commands by name. */
import { auditVerify } from './audit-verify.ts';
import { backupRestore, backupVerify } from './backups/archive.ts';
import { backupCreate, backupList, backupStatusCommand } from './backups/backup.ts';
import { checkup } from './checkup.ts';
import type { Command } from './command.ts';
import { seedDatabase, migrateDatabase } from './migrate.ts';
import { doctor } from './doctor.ts';
import {
  inviteSomebody,
  userAdd,
  userAuditor,
  userFactors,
  userOffboard,
  userPromote,
  userRelease,
  userReset,
  tokenList,
  tokenRevoke,
} from './people/accounts.ts';
import { localSignInCommand, settingsList, settingsSet } from './settings.ts';
import { verifyWeb } from './verify-web.ts';

export const COMMANDS: Readonly<Record<string, Command>> = {
  'user add': userAdd,
  'user offboard': userOffboard,
  'user promote': userPromote,
  'user auditor': userAuditor,
  'user release': userRelease,
  'user reset': userReset,
  'user factors': userFactors,
  'identity local-sign-in': localSignInCommand,
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
