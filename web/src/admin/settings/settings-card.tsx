import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { formatTime } from '../../lib/format.ts';
import { useMayChange } from '../../session/use-session.ts';
import { ADMIN_TEXTS } from '../../texts/admin/admin.ts';
import { ADMIN_SETTINGS_TEXTS as TEXTS } from '../../texts/admin/settings.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { ReadOnlyContext } from '@passwordbroker/ui/inputs/field-frame';
import admin from '../admin.module.css';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { tellDone } from '../../activity-log/activity-log.ts';
import { refusedLines } from '../user-form/create-user.ts';
import { freshSignIn } from '../../page/vault.ts';

interface Props {
  readonly title: string;
  /** Absent: unknown. */
  readonly updatedAt?: string;
  readonly form: {
    readonly lines: readonly string[];
    readonly isBusy: boolean;
    readonly isChanged: boolean;
    readonly submit: () => Promise<void>;
  };
  /** Beside the title. */
  readonly mark?: ReactNode;
  /** Beside the button that saves. */
  readonly verbs?: ReactNode;
  readonly children: ReactNode;
}

export function SettingsCard({ title, updatedAt, form, mark, verbs, children }: Props) {
  const id = useId();
  const mayChange = useMayChange();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void form.submit();
  };
  return (
    <form className={admin['card']} onSubmit={submit} noValidate aria-labelledby={id}>
      <div className={admin['actions']}>
        <h2 id={id}>{title}</h2>
        {mark}
      </div>
      <ReadOnlyContext value={!mayChange}>{children}</ReadOnlyContext>
      {form.lines.length > 0 && <MessageBox tone="danger" lines={form.lines} />}
      {(mayChange || updatedAt !== undefined) && (
        <div className={admin['actions']}>
          {mayChange && (
            <Button
              variant="primary"
              type="submit"
              isDisabled={!form.isChanged}
              busy={form.isBusy}
              busyLabel={ADMIN_TEXTS.saving}
            >
              {ADMIN_TEXTS.save}
            </Button>
          )}
          {verbs}
          {updatedAt !== undefined && <span className={admin['hint']}>{TEXTS.changedAt(formatTime(updatedAt))}</span>}
        </div>
      )}
    </form>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly value: number;
  /** 0: it has a meaning and is shown. */
  readonly least?: 0 | 1;
  readonly onChange: (value: number) => void;
}

/** An empty input is sent as 0; the server returns an error if 0 is not allowed. */
export function NumberField({ label, hint, value, least = 1, onChange }: NumberFieldProps) {
  return (
    <TextField
      label={label}
      hint={hint}
      type="number"
      inputMode="numeric"
      min={least}
      step={1}
      value={value < least ? '' : String(value)}
      onChange={(text) => onChange(Number(text))}
    />
  );
}

export function changesOf<T extends object>(present: T, draft: Partial<T>): Partial<T> {
  const changed = Object.entries(draft).filter(([name, value]) => value !== present[name as keyof T]);
  return Object.fromEntries(changed) as Partial<T>;
}

/** Saves only changed members. @param save returns the current settings */
export function useSettingsForm<T extends object>(
  read: T,
  save: (changes: Partial<T>) => Promise<T>,
  onSaved: (settings: T) => void,
) {
  const [draft, setDraft] = useState<Partial<T>>({});
  const [lines, setLines] = useState<readonly string[]>([]);
  const [isBusy, setBusy] = useState(false);
  const changes = changesOf(read, draft);
  const isChanged = Object.keys(changes).length > 0;

  async function submit(): Promise<void> {
    if (isBusy || !isChanged) return;
    setBusy(true);
    setLines([]);
    try {
      const settings = await freshSignIn.tryRun(() => save(changes));
      if (settings !== null) {
        setDraft({});
        onSaved(settings);
        tellDone(TEXTS.saved);
      }
    } catch (failure) {
      setLines(refusedLines(failure));
    }
    setBusy(false);
  }
  return {
    values: { ...read, ...draft },
    set: (change: Partial<T>) => setDraft({ ...draft, ...change }),
    lines,
    isBusy,
    isChanged,
    submit,
  };
}
