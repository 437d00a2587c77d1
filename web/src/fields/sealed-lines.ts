/** What was sealed, line by line, where the list disagrees. */
import { formatFileSize } from '@passwordbroker/core/domain/file-size';
import { FIELD_TEXTS as TEXTS } from '../texts/fields.ts';
import type { Disagreement, Revealed } from '../vault/vault.ts';

const LINES: Readonly<Record<Disagreement, (revealed: Revealed) => string>> = {
  title: ({ title }) => `${TEXTS.sealedTitle}: ${title}`,
  login: ({ login }) => `${TEXTS.sealedLogin}: ${login ?? ''}`,
  totp: ({ totp }) =>
    totp === null ? '' : `${TEXTS.sealedTotp}: ${TEXTS.algorithms[totp.algorithm]}, ${TEXTS.secondsLeft(totp.period)}`,
  file: ({ file }) =>
    file === null ? '' : `${TEXTS.sealedFile}: ${file.name}, ${file.mime}, ${formatFileSize(file.size)}`,
};

/** That the list disagrees, and what was sealed. */
export function disagreementLines(revealed: Revealed): readonly string[] {
  const { disagreements } = revealed;
  return [TEXTS.disagrees(disagreements), ...disagreements.map((what) => LINES[what](revealed))];
}
