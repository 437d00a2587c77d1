import { ExchangeError, EXCHANGE_LIMITS } from '../exchange/exchange-error.ts';
import { LIMITS } from '../limits.ts';

/** `message` is shown to the person (docs/spec/api.md §3.10). */
export class KeepassError extends ExchangeError {
  override readonly name = 'KeepassError';

  static notKeepass(): KeepassError {
    return new KeepassError('not_keepass', 'The file is not a KeePass XML 2.x file.');
  }

  static empty(): KeepassError {
    return new KeepassError('empty', 'The file could not be read: it is empty.');
  }

  /** @param reason 'it is cut off' */
  static override unreadable(reason: string): KeepassError {
    return new KeepassError('unreadable', `The file could not be read: ${reason}.`);
  }
}

const MIB = 1024 * 1024;

/** Makes a hostile file cheap (docs/spec/threats.md §3.1.27). */
export const KEEPASS_LIMITS = {
  bytes: LIMITS.importBytes,
  /** KeePass groups cost one level each. */
  depth: 64,
  /** An entry of KeePassXC has about 35 elements. */
  elements: 2_000_000,
  /** `&#65;` and the like: each is slow to parse. */
  characterReferences: 500_000,
  /** KeePass writes two at most. */
  attributes: 64,
  entries: 20_000,
  groups: EXCHANGE_LIMITS.groups,
  text: LIMITS.valueBytes,
  /** Unpacked bytes of one; of all together, counting each use. */
  attachment: LIMITS.fileBytes,
  attachments: EXCHANGE_LIMITS.files,
  bodies: EXCHANGE_LIMITS.fileCount,
  /** Unpacked to packed bytes, above one MiB: small repetitive files are not zip bombs. */
  ratio: 100,
  ratioFrom: MIB,
  history: EXCHANGE_LIMITS.versions,
  fields: EXCHANGE_LIMITS.fields,
} as const;
