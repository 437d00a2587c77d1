import { OFFLINE_COPY_TEXTS } from '../texts/offline-copy.ts';

/** The copy is unusable: missing, damaged, of somebody else, or outdated. */
export class OfflineCopyError extends Error {
  override readonly name = 'OfflineCopyError';
  constructor(reason: string) {
    super(OFFLINE_COPY_TEXTS.unusable(reason));
  }
}

/** The copy must not be opened at this time; the message says what to do. */
export class ClosedCopyError extends OfflineCopyError {}
