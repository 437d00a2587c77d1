import { SESSION_TEXTS } from '../texts/session.ts';

/** Logged out, but the local copy could not be deleted. */
export class CopyLeftError extends Error {
  override readonly name = 'CopyLeftError';
  constructor(options?: ErrorOptions) {
    super(SESSION_TEXTS.copyLeft, options);
  }
}
