import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { toast } from '@passwordbroker/ui/feedback/toast';
import { activityLog } from '../activity-log/activity-log.ts';
import { useMasterPassword } from '../master-password/use-master-password.ts';
import { drafts } from '../page/vault.ts';
import { DRAFT_TEXTS as TEXTS } from '../texts/entries/fields.ts';

interface Form {
  /** What to keep; null: it cannot be kept now. */
  readonly form: object | null;
  /** False: there is nothing to lose. */
  readonly isChanged: boolean;
  /** A chosen file is not kept. */
  readonly hasFile: boolean;
  /** Closes the form at a lock, not after a wrong master password. Null: it stays open. */
  readonly onLocked: (() => void) | null;
}

/** Keeps what is typed in an open form over a lock; `useReturnedDraft` opens it again. */
export function useDraftOverLock(place: string, { form, isChanged, hasFile, onLocked }: Form): void {
  const masterPassword = useMasterPassword();
  const isOpen = useSyncExternalStore(masterPassword.subscribe, masterPassword.isRemembered);
  const json = form === null || !isChanged ? null : JSON.stringify(form);
  // A draft from before this form was opened stays until this one has something to keep.
  const isOwn = useRef(false);
  useEffect(() => {
    if (!isOpen) return;
    if (json !== null) void drafts.keep(place, json);
    else if (isOwn.current) drafts.drop(place);
    isOwn.current = json !== null;
  }, [place, json, isOpen]);
  // A form that closes in an open vault was saved or given up.
  useEffect(
    () => () => {
      if (isOwn.current && masterPassword.isRemembered()) drafts.drop(place);
    },
    [place, masterPassword],
  );

  const locked = useRef(() => undefined as void);
  useEffect(() => {
    locked.current = () => {
      if (onLocked === null) return;
      // React references the focused input, and so its text, until the focus moves.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      onLocked();
      if (!isChanged) return;
      if (!isOwn.current || !drafts.has(place)) tell(TEXTS.lost);
      else tell(hasFile ? TEXTS.keptWithoutFile : TEXTS.kept);
    };
  });
  useEffect(() => {
    let wasOpen = masterPassword.isRemembered();
    return masterPassword.subscribe(() => {
      const isNow = masterPassword.isRemembered();
      const isLocked = wasOpen && !isNow;
      wasOpen = isNow;
      if (isLocked) locked.current();
    });
  }, [masterPassword]);
}

/** The log still shows it to a person who was away. */
function tell(text: string): void {
  activityLog.add(text);
  toast(text);
}

/** What the form at `place` had before the lock, read when it opens; null: nothing. */
export function useKept<Kept extends object>(place: string): Kept | null {
  const [kept] = useState(() => {
    const text = drafts.opened(place);
    return text === null ? null : (JSON.parse(text) as Kept);
  });
  useEffect(() => drafts.forget(place), [place]);
  return kept;
}

/**
 * Calls `onReturn` with what was kept for a place, once the vault is open; it opens the form, which reads it
 * with `useKept`. Do not store it: React keeps former state of components after a lock.
 * @param isReady false delays it
 */
export function useReturnedDraft<Kept extends object>(
  place: string,
  isReady: boolean,
  onReturn: (kept: Kept) => void,
): void {
  const masterPassword = useMasterPassword();
  const isOpen = useSyncExternalStore(masterPassword.subscribe, masterPassword.isRemembered);
  const returned = useRef(onReturn);
  useEffect(() => {
    returned.current = onReturn;
  });
  useEffect(() => {
    if (!isOpen || !isReady || !drafts.has(place)) return;
    void drafts.open(place).then((kept) => {
      if (kept !== null) returned.current(JSON.parse(kept) as Kept);
    });
  }, [place, isOpen, isReady]);
}
