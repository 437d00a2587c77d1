import { AppError } from '@passwordbroker/core/contract/problem';
import type { Deps } from '../http/context.ts';
import { readSiteLimits } from '../platform/site-settings-repository.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';

const MIB = 1024 * 1024;

/** Limit of this site, in bytes. */
export const fileLimitOf = async (deps: Pick<Deps, 'db'>): Promise<number> =>
  (await readSiteLimits(deps)).file_mib * MIB;

interface Sized {
  readonly file_size?: number | undefined;
}

/** @throws AppError `payload_too_large` */
export async function refuseLargeFile(deps: Pick<Deps, 'db'>, { file_size = 0 }: Sized): Promise<void> {
  const limit = await fileLimitOf(deps);
  if (file_size > limit) throw new AppError('payload_too_large', { details: { limit } });
}

/** For imports, where the message must name the attachment. @param limit bytes */
export function refuseLargeAttachment(limit: number, { file_size = 0 }: Sized): void {
  if (file_size <= limit) return;
  const message = SERVER_TEXTS.attachmentTooLarge(limit / MIB);
  throw new AppError('payload_too_large', { message, details: { limit } });
}
