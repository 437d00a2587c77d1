/** Somebody logged out, and his local copy could not be removed from this device. */
export class CopyLeftError extends Error {
  override readonly name = 'CopyLeftError';
  constructor(options?: ErrorOptions) {
    super('The local copy could not be removed', options);
  }
}
