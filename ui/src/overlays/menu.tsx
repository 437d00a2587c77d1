/** A button that opens a list of actions. Arrow keys, Home, End; closed by Escape and outside clicks. */
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Check } from 'lucide-react';
import styles from './menu.module.css';
import { Tooltip } from './tooltip.tsx';

export interface MenuItem {
  readonly label: string;
  readonly icon?: ReactNode;
  readonly isDisabled?: boolean;
  /** Makes the item a checkbox, whose press leaves the list open. */
  readonly isChecked?: boolean;
  /** Disables the item and is shown beside it. */
  readonly whyNot?: string | null;
  readonly onPress: () => void;
}

interface MenuProps {
  readonly label: string;
  readonly icon: ReactNode;
  readonly items: readonly MenuItem[];
  /** Edge of the button that the list aligns with. */
  readonly align?: 'start' | 'end';
  readonly className?: string;
  readonly note?: string;
}

const STEPS: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

const ITEMS = '[role^=menuitem]';

const isBarred = ({ whyNot = null }: MenuItem) => whyNot !== null;

export function Menu({ label, icon, items, align = 'end', className = '', note }: MenuProps) {
  const id = useId();
  const root = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const verbs = () => [...(list.current?.querySelectorAll<HTMLElement>(ITEMS) ?? [])];

  useEffect(() => {
    if (!isOpen) return undefined;
    // Brings the whole list into view, not only its first item.
    list.current?.scrollIntoView({ block: 'nearest' });
    list.current?.querySelector<HTMLElement>(ITEMS)?.focus();
    list.current?.scrollIntoView({ block: 'nearest' });
    const closeOutside = ({ target }: Event) => {
      if (target instanceof Node && root.current?.contains(target) !== true) setOpen(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    document.addEventListener('focusin', closeOutside);
    return () => {
      document.removeEventListener('pointerdown', closeOutside);
      document.removeEventListener('focusin', closeOutside);
    };
  }, [isOpen]);

  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const press = ({ isDisabled = false, isChecked, whyNot = null, onPress }: MenuItem) => {
    if (isDisabled || whyNot !== null) return;
    // Focus first: a dialog that opens now will restore it to the button.
    if (isChecked === undefined) close();
    onPress();
  };
  const walk = (event: KeyboardEvent) => {
    // Keys of the list are no shortcuts of the page behind.
    event.stopPropagation();
    if (event.key === 'Escape') close();
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const all = verbs();
    const at = all.findIndex((verb) => verb === document.activeElement);
    all[step(at, all.length)]?.focus();
  };

  return (
    <span ref={root} className={styles['root']}>
      <Tooltip text={label} align={align} isHidden={isOpen}>
        <button
          ref={button}
          type="button"
          className={`${styles['button'] ?? ''} ${className}`}
          aria-label={label}
          aria-haspopup="menu"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setOpen(!isOpen)}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown') return;
            event.preventDefault();
            setOpen(true);
          }}
        >
          {icon}
        </button>
      </Tooltip>
      {isOpen && (
        <div
          ref={list}
          id={id}
          role="menu"
          tabIndex={-1}
          aria-label={label}
          aria-describedby={note === undefined ? undefined : `${id}-note`}
          className={`${styles['list'] ?? ''} ${styles[align] ?? ''}`}
          onKeyDown={walk}
        >
          {items.map((item, at) => (
            <button
              key={item.label}
              type="button"
              role={item.isChecked === undefined ? 'menuitem' : 'menuitemcheckbox'}
              aria-checked={item.isChecked}
              tabIndex={-1}
              className={styles['item']}
              aria-disabled={item.isDisabled === true || isBarred(item) || undefined}
              aria-label={isBarred(item) ? item.label : undefined}
              aria-describedby={isBarred(item) ? `${id}-${at}` : undefined}
              onClick={() => press(item)}
            >
              {item.isChecked === undefined ? item.icon : <Check size={16} aria-hidden="true" />}
              {item.label}
              {isBarred(item) && (
                <span id={`${id}-${at}`} className={styles['why']}>
                  {item.whyNot}
                </span>
              )}
            </button>
          ))}
          {note !== undefined && (
            <p id={`${id}-note`} role="none" className={styles['note']}>
              {note}
            </p>
          )}
        </div>
      )}
    </span>
  );
}
