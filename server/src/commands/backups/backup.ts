import { setTimeout as pause } from 'node:timers/promises';
import { countsText } from '@passwordbroker/core/contract/site/backup-counts';
import { backupOf, requestBackup, backupPage } from '../../backups/backups.ts';
import { copyDue } from '../../backups/copies/copy-due.ts';
import { makeAsked } from '../../backups/run/make-backup.ts';
import type { Deps } from '../../http/context.ts';
import { createLog } from '../../platform/log.ts';
import { COMMAND_LINE, besideTheServer, CommandError, EXIT, type Command } from '../command.ts';
import { backupStatus } from '../../backups/backup-status.ts';

const LOOK_EVERY = 500;

export const backupCreate: Command = {
  summary: 'Makes a backup into BACKUP_DIR and proves it by a restore.',
  details: [
    'Encrypted when an archive password is set; the password is not needed. Whoever is free',
    'makes it: this command, or the server beside it. What goes wrong is logged on stderr.',
    'The copy to BACKUP_COPY follows; if it fails, the server retries it.',
  ],
  args: [],
  options: {},
  run(call) {
    const log = createLog('warn', { write: (line) => call.terminal.tell(line.trimEnd()) });
    const make = async (deps: Deps) => {
      const { backup_id: id } = await requestBackup(deps, { actor: null, origin: COMMAND_LINE });
      for (;;) {
        await makeAsked(deps, id);
        const { state, file_name, size, counts, error_message } = await backupOf(deps, id);
        if (state === 'error') throw new CommandError(error_message ?? 'The backup could not be made.');
        if (state === 'created') {
          call.terminal.say(`${file_name}  ${size} bytes`);
          if (counts !== null) call.terminal.tell(`Restored on trial: ${countsText(counts)}.`);
          await copyDue(deps);
          const { copy } = await backupOf(deps, id);
          if (copy !== null) call.terminal.tell(`Second target: ${copy.error_message ?? copy.state}`);
          return EXIT.done;
        }
        await pause(LOOK_EVERY);
      }
    };
    return besideTheServer(call, make, log);
  },
};

const MOST = 100;

export const backupList: Command = {
  summary: 'Lists the newest hundred backups with their state.',
  details: [],
  args: [],
  options: {},
  run: (call) =>
    besideTheServer(call, async (deps) => {
      const { data } = await backupPage(deps, { page: 1, perPage: MOST });
      if (data.length === 0) call.terminal.tell('No backup data available.');
      for (const { state, file_name, size, created_at, verified_at, error_message, copy } of data) {
        const proven = state === 'created' && verified_at !== null ? 'verified' : '';
        const copied = copy === null ? '' : `copy ${copy.state}`;
        const bytes = size === null ? '' : `${size} bytes`;
        const words = [state, created_at, file_name, bytes, proven, copied, error_message ?? copy?.error_message ?? ''];
        call.terminal.say(words.filter((word) => word !== '').join('  '));
      }
      return EXIT.done;
    }),
};

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
