/** What a provider sent does not hold. Reasons stand in the log alone, and contain no claim. */
export class SsoFailure extends Error {
  readonly reason: string;
  constructor(reason: string) {
    super(reason);
    this.name = 'SsoFailure';
    this.reason = reason;
  }
}
