/** Commands for an archive file from any source. */
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { countsText } from '@passwordbroker/core/contract/site/backup-counts';
import { ArchiveError } from '../../backups/archive/archive-problem.ts';
import { proveArchive } from '../../backups/restore/prove-archive.ts';
import { isEncrypted } from '../../backups/archive/read-archive.ts';
import { workFolder } from '../../backups/work-folder.ts';
import { prepareDataFolder } from '../../db/data-folder.ts';
import { openDeps } from '../../app/deps.ts';
import { createLog } from '../../platform/log.ts';
import { randomText } from '../../platform/ids-and-digests.ts';
import { recoverFrom } from '../../recovery/recover.ts';
import { COMMAND_LINE, CommandError, EXIT, passwordOption, type Call, type Command } from '../command.ts';

export const backupVerify: Command = {
  summary: 'Restores an archive into a scratch database, checks and counts it, and removes that again.',
  details: [
    'Needs no database of its own and touches none. The scratch database is made below',
    'DATA_DIR. The archive password is asked for when the archive is encrypted.',
  ],
  args: ['file'],
  options: { ...passwordOption },
  async run(call) {
    const { path, password } = await archiveOf(call);
    const { dataDir } = call.config;
    const workDir = workFolder(dataDir, `verify-${randomText(9)}`);
    prepareDataFolder(call.config);
    await mkdir(workDir, { recursive: true, mode: 0o700 });
    try {
      const opener = password === null ? null : { password };
      const { size, sha256, counts } = await inWords(proveArchive(path, opener, { workDir, now: Date.now() }, {}));
      call.terminal.say(`The archive is whole: ${countsText(counts)}, ${size} bytes.`);
      call.terminal.tell(`SHA-256: ${sha256}`);
      return EXIT.done;
    } finally {
      await rm(workDir, { recursive: true, force: true });
    }
  },
};

export const backupRestore: Command = {
  summary: 'Recovers an installation without accounts from an archive, whole or not at all.',
  details: [
    'Stop the server first: it needs the data folder for itself. All sessions, tokens and',
    'invitations of the backup are dead afterwards.',
  ],
  args: ['file'],
  options: { ...passwordOption },
  async run(call) {
    const { path, password } = await archiveOf(call);
    const deps = await openDeps(call.config, createLog('silent'));
    try {
      await inWords(recoverFrom(deps, { path, password, origin: COMMAND_LINE }));
      call.terminal.say('Done. People sign in with the passwords that they had when the backup was made.');
      return EXIT.done;
    } finally {
      deps.mailer?.close();
      await deps.db.close();
    }
  },
};

async function archiveOf(call: Call): Promise<{ readonly path: string; readonly password: string | null }> {
  const path = resolve(call.args[0] ?? '');
  if (!existsSync(path)) throw new CommandError(`There is no file ${path}.`);
  const isSealed = await inWords(isEncrypted(path));
  const password = isSealed ? await call.terminal.knownSecret('Archive password', call.isOn('password-stdin')) : null;
  return { path, password };
}

/** Turns errors of archives into errors of the command, with their location. */
async function inWords<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const seen = error instanceof Error && error.cause instanceof ArchiveError ? error.cause : error;
    throw seen instanceof ArchiveError ? new CommandError(sentenceOf(seen)) : error;
  }
}

const sentenceOf = ({ fault, message, detail }: ArchiveError) =>
  fault === 'damaged' || fault === 'newer' ? `${message} (${detail})` : message;
