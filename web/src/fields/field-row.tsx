/** One field: title, type, value with its verbs, record verbs. Keys while focus is inside: S show or hide, C copy, L copy login, H history. */
import { useRef, type KeyboardEvent } from 'react';
import { History } from 'lucide-react';
import { FIELD_TEXTS as TEXTS } from '../texts/fields.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { MessageBox } from '../ui/message-box.tsx';
import type { FieldPath } from '../vault/vault.ts';
import { FieldKind } from './field-kind.tsx';
import styles from './field-table.module.css';
import { FieldValue } from './field-value.tsx';
import { sealedLines } from './sealed-lines.ts';
import { useFieldVerbs } from './use-field-verbs.ts';

interface Props {
  readonly path: FieldPath;
  readonly announce: (text: string) => void;
  /** Absent where fields can only be read. */
  readonly onHistory?: ((path: FieldPath) => void) | undefined;
}

export function FieldRow({ path, announce, onHistory }: Props) {
  const row = useRef<HTMLDivElement>(null);
  const { field } = path;
  const verbs = useFieldVerbs(path, announce);
  const { shown } = verbs.secret;
  const keys: Readonly<Record<string, () => void>> = {
    s: field.type === 'file' ? () => void verbs.save() : verbs.toggle,
    c: () => void verbs.copyValue(),
    l: () => void verbs.copyLogin(),
    h: () => onHistory?.(path),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const next =
      event.key === 'ArrowDown' ? 'nextElementSibling' : event.key === 'ArrowUp' ? 'previousElementSibling' : null;
    if (next !== null && event.target === row.current) {
      const neighbour = row.current?.[next];
      if (neighbour instanceof HTMLElement && neighbour.dataset['field'] !== undefined) neighbour.focus();
      event.preventDefault();
      return;
    }
    const verb = keys[event.key.toLowerCase()];
    if (verb === undefined) return;
    event.preventDefault();
    verb();
  };
  return (
    <div
      ref={row}
      className={styles['row']}
      role="row"
      tabIndex={0}
      data-field={field.field_id}
      aria-keyshortcuts={field.type === 'password' ? 'S C L' : 'S C'}
      onKeyDown={onKeyDown}
    >
      <div className={styles['title']} role="cell">
        {field.title === '' ? <span className={styles['untitled']}>{TEXTS.untitled}</span> : field.title}
      </div>
      <div className={styles['kind']} role="cell">
        <FieldKind type={field.type} />
      </div>
      <div className={styles['values']} role="cell">
        <FieldValue field={field} verbs={verbs} />
        {verbs.problem !== null && (
          <div className={styles['message']}>
            <MessageBox tone="danger" lines={[verbs.problem]} />
          </div>
        )}
        {shown !== null && shown.disagreements.length > 0 && (
          <div className={styles['message']}>
            <MessageBox tone="warning" lines={[TEXTS.disagrees(shown.disagreements), ...sealedLines(shown)]} />
          </div>
        )}
      </div>
      {onHistory !== undefined && (
        <div className={styles['actions']} role="cell">
          <IconButton label={TEXTS.history(field.title)} icon={<History size={16} />} onPress={() => onHistory(path)} />
        </div>
      )}
    </div>
  );
}
