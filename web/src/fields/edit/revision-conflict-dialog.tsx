import { useState } from 'react';
import { Eye, EyeOff } from 'lucide-react';
import { formatTime } from '../../lib/format.ts';
import { CONFLICT_TEXTS as TEXTS, EDIT_FIELD_TEXTS } from '../../texts/entries/fields.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { Dialog } from '@passwordbroker/ui/overlays/dialog';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { ScrolledText } from '@passwordbroker/ui/display/scrolled-text';
import { bothVersions } from './both-versions.ts';
import type { Draft } from './new-field.ts';
import type { Present } from './open-present.ts';
import styles from './revision-conflict.module.css';
import { Mask, SecretText } from '../value/secret-text.tsx';

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
