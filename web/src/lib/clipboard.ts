/**
 * Secrets in the clipboard are taken out after 60 seconds (threats-and-tests §3.1.38): at once while the page has focus, else when it next
 * has, and only if nothing else was copied since. Clipboard managers keep copies: the page says so.
 */

export const CLIPBOARD_CLEAR_MS = 60_000;

/** What is needed of the browser. */
export interface ClipboardPlace {
  write(text: string): Promise<void>;
  /** The present text, or null where it may not be read. */
  read(): Promise<string | null>;
  hasFocus(): boolean;
  onFocus(listener: () => void): () => void;
  /** A copy or cut of anything else on this page. */
  onOtherCopy(listener: () => void): () => void;
}

export function createClipboard(place: ClipboardPlace, clearMs = CLIPBOARD_CLEAR_MS) {
  let forget: (() => void) | null = null;

  async function clear(ours: string) {
    const present = await place.read();
    if (present === null || present === ours) await place.write('');
  }

  return {
    /** @throws when the browser refuses */
    async copySecret(text: string): Promise<void> {
      await place.write(text);
      forget?.();
      let stopFocus = () => undefined as void;
      const end = () => {
        clearTimeout(timer);
        stopFocus();
        stopOther();
        forget = null;
      };
      const clearNow = () => {
        end();
        clear(text).catch(() => undefined);
      };
      const timer = setTimeout(() => {
        if (place.hasFocus()) clearNow();
        else stopFocus = place.onFocus(clearNow);
      }, clearMs);
      const stopOther = place.onOtherCopy(end);
      forget = end;
    },
    /** Not a secret: it stays, and a secret that was there before is gone by it. */
    async copyPlain(text: string): Promise<void> {
      await place.write(text);
      forget?.();
    },
  };
}

const listen = (target: EventTarget, event: string, listener: () => void) => {
  target.addEventListener(event, listener);
  return () => target.removeEventListener(event, listener);
};

/** The browser's. Reading is asked for only where it was granted before: no prompt appears by itself. */
const browserClipboard: ClipboardPlace = {
  write: (text) => navigator.clipboard.writeText(text),
  async read() {
    try {
      const permission = await navigator.permissions.query({ name: 'clipboard-read' as PermissionName });
      return permission.state === 'granted' ? await navigator.clipboard.readText() : null;
    } catch {
      return null;
    }
  },
  hasFocus: () => document.hasFocus(),
  onFocus: (listener) => listen(window, 'focus', listener),
  onOtherCopy(listener) {
    const stops = ['copy', 'cut'].map((event) => listen(document, event, listener));
    return () => stops.forEach((stop) => stop());
  },
};

/** The clipboard of this page. */
export const clipboard = createClipboard(browserClipboard);
