import { backupPage } from '../../backups/backups.ts';
import { besideTheServer } from '../beside.ts';
import { EXIT } from '../command.ts';
import type { Command } from '../command.ts';

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
