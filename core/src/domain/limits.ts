/**
 * Limits of the product (docs/spec/api.md §1.6, docs/spec/product.md §9). Lengths in characters unless the
 * name says bytes.
 */
const KIB = 1024;
const MIB = 1024 * KIB;

export const LIMITS = {
  bodyBytes: 256 * KIB,
  fieldJsonBytes: 2 * MIB,
  fileBytes: 25 * MIB,
  multipartSlackBytes: MIB,
  keyBundleBytes: 16 * MIB,
  importBytes: 64 * MIB,
  recoveryBytes: 2048 * MIB,
  /** Larger archives are only announced by mail. */
  mailedArchiveBytes: 10 * MIB,
  backupsKept: 1000,
  backupDays: 3650,
  name: 255,
  title: 255,
  login: 1024,
  fileName: 1024,
  entryFields: 500,
  /** All searchable texts of one entry. */
  entryText: 16 * KIB,
  email: 254,
  userName: 100,
  tokenName: 100,
  tokenDays: 365,
  sessionIdleMinutes: 24 * 60,
  lockMinutes: 60,
  sessionHours: 30 * 24,
  inviteDays: 30,
  /** A pebibyte. */
  quotaMib: 1024 * 1024 * 1024,
  confirmedGroups: 5000,
  /** Deletions. */
  purgedAtOnce: 5000,
  ownGrants: 15_000,
  passwordBytes: 1024,
  masterPasswordBytes: 1024,
  valueBytes: MIB,
  searchQuery: 1024,
  treeDepth: 32,
  bulkEntries: 1000,
  rewraps: 50_000,
  rewrapBytes: 16 * MIB,
  rotationBatch: 500,
  groupsAtOnce: 100,
  /** A roster has at most 256 KiB, before base64. */
  rosterJsonBytes: MIB,
  /** A roster with one wrap for each member. */
  groupKeyBytes: 4 * MIB,
  documentBytes: MIB,
  trustDocumentBytes: 4 * MIB,
  trustJsonBytes: 6 * MIB,
  historyPage: 500,
  pageDefault: 20,
  pageMax: 100,
  cursor: 100,
  totpPeriodMin: 1,
  totpPeriodMax: 10_000,
} as const;
