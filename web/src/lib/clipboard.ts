/**
 * Removes secrets after 60 s or the shorter time that the person chose, or when the page next has focus, unless something else was copied here
 * (docs/spec/threats.md §3.1.38). Reading is forbidden, so another program's copy may be removed too (W4).
 */
import { keptChoice } from '@passwordbroker/client/kept-choice';
import { COPY_TEXTS } from '@passwordbroker/client/texts/clipboard';

/** The last one is the most that is allowed, and the default. */
export const CLEAR_SECONDS = [10, 20, 30, 60] as const;

/** Seconds after which a copied secret is removed, as chosen in this browser. */
export const clearAfter = keptChoice<number>(
  'passwordbroker.clipboard-seconds',
  60,
  (text) => {
    const seconds = Number(text);
    return CLEAR_SECONDS.some((choice) => choice === seconds) ? seconds : null;
  },
  () => localStorage,
);

export interface ClipboardPlace {
  write(text: string): Promise<void>;
  hasFocus(): boolean;
  onFocus(listener: () => void): () => void;
  /** A key, a pointer or the focus, which a browser may require before writing. */
  onGesture(listener: () => void): () => void;
  onOtherCopy(listener: () => void): () => void;
}

class ClipboardRefused extends Error {
  override readonly name = 'ClipboardRefused';
  constructor(cause: unknown) {
    super(COPY_TEXTS.notCopied, { cause });
  }
}

export function createClipboard(place: ClipboardPlace) {
  let forget: (() => void) | null = null;
  let clearsAt: number | null = null;
  const listeners = new Set<() => void>();

  function setClearsAt(moment: number | null) {
    clearsAt = moment;
    for (const listener of listeners) listener();
  }

  async function put(text: string) {
    try {
      await place.write(text);
    } catch (failure) {
      throw new ClipboardRefused(failure);
    }
  }

  return {
    /** @throws ClipboardRefused */
    async copySecret(text: string): Promise<void> {
      await put(text);
      forget?.();
      const clearMs = clearAfter.get() * 1000;
      let isOver = false;
      let stopWaiting = () => undefined as void;
      const end = () => {
        isOver = true;
        clearTimeout(timer);
        stopWaiting();
        stopOther();
        if (forget !== end) return;
        forget = null;
        setClearsAt(null);
      };
      const clearNow = () => {
        stopWaiting();
        place.write('').then(end, () => {
          if (!isOver) stopWaiting = place.onGesture(clearNow);
        });
      };
      const timer = setTimeout(() => {
        if (place.hasFocus()) clearNow();
        else stopWaiting = place.onFocus(clearNow);
      }, clearMs);
      const stopOther = place.onOtherCopy(end);
      forget = end;
      setClearsAt(Date.now() + clearMs);
    },
    /** The value stays, and replaces an earlier secret. @throws ClipboardRefused */
    async copyPlain(text: string): Promise<void> {
      await put(text);
      forget?.();
    },
    /** Time in milliseconds at which a copied secret is removed; null if there is none. */
    clearsAt: () => clearsAt,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const listen = (target: EventTarget, event: string, listener: () => void) => {
  target.addEventListener(event, listener);
  return () => target.removeEventListener(event, listener);
};

const listenAll = (target: EventTarget, events: readonly string[], listener: () => void) => {
  const stops = events.map((event) => listen(target, event, listener));
  return () => stops.forEach((stop) => stop());
};

function hasSelection(): boolean {
  const control = document.activeElement;
  if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement) {
    return control.selectionStart !== control.selectionEnd;
  }
  return document.getSelection()?.isCollapsed === false;
}

export const browserClipboard: ClipboardPlace = {
  write: (text) => navigator.clipboard.writeText(text),
  hasFocus: () => document.hasFocus(),
  onFocus: (listener) => listen(window, 'focus', listener),
  onGesture: (listener) => listenAll(window, ['pointerdown', 'keydown', 'focus'], listener),
  // Without a selection nothing is copied, and the secret stays.
  onOtherCopy: (listener) => listenAll(document, ['copy', 'cut'], () => hasSelection() && listener()),
};

export const clipboard = createClipboard(browserClipboard);
