import { SESSION_TEXTS } from '../texts/session.ts';

/** Somebody logged out, and his local copy could not be removed from this device. */
export class CopyLeftError extends Error {
  override readonly name = 'CopyLeftError';
  constructor(options?: ErrorOptions) {
    super(SESSION_TEXTS.copyLeft, options);
  }
}
