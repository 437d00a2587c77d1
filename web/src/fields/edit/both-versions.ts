import { formatFileSize } from '@passwordbroker/core/domain/fields/file-size';
import { parseTotpSecret } from '@passwordbroker/core/domain/fields/totp';
import { CONFLICT_TEXTS as TEXTS, FIELD_TEXTS } from '../../texts/entries/fields.ts';
import type { Revealed } from '@passwordbroker/client/vault/vault';
import { draftOf } from './field-change.ts';
import type { Draft } from './new-field.ts';

interface VersionRow {
  readonly part: keyof typeof TEXTS.rows;
  readonly theirs: string;
  readonly mine: string;
  readonly differs: boolean;
  readonly isSecret: boolean;
}

type PartOf = readonly [part: VersionRow['part'], textOf: (draft: Draft) => string, isSecret?: boolean];

const TITLE: PartOf = ['title', ({ title }) => title.trim()];
const PARTS: Readonly<Record<Exclude<Draft['type'], 'file'>, readonly PartOf[]>> = {
  password: [TITLE, ['login', ({ login }) => login], ['value', ({ password }) => password, true]],
  link: [TITLE, ['value', ({ link }) => link]],
  note: [TITLE, ['value', ({ note }) => note]],
  TOTP: [
    TITLE,
    [
      'totp',
      ({ algorithm, period }) => `${FIELD_TEXTS.algorithms[algorithm]}, ${FIELD_TEXTS.secondsLeft(Number(period))}`,
    ],
    ['value', ({ secret }) => parseTotpSecret(secret)?.secret ?? secret, true],
  ],
};

/** The parts of the stored and of the typed version of a field, for a conflict dialog. */
export function bothVersions(theirs: Revealed, mine: Draft): readonly VersionRow[] {
  const stored = draftOf(theirs);
  const rowOf = ([part, textOf, isSecret = false]: PartOf): VersionRow => {
    const texts = { theirs: textOf(stored), mine: textOf(mine) };
    return { part, ...texts, differs: texts.theirs !== texts.mine, isSecret };
  };
  if (mine.type !== 'file') return PARTS[mine.type].map(rowOf);
  const nameOf = (file: { readonly name: string; readonly size: number } | null) =>
    file === null ? TEXTS.storedFile : `${file.name}, ${formatFileSize(file.size)}`;
  const file = { theirs: nameOf(theirs.file), mine: nameOf(mine.file) };
  return [rowOf(TITLE), { part: 'file', ...file, differs: mine.file !== null, isSecret: false }];
}
