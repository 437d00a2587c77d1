/** A form over loaded settings that saves only the changed members. */
import { useState } from 'react';
import { tellDone } from '../../activity-log/tell.ts';
import { ADMIN_SETTINGS_TEXTS as TEXTS } from '../../texts/admin/settings.ts';
import { refusedLines } from '../user-form/create-user.ts';
import { freshSignIn } from '../../page/vault.ts';

export function changesOf<T extends object>(present: T, draft: Partial<T>): Partial<T> {
  const changed = Object.entries(draft).filter(([name, value]) => value !== present[name as keyof T]);
  return Object.fromEntries(changed) as Partial<T>;
}

/** @param save stores the changes and returns the current settings */
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
