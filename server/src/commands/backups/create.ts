import { setTimeout as pause } from 'node:timers/promises';
import { countsText } from '@passwordbroker/core/contract/site/backup-counts';
import { backupOf, requestBackup } from '../../backups/backups.ts';
import { copyDue } from '../../backups/copies/copy-due.ts';
import { makeAsked } from '../../backups/run/make-backup.ts';
import type { Deps } from '../../http/context.ts';
import { createLog } from '../../platform/log.ts';
import { COMMAND_LINE, besideTheServer } from '../beside.ts';
import { CommandError, EXIT } from '../command.ts';
import type { Command } from '../command.ts';

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
