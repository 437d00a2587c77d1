/** Selection of hours: one Tab stop, arrow keys inside. */
import { type KeyboardEvent, use, useRef, useState } from 'react';
import { ADMIN_BACKUP_TEXTS as TEXTS } from '../texts/admin/backup.ts';
import { ReadOnlyContext } from '@passwordbroker/ui/inputs/read-only';
import styles from './backups.module.css';

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

interface Props {
  readonly hours: readonly number[];
  readonly onChange: (hours: readonly number[]) => void;
  /** Id of the describing element. */
  readonly describedBy: string;
}

export function HourPicker({ hours, onChange, describedBy }: Props) {
  const isReadOnly = use(ReadOnlyContext);
  const grid = useRef<HTMLDivElement>(null);
  const [reached, setReached] = useState<number | null>(null);
  const stop = reached ?? hours[0] ?? 0;
  const move = (event: KeyboardEvent, hour: number) => {
    if (grid.current === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const perRow = getComputedStyle(grid.current).gridTemplateColumns.split(' ').length;
    const next = hourAfterKey(hour, event.key, perRow);
    if (next === null) return;
    event.preventDefault();
    grid.current.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div ref={grid} className={styles['hours']} role="group" aria-label={TEXTS.hours} aria-describedby={describedBy}>
      {HOURS.map((hour) => (
        <button
          key={hour}
          type="button"
          role="checkbox"
          aria-checked={hours.includes(hour)}
          className={styles['hour']}
          tabIndex={hour === stop ? 0 : -1}
          onFocus={() => setReached(hour)}
          onKeyDown={(event) => move(event, hour)}
          aria-disabled={isReadOnly || undefined}
          onClick={() => {
            if (!isReadOnly) onChange(toggledHour(hours, hour));
          }}
        >
          {TEXTS.hour(hour)}
        </button>
      ))}
    </div>
  );
}

const HOURS_A_DAY = 24;

/** Returns null for a key that does not move. */
export function hourAfterKey(hour: number, key: string, perRow: number): number | null {
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: hour + 1,
    ArrowLeft: hour - 1,
    ArrowDown: hour + perRow,
    ArrowUp: hour - perRow,
    Home: 0,
    End: HOURS_A_DAY - 1,
  };
  const next = steps[key];
  return next === undefined || next < 0 || next >= HOURS_A_DAY ? null : next;
}

/** Adds or removes the hour; the result is ascending. */
export function toggledHour(hours: readonly number[], hour: number): readonly number[] {
  return hours.includes(hour) ? hours.filter((one) => one !== hour) : [...hours, hour].sort((a, b) => a - b);
}
