/** `message` is shown to the person (docs/spec/api.md §3.10). */
export class KeepassError extends Error {
  readonly code: 'not_keepass' | 'unreadable' | 'empty';

  private constructor(code: KeepassError['code'], sentence: string) {
    super(sentence);
    this.name = 'KeepassError';
    this.code = code;
  }

  static notKeepass(): KeepassError {
    return new KeepassError('not_keepass', 'The file is not a KeePass XML 2.x file.');
  }

  static empty(): KeepassError {
    return new KeepassError('empty', 'The file could not be read: it is empty.');
  }

  /** @param reason 'it is cut off' */
  static unreadable(reason: string): KeepassError {
    return new KeepassError('unreadable', `The file could not be read: ${reason}.`);
  }
}
