/** docs/spec/product.md §2, §5 */
import type { BackupSettings } from '@passwordbroker/core/contract/site/backups';
import { CircleCheck } from 'lucide-react';
import { type FormEvent, useId, type KeyboardEvent, use, useRef, useState } from 'react';
import admin from '../admin/admin.module.css';
import { useMayChange } from '../session/use-session.ts';
import { ADMIN_TEXTS } from '../texts/admin/admin.ts';
import { ADMIN_BACKUP_TEXTS as TEXTS } from '../texts/admin/backup.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { Checkbox } from '@passwordbroker/ui/inputs/checkbox';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { PasswordField, TextField } from '@passwordbroker/ui/inputs/text-field';
import { ReadOnlyContext } from '@passwordbroker/ui/inputs/field-frame';
import { Switch } from '@passwordbroker/ui/inputs/switch';
import styles from './backups.module.css';
import { isReadable, useScheduleForm } from './use-schedule-form.ts';

interface Props {
  readonly settings: BackupSettings;
  readonly onSaved: (settings: BackupSettings) => void;
}

export function ScheduleForm({ settings, onSaved }: Props) {
  const title = useId();
  const zone = useId();
  const mayChange = useMayChange();
  const { draft, save, set, submit } = useScheduleForm(settings, onSaved);
  const isSet = settings.archive_password_set;
  const begin = (event: FormEvent) => {
    event.preventDefault();
    void submit();
  };
  return (
    <form className={styles['card']} onSubmit={begin} noValidate autoComplete="off" aria-labelledby={title}>
      <ReadOnlyContext value={!mayChange}>
        <div className={styles['head']}>
          <h2 id={title}>{TEXTS.schedule}</h2>
          <Switch label={TEXTS.enabled} isOn={draft.enable} onChange={(enable) => set({ enable })} />
        </div>
        <div className={styles['picker']}>
          <HourPicker hours={draft.schedule} onChange={(schedule) => set({ schedule })} describedBy={zone} />
          <p id={zone} className={admin['hint']}>
            {TEXTS.zone(settings.timezone)}
          </p>
        </div>
        <div className={admin['two']}>
          <div className={styles['password']}>
            <PasswordField
              label={TEXTS.archivePassword}
              isOptional
              hint={isSet && !draft.isPasswordRemoved ? TEXTS.archivePasswordSet : TEXTS.archivePasswordHint}
              value={draft.archivePassword}
              onChange={(archivePassword) => set({ archivePassword })}
            />
            {isSet && draft.archivePassword === '' && (
              <Checkbox
                isSelected={draft.isPasswordRemoved}
                onChange={(isPasswordRemoved) => set({ isPasswordRemoved })}
              >
                {TEXTS.removePassword}
              </Checkbox>
            )}
          </div>
          <div className={styles['email']}>
            <div className={styles['beside']}>
              <Switch
                label={TEXTS.sendByEmail}
                isOn={draft.email_enable}
                onChange={(email_enable) => set({ email_enable })}
              />
            </div>
            <TextField
              label={TEXTS.email}
              isOptional={!draft.email_enable}
              type="email"
              hint={settings.email_possible ? TEXTS.emailHint : TEXTS.emailImpossible}
              value={draft.email}
              onChange={(email) => set({ email })}
              autoComplete="off"
            />
          </div>
          <TextField
            label={TEXTS.keep}
            hint={TEXTS.keepHint}
            type="number"
            inputMode="numeric"
            min={1}
            step={1}
            value={draft.keep === 0 ? '' : String(draft.keep)}
            onChange={(text) => set({ keep: Number(text) })}
          />
          <TextField
            label={TEXTS.keepDays}
            isOptional
            hint={TEXTS.keepDaysHint}
            type="number"
            inputMode="numeric"
            min={0}
            step={1}
            value={draft.keep_days === 0 ? '' : String(draft.keep_days)}
            onChange={(text) => set({ keep_days: Number(text) })}
          />
        </div>
      </ReadOnlyContext>
      {isReadable(draft, isSet) && (
        <MessageBox tone="warning" title={TEXTS.unencrypted} lines={[TEXTS.unencryptedWhat]} />
      )}
      {save.state === 'refused' && <MessageBox tone="danger" lines={save.lines} />}
      <div className={admin['actions']}>
        {mayChange && (
          <Button variant="primary" type="submit" busy={save.state === 'saving'} busyLabel={ADMIN_TEXTS.saving}>
            {ADMIN_TEXTS.save}
          </Button>
        )}
        <span role="status" className={styles['saved']}>
          {save.state === 'saved' && (
            <>
              <CircleCheck size={16} aria-hidden="true" />
              {TEXTS.saved}
            </>
          )}
        </span>
      </div>
    </form>
  );
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

interface HourPickerProps {
  readonly hours: readonly number[];
  readonly onChange: (hours: readonly number[]) => void;
  readonly describedBy: string;
}

/** One Tab stop, arrow keys inside. */
function HourPicker({ hours, onChange, describedBy }: HourPickerProps) {
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

/** Null for a key that does not move. */
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

/** The result is ascending. */
export function toggledHour(hours: readonly number[], hour: number): readonly number[] {
  return hours.includes(hour) ? hours.filter((one) => one !== hour) : [...hours, hour].sort((a, b) => a - b);
}
