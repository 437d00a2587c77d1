/**
 * Secrets in the clipboard are taken out after 60 seconds (docs/spec/threats.md §3.1.38): at once while the page has focus, else when it next
 * has, unless something else was copied on this page. What another program has put there cannot be told from it: the policy of our own pages forbids reading
 * (W4). A browser that lets a page write only after a gesture is asked again at the next one. Clipboard managers keep copies: the menu of the lock says so.
 */
import { CONNECTION_TEXTS } from '@passwordbroker/client/texts/connection';

export const CLIPBOARD_CLEAR_MS = 60_000;

/** What is needed of the browser. */
export interface ClipboardPlace {
  write(text: string): Promise<void>;
  hasFocus(): boolean;
  onFocus(listener: () => void): () => void;
  /** A key, a pointer, or the focus: what a browser may want to see before it lets a page write. */
  onGesture(listener: () => void): () => void;
  /** A copy or cut of anything else on this page. */
  onOtherCopy(listener: () => void): () => void;
}

/** The browser let nothing in. Its own words, for programmers and different in each browser, are the cause. */
class ClipboardRefused extends Error {
  override readonly name = 'ClipboardRefused';
  constructor(cause: unknown) {
    super(CONNECTION_TEXTS.notCopied, { cause });
  }
}

export function createClipboard(place: ClipboardPlace, clearMs = CLIPBOARD_CLEAR_MS) {
  let forget: (() => void) | null = null;

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
      let isOver = false;
      let stopWaiting = () => undefined as void;
      const end = () => {
        isOver = true;
        clearTimeout(timer);
        stopWaiting();
        stopOther();
        if (forget === end) forget = null;
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
    },
    /** Not a secret: it stays, and a secret that was there before is gone by it. @throws ClipboardRefused */
    async copyPlain(text: string): Promise<void> {
      await put(text);
      forget?.();
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

/** In the page or in a control: the selection of a text control is none of the document. */
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
  // Without anything selected nothing is copied: the secret is still there.
  onOtherCopy: (listener) => listenAll(document, ['copy', 'cut'], () => hasSelection() && listener()),
};

/** The clipboard of this page. */
export const clipboard = createClipboard(browserClipboard);
