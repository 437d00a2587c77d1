/** Bounds of a KeePass file, so that a hostile one costs little (threats §3.1.27). */
const MIB = 1024 * 1024;

export const KEEPASS_LIMITS = {
  /** XML nesting. KeePass groups cost one level each. */
  depth: 64,
  /**
   * The threats page says 200 000, but an entry that KeePassXC writes has about 35 elements, so that 10 000 entries need 350 000. What the number
   * bounds (time and memory) is held by the other limits too.
   */
  elements: 2_000_000,
  entries: 20_000,
  groups: 20_000,
  /** Bytes of one text. */
  text: MIB,
  /** Unpacked bytes of one attachment, and of all together. */
  attachment: 25 * MIB,
  attachments: 100 * MIB,
  /** Unpacked to packed bytes of one attachment. */
  ratio: 100,
  /** Versions of one entry in its history. */
  history: 1000,
} as const;
