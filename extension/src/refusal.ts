/** A refusal of the extension itself. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: string;

  constructor(code: string, text: string) {
    super(text);
    this.code = code;
  }
}
