import { formatFileSize } from '@passwordbroker/core/domain/fields/file-size';
import { FIELD_TEXTS as TEXTS } from '../../texts/entries/fields.ts';
import type { Disagreement, Revealed } from '@passwordbroker/client/vault/vault';

type OfList = Exclude<Disagreement, 'older'>;

const LINES: Readonly<Record<OfList, (revealed: Revealed) => string>> = {
  title: ({ title }) => `${TEXTS.sealedTitle}: ${title}`,
  login: ({ login }) => `${TEXTS.sealedLogin}: ${login ?? ''}`,
  totp: ({ totp }) =>
    totp === null ? '' : `${TEXTS.sealedTotp}: ${TEXTS.algorithms[totp.algorithm]}, ${TEXTS.secondsLeft(totp.period)}`,
  file: ({ file }) =>
    file === null ? '' : `${TEXTS.sealedFile}: ${file.name}, ${file.mime}, ${formatFileSize(file.size)}`,
};

/** Says that the value is old, or that the list differs from what was sealed. */
export function disagreementLines(revealed: Revealed): readonly string[] {
  const { disagreements } = revealed;
  const ofList = disagreements.filter((what): what is OfList => what !== 'older');
  const older = disagreements.includes('older') ? [TEXTS.older] : [];
  if (ofList.length === 0) return older;
  return [...older, TEXTS.disagrees(ofList), ...ofList.map((what) => LINES[what](revealed))];
}
