/** What is said about a file as text, to keep or to copy. */
import { formatFileSize } from '@passwordbroker/core/domain/fields/file-size';
import type { ReadFile } from '@passwordbroker/client/vault/vault';
import { IMPORT_TEXTS as TEXTS } from '../texts/entries/import.ts';

type Counts = ReadFile['counts'];

/** '3 groups', '62 entries', …; counts of zero are left out. */
export function countsOf({ groups, entries, fields, versions, files, fileBytes }: Counts): string[] {
  return [
    TEXTS.groups(groups),
    TEXTS.entries(entries),
    TEXTS.values(fields),
    ...(versions === 0 ? [] : [TEXTS.earlier(versions)]),
    ...(files === 0 ? [] : [TEXTS.files(files, formatFileSize(fileBytes))]),
  ];
}

/** Each remark with the places that are known. */
export function remarkLines(skipped: ReadFile['skipped']): string[] {
  return skipped.flatMap(({ kind, reason, count, places = [] }) => [
    TEXTS.leftOutLine(count, kind, reason),
    ...places.map((place) => `  ${place}`),
    ...(places.length > 0 && count > places.length ? [`  ${TEXTS.andMore(count - places.length)}`] : []),
  ]);
}

interface Reported {
  readonly file: string;
  /** 'Bitwarden JSON, 12 kB' */
  readonly source: string;
  readonly read: ReadFile;
  /** 'Added as the new tree “keepass”.' */
  readonly done: string;
}

export function reportText({ file, source, read, done }: Reported): string {
  const remarks = remarkLines(read.skipped);
  return [
    TEXTS.reportTitle(file),
    source,
    new Date().toISOString(),
    '',
    done,
    ...countsOf(read.counts),
    '',
    TEXTS.changes,
    ...(remarks.length === 0 ? [TEXTS.nothingChanges] : remarks),
    '',
  ].join('\n');
}
