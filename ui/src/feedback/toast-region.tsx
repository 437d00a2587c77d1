import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { UI_TEXTS as TEXTS } from '../texts.ts';
import { IconButton } from '../actions/button.tsx';
import { type Toast, TOAST_MS, dismissToast, toastStore } from './toast.ts';
import styles from './toast.module.css';

const ICONS = { info: Info, success: CircleCheck, danger: CircleAlert } as const;

export function ToastRegion() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.current);
  const region = useRef<HTMLElement>(null);
  const newest = toasts.at(-1)?.id;
  useEffect(() => {
    const element = region.current;
    if (element === null) return;
    // Keeps the focus of a person who is about to press a button here.
    if (newest !== undefined && element.contains(document.activeElement)) return;
    // Shown again for each toast, so that it lies above dialogs.
    element.hidePopover();
    if (newest !== undefined) element.showPopover();
  }, [newest]);
  return (
    <section ref={region} popover="manual" className={styles['region']} aria-label={TEXTS.notices}>
      {toasts.map((toast) => (
        <ToastLine key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

/** The timer pauses during hover and focus. */
function ToastLine({ toast }: { readonly toast: Toast }) {
  const [isHeld, setHeld] = useState(false);
  const left = useRef(TOAST_MS);
  const { id, tone, text, action } = toast;
  useEffect(() => {
    if (isHeld) return undefined;
    const started = performance.now();
    const timer = setTimeout(() => dismissToast(id), left.current);
    return () => {
      clearTimeout(timer);
      left.current -= performance.now() - started;
    };
  }, [isHeld, id]);
  const Icon = ICONS[tone];
  return (
    <div
      className={`${styles['toast']} ${styles[tone] ?? ''}`}
      role={tone === 'danger' ? 'alert' : 'status'}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon size={16} aria-hidden="true" />
      <p className={styles['text']}>{text}</p>
      {action !== null && (
        <button
          type="button"
          className={styles['action']}
          onClick={() => {
            dismissToast(id);
            action.onPress();
          }}
        >
          {action.label}
        </button>
      )}
      <IconButton label={TEXTS.dismiss} icon={<X size={14} />} align="end" onPress={() => dismissToast(id)} />
    </div>
  );
}
