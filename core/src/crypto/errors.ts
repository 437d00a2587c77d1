/** docs/spec/crypto.md §22. HTTP bodies never contain these codes. */
export type CryptoErrorCode =
  | 'key_length'
  | 'short'
  | 'version'
  | 'kind'
  | 'commit'
  | 'tag'
  | 'base64'
  | 'kdf'
  | 'password'
  | 'padding'
  | 'payload'
  | 'file_header'
  | 'file_chunk'
  | 'file_empty_final'
  | 'file_mismatch'
  | 'public_key'
  | 'signature'
  | 'certificate'
  | 'grant'
  | 'roster'
  | 'locked'
  | 'rolled_back'
  | 'legacy';

export class CryptoError extends Error {
  readonly code: CryptoErrorCode;
  /** Of the chunk, for `file_chunk`. */
  readonly index: number | undefined;

  constructor(code: CryptoErrorCode, index?: number) {
    super(index === undefined ? code : `${code} ${index}`);
    this.name = 'CryptoError';
    this.code = code;
    this.index = index;
  }
}
