import type { Actor, Deps } from '../../http/context.ts';
import { ATTEMPT_LIMITS, countAttempt, uncountAttempt } from '../../platform/passwords/attempts.ts';
import { ageHeadLength, identityIn, type Opener } from './age.ts';
import { ArchiveError, damaged } from './archive-problem.ts';
import { readStart } from './read-archive.ts';

/**
 * Derives one key at a time (256 MiB, about a second). @throws ArchiveError; AppError `too_many_requests`,
 * `unavailable`
 */
export async function unlockArchive(
  deps: Pick<Deps, 'db' | 'clock' | 'archiveKeys'>,
  { userId }: Pick<Actor, 'userId'>,
  { path, password }: { readonly path: string; readonly password: string },
): Promise<Opener> {
  const key = `archivePassword:${userId}`;
  await countAttempt(deps, key, ATTEMPT_LIMITS.archivePassword);
  let isWrong = false;
  try {
    return await deps.archiveKeys.run(async () => {
      const start = await readStart(path);
      const length = ageHeadLength(start);
      if (length > start.length) throw damaged('age head');
      return { identity: await identityIn(start.subarray(0, length), password) };
    });
  } catch (error) {
    isWrong = error instanceof ArchiveError && error.fault === 'password';
    throw error;
  } finally {
    if (!isWrong) await uncountAttempt(deps, key);
  }
}
