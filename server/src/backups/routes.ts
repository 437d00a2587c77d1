import * as backups from '@passwordbroker/core/contract/site/backups';
import { on } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { backupStatus } from './backup-status.ts';
import { requestCopy, backupOf, backupPage, downloadBackup, requestBackup } from './backups.ts';
import { verifyBackup } from './restore/verify-backup.ts';
import { backupSettings, changeBackupSettings } from './settings.ts';

export const routes: readonly Route[] = [
  on(backups.settings, ({ deps }) => backupSettings(deps)),
  on(backups.changeSettings, async (context) => {
    await changeBackupSettings(context.deps, context, context.body);
    return backupSettings(context.deps);
  }),
  on(backups.status, ({ deps }) => backupStatus(deps)),
  on(backups.listAll, ({ deps, query }) => backupPage(deps, query)),
  on(backups.create, (context) => requestBackup(context.deps, context)),
  on(backups.get, ({ deps, params }) => backupOf(deps, params.id)),
  on(backups.download, (context) => downloadBackup(context.deps, context, context.params.id)),
  on(backups.verify, (context) => verifyBackup(context.deps, context, context.params.id, context.body.password)),
  on(backups.copy, async (context) => {
    await requestCopy(context.deps, context, context.params.id);
    return backupOf(context.deps, context.params.id);
  }),
];
