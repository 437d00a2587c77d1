import { OFFLINE_COPY_TEXTS } from '../texts/offline-copy.ts';

/** A local copy that cannot be used: damaged, of somebody else, older than one that this device has seen, or not there. */
export class OfflineCopyError extends Error {
  override readonly name = 'OfflineCopyError';
  constructor(reason: string) {
    super(OFFLINE_COPY_TEXTS.unusable(reason));
  }
}

/** Of a time at which it is not to be opened: its message says what to do. */
export class ClosedCopyError extends OfflineCopyError {}
