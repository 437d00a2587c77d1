import { backupStatus } from '../../backups/backup-status.ts';
import { besideTheServer } from '../beside.ts';
import { EXIT } from '../command.ts';
import type { Command } from '../command.ts';

export const backupStatusCommand: Command = {
  summary: 'Prints when the last backup and its last copy were made.',
  details: [
    'Exit code 1 when backups are enabled and none has succeeded for a day, or when a backup',
    'has waited for a day to be copied to BACKUP_COPY.',
  ],
  args: [],
  options: {},
  run: (call) =>
    besideTheServer(call, async (deps) => {
      const { enabled, archive_password_set, last_backup_at, overdue, second_target } = await backupStatus(deps);
      call.terminal.say(`schedule\t${enabled ? 'enabled' : 'off'}`);
      call.terminal.say(`archive password\t${archive_password_set ? 'set' : 'none'}`);
      call.terminal.say(`last backup\t${last_backup_at ?? 'never'}`);
      call.terminal.say(`second target\t${second_target?.target ?? 'none'}`);
      if (second_target !== null) call.terminal.say(`last copy\t${second_target.last_copy_at ?? 'never'}`);
      if (overdue) call.terminal.tell('No backup has succeeded for a day.');
      if (second_target?.overdue === true)
        call.terminal.tell('No backup has been copied to the second target for a day.');
      if ((second_target?.error_message ?? null) !== null) call.terminal.tell(`Copy: ${second_target?.error_message}`);
      return overdue || second_target?.overdue === true ? EXIT.failed : EXIT.done;
    }),
};
