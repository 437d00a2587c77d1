/** How large a file may be on this site: at most what the program admits, less where the site admin says so. */
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Deps } from '../http/context.ts';
import { readSiteLimits } from '../platform/site-settings-repository.ts';

/** @throws AppError `payload_too_large` with the limit in bytes */
export async function refuseLargeFile(
  deps: Pick<Deps, 'db'>,
  { file_size = 0 }: { readonly file_size?: number | undefined },
): Promise<void> {
  const limit = (await readSiteLimits(deps)).file_mib * 1024 * 1024;
  if (file_size > limit) throw new AppError('payload_too_large', { details: { limit } });
}
