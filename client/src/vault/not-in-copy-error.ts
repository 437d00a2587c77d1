/** Something that a local copy does not hold: there is nothing to try again before the page is online. */
export class NotInCopyError extends Error {
  override readonly name = 'NotInCopyError';
}
