import { useState } from 'react';
import { Eye, EyeOff } from 'lucide-react';
import { formatTime } from '../../lib/format.ts';
import { CONFLICT_TEXTS as TEXTS, EDIT_FIELD_TEXTS, FIELD_TEXTS } from '../../texts/entries/fields.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { Dialog } from '@passwordbroker/ui/overlays/dialog';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { ScrolledText } from '@passwordbroker/ui/display/scrolled-text';
import { type Draft, draftOf } from './new-field.ts';
import type { Present } from './use-edit-field.ts';
import styles from './revision-conflict.module.css';
import { Mask, SecretText } from '../value/secret-text.tsx';
import { formatFileSize } from '@passwordbroker/core/domain/fields/file-size';
import { parseTotpSecret } from '@passwordbroker/core/domain/fields/totp';
import type { Revealed } from '@passwordbroker/client/vault/vault';

interface Props {
  readonly theirs: Present;
  readonly mine: Draft;
  readonly onBack: () => void;
  readonly onKeepTheirs: () => void;
  readonly onSaveMine: () => void;
}

/** Shows both versions after two people changed one field. Nothing is overwritten before a choice. */
export function RevisionConflictDialog({ theirs, mine, onBack, onKeepTheirs, onSaveMine }: Props) {
  const [isShown, setShown] = useState(false);
  const { field } = theirs.path;
  const rows = bothVersions(theirs.revealed, mine);
  const value = (text: string, isSecret: boolean) =>
    isSecret && !isShown ? <Mask label={TEXTS.masked} /> : isSecret ? <SecretText secret={text} /> : text;
  return (
    <Dialog
      title={EDIT_FIELD_TEXTS.title}
      subtitle={theirs.revealed.title}
      size="lg"
      onClose={onBack}
      footer={
        <>
          <Button variant="ghost" onPress={onBack}>
            {TEXTS.back}
          </Button>
          <Button variant="secondary" onPress={onKeepTheirs}>
            {TEXTS.keepTheirs}
          </Button>
          <Button variant="primary" onPress={onSaveMine}>
            {TEXTS.saveMine}
          </Button>
        </>
      }
    >
      <MessageBox tone="warning" lines={[TEXTS.notice, TEXTS.kept]} />
      <table className={styles['versions']} aria-label={TEXTS.table}>
        <thead>
          <tr>
            <th scope="col">{TEXTS.what}</th>
            <th scope="col">{TEXTS.theirs(field.updated_by?.name ?? TEXTS.somebody, formatTime(field.updated_at))}</th>
            <th scope="col">{TEXTS.yours}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.part} data-differs={row.differs || undefined}>
              <th scope="row">
                {TEXTS.rows[row.part]}
                {row.differs && <span className={styles['differs']}>{TEXTS.differs}</span>}
              </th>
              <td>
                <ScrolledText label={TEXTS.longTheirs} className={styles['version']} isSecret={row.isSecret}>
                  {value(row.theirs, row.isSecret)}
                </ScrolledText>
              </td>
              <td>
                <ScrolledText label={TEXTS.longYours} className={styles['version']} isSecret={row.isSecret}>
                  {value(row.mine, row.isSecret)}
                </ScrolledText>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.some(({ isSecret }) => isSecret) && (
        <div>
          <Button
            variant="ghost"
            size="sm"
            icon={isShown ? <EyeOff size={16} /> : <Eye size={16} />}
            onPress={() => setShown(!isShown)}
          >
            {isShown ? TEXTS.hide : TEXTS.show}
          </Button>
        </div>
      )}
    </Dialog>
  );
}

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
