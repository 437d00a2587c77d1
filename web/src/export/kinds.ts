/** The kinds of files as the dialog offers them. Their code is in the worker. */
import type { Export } from '@passwordbroker/core/contract/entries/exports';
import { EXPORT_FORMATS, type ExportFormat, isEncrypted } from '@passwordbroker/core/domain/exchange/export-formats';
import { EXPORT_TEXTS as TEXTS } from '../texts/entries/export.ts';

interface Kind {
  readonly history: boolean;
  readonly files: boolean;
  readonly totp: boolean;
}

const WHOLE: Kind = { history: true, files: true, totp: true };

export const KINDS: Readonly<Record<ExportFormat, Kind>> = {
  pbx: WHOLE,
  kdbx: WHOLE,
  bitwarden: WHOLE,
  'bitwarden-plain': WHOLE,
  'csv-manager': { history: false, files: false, totp: false },
  'csv-table': { history: false, files: false, totp: true },
  cxf: { history: false, files: true, totp: true },
};

/** Unencrypted kinds only where the site allows them. */
export const offeredKinds = (withPlain: boolean): readonly ExportFormat[] =>
  EXPORT_FORMATS.filter((format) => withPlain || isEncrypted(format));

/** 'CSV has no files (12) and no earlier versions (340).'; null if nothing of this is there. */
export function lossLine(format: ExportFormat, counts: Export['counts']): string | null {
  const { history, files, totp } = KINDS[format];
  const { fields, revisions, types } = counts;
  const missing = [
    files || types.file === 0 ? [] : [TEXTS.noFiles(types.file)],
    history || revisions === fields ? [] : [TEXTS.noHistory(revisions - fields)],
    totp || types.TOTP === 0 ? [] : [TEXTS.noCodes(types.TOTP)],
  ].flat();
  return missing.length === 0 ? null : TEXTS.hasNo(TEXTS.shortKinds[format], missing);
}
