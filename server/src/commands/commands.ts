/** All commands by name. */
import { auditVerify } from './audit-verify.ts';
import { backupRestore, backupVerify } from './backups/archive.ts';
import { backupCreate } from './backups/create.ts';
import { backupList } from './backups/list.ts';
import { backupStatusCommand } from './backups/status.ts';
import { checkup } from './checkup.ts';
import type { Command } from './command.ts';
import { seedDatabase } from './database.ts';
import { doctor } from './doctor.ts';
import { inviteSomebody } from './people/invite.ts';
import { migrateDatabase } from './migrate.ts';
import { settingsList, settingsSet } from './settings.ts';
import { tokenList, tokenRevoke } from './tokens.ts';
import { userAdd } from './people/user-add.ts';
import { userAuditor } from './people/user-auditor.ts';
import { userOffboard } from './people/user-offboard.ts';
import { userPromote } from './people/user-promote.ts';
import { userRelease } from './people/user-release.ts';
import { userReset } from './people/user-reset.ts';
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
