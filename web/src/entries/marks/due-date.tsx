import { CalendarClock } from 'lucide-react';
import type { Entry } from '@passwordbroker/core/contract/entities';
import { dueStateOf } from '@passwordbroker/core/domain/entry-marks';
import { MARK_TEXTS as TEXTS } from '../../texts/entries/marks.ts';
import styles from './marks.module.css';

type Due = Pick<Entry, 'due_at' | 'due_kind'>;

const stateOf = (day: string) => dueStateOf(day, Date.now());

/** '2027.01.31', as other dates; null without a due date. */
export const dueText = ({ due_at }: Due): string | null => {
  if (due_at === null) return null;
  const day = due_at.replaceAll('-', '.');
  return stateOf(due_at) === 'late' ? TEXTS.lateShort(day) : TEXTS.dueShort(day);
};

interface Props {
  readonly entry: Due;
  /** Names what is due, too; else its tooltip does. */
  readonly isLong?: boolean;
}

export function DueDate({ entry, isLong = false }: Props) {
  const { due_at, due_kind } = entry;
  const text = dueText(entry);
  if (due_at === null || text === null) return null;
  const kind = TEXTS.dueKinds[due_kind ?? 'review'];
  return (
    <span className={styles['dueDate']} data-state={stateOf(due_at)} title={isLong ? undefined : kind}>
      <CalendarClock size={14} aria-hidden="true" />
      {isLong ? `${text} · ${kind}` : text}
    </span>
  );
}
