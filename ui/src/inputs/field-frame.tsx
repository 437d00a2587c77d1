import { type ReactNode, useId, createContext } from 'react';
import { UI_TEXTS as TEXTS } from '../texts.ts';
import styles from './field.module.css';

export interface FrameProps {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  /** Marks the label, too. */
  readonly isLabelWrong?: boolean;
  readonly isOptional?: boolean;
  readonly hint?: string | undefined;
  readonly error?: string | null | undefined;
}

interface FrameIds {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

/** Ties label, hint and error to the control. */
export function FieldFrame(props: FrameProps & { readonly children: (ids: FrameIds) => ReactNode }) {
  const { label, isLabelHidden = false, isLabelWrong = false, isOptional = false, hint, error, children } = props;
  const id = useId();
  const hasError = error !== null && error !== undefined && error !== '';
  const described = [hint !== undefined && `${id}-hint`, hasError && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={styles['group']}>
      <label
        htmlFor={id}
        className={isLabelHidden ? 'visually-hidden' : `${styles['label']} ${isLabelWrong ? styles['wrong'] : ''}`}
      >
        {label}
        {/* The space is for screen readers. */}
        {isOptional && <span className={styles['optional']}> {TEXTS.optional}</span>}
      </label>
      {children({
        id,
        'aria-describedby': described === '' ? undefined : described,
        'aria-invalid': hasError || undefined,
      })}
      {hasError && (
        <p id={`${id}-error`} className={styles['error']}>
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles['hint']}>
          {hint}
        </p>
      )}
    </div>
  );
}

export function controlClass(parts: {
  readonly hasError: boolean;
  readonly isLocked?: boolean;
  readonly size?: 'sm' | 'md' | 'lg';
  readonly mono?: boolean;
  readonly extra?: string | undefined;
}): string {
  const { hasError, isLocked = false, size = 'md', mono = false, extra } = parts;
  return [
    styles['control'],
    hasError && styles['invalid'],
    isLocked && styles['locked'],
    styles[size],
    mono && styles['mono'],
    extra,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Makes the fields below read-only: texts stay selectable, choices are disabled. */
export const ReadOnlyContext = createContext(false);
