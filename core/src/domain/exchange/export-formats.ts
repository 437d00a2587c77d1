/** The kinds of files that an export can write. */
export const EXPORT_FORMATS = [
  'pbx',
  'kdbx',
  'bitwarden',
  'bitwarden-plain',
  'csv-manager',
  'csv-table',
  'cxf',
] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Kinds that open with a password; everybody can read the others. */
export const isEncrypted = (format: ExportFormat): boolean => ENCRYPTED.includes(format);
const ENCRYPTED: readonly ExportFormat[] = ['pbx', 'kdbx', 'bitwarden'];

/** The least role that exports a group. */
export const EXPORT_BY = ['nobody', 'admins', 'moderators', 'members'] as const;
export type ExportBy = (typeof EXPORT_BY)[number];
