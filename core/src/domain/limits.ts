/** docs/spec/api.md §1.6, docs/spec/product.md §9. In characters unless the name says bytes. */
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
  /** Larger ones are only announced. */
  mailedArchiveBytes: 10 * MIB,
  backupsKept: 1000,
  backupDays: 3650,
  name: 255,
  title: 255,
  login: 1024,
  fileName: 1024,
  entryFields: 500,
  tag: 40,
  entryTags: 20,
  rotateDays: 3650,
  /** Kinds of entries that a group can add. */
  groupTemplates: 3,
  templateFields: 20,
  /** All searchable texts of one entry. */
  entryText: 16 * KIB,
  email: 254,
  userName: 100,
  tokenName: 100,
  factorCode: 64,
  ticket: 100,
  /** Bytes of the query string with which an identity provider sends the browser back. */
  ssoQuery: 8 * KIB,
  logoutToken: 16 * KIB,
  ssoLists: 50,
  tokenDays: 365,
  passkeys: 20,
  passkeyWraps: 10,
  passkeyName: 60,
  webauthnText: 48 * KIB,
  webauthnJsonBytes: 64 * KIB,
  sessionIdleMinutes: 24 * 60,
  lockMinutes: 60,
  sessionHours: 30 * 24,
  inviteDays: 30,
  inviteGroups: 20,
  quotaMib: 1024 * 1024 * 1024,
  confirmedGroups: 5000,
  purgedAtOnce: 5000,
  ownGrants: 15_000,
  passwordBytes: 1024,
  masterPasswordBytes: 1024,
  valueBytes: MIB,
  searchQuery: 1024,
  treeDepth: 32,
  bulkEntries: 1000,
  exportGroups: 5000,
  /** Values released at once. */
  exportPage: 500,
  rewraps: 50_000,
  rewrapBytes: 16 * MIB,
  rotationBatch: 500,
  groupsAtOnce: 100,
  namesAtOnce: 100,
  rosterJsonBytes: MIB,
  /** A roster with one wrap for each member. */
  groupKeyBytes: 4 * MIB,
  documentBytes: MIB,
  trustDocumentBytes: 4 * MIB,
  trustJsonBytes: 6 * MIB,
  releasesAtOnce: 100,
  referencesAtOnce: 100,
  matchesOfReference: 10,
  /** Groups named by one mark, and marks. */
  siteGroups: 5000,
  siteMarks: 12,
  siteJsonBytes: MIB,
  releaseLabel: 100,
  historyPage: 500,
  seenByRows: 2000,
  pageDefault: 20,
  pageMax: 100,
  cursor: 100,
  totpPeriodMin: 1,
  totpPeriodMax: 10_000,
} as const;

/** At most so many requests for one import. */
export const IMPORT_PARTS = 8;

interface SearchedTexts {
  readonly title: string;
  readonly login?: string | null | undefined;
  readonly file_name?: string | null | undefined;
}

export interface EntrySize {
  readonly fields: number;
  /** Of all titles, logins and file names. */
  readonly text: number;
}

export const textSize = ({ title, login, file_name }: SearchedTexts): number =>
  title.length + (login?.length ?? 0) + (file_name?.length ?? 0);

export const hasTooManyFields = ({ fields }: Pick<EntrySize, 'fields'>): boolean => fields > LIMITS.entryFields;
export const hasTooMuchText = ({ text }: Pick<EntrySize, 'text'>): boolean => text > LIMITS.entryText;

export const ENTRY_SIZE_TEXTS = {
  fields: `An entry has at most ${LIMITS.entryFields} fields.`,
  text: `The titles, logins and file names of an entry are too long (at most ${LIMITS.entryText.toLocaleString('en')} characters in all).`,
} as const;

/** Of service accounts. Apart, because the sign-in page loads `LIMITS`. */
export const SERVICE_LIMITS = {
  /** Characters. */
  description: 500,
  networks: 20,
  days: 365,
  usualDays: 90,
  overlapHours: 168,
  /** At the same time. */
  credentials: 2,
} as const;
