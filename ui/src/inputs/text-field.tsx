import { type ReactNode, type Ref, use } from 'react';
import { FieldFrame, type FrameProps, controlClass } from './field-frame.tsx';
import styles from './field.module.css';
import { Glyph } from '../display/glyph.tsx';
import { ReadOnlyContext } from './read-only.ts';

export interface TextFieldProps extends FrameProps {
  readonly value: string;
  readonly onChange?: (value: string) => void;
  readonly type?: 'text' | 'email' | 'url' | 'password' | 'number' | 'search' | 'date';
  readonly name?: string;
  readonly size?: 'sm' | 'md' | 'lg';
  readonly mono?: boolean;
  /** Shown, not editable: what an invitation fixes. */
  readonly isLocked?: boolean;
  /** To be read and copied. */
  readonly isReadOnly?: boolean;
  readonly isDisabled?: boolean;
  readonly isRequired?: boolean;
  readonly autoFocus?: boolean;
  readonly autoComplete?: string;
  readonly inputMode?: 'text' | 'numeric' | 'email' | 'url';
  /** Beside a label that nobody sees. */
  readonly placeholder?: string;
  readonly maxLength?: number;
  readonly min?: number;
  readonly max?: number;
  readonly step?: number;
  /** Wrong, while the words for it stand elsewhere. */
  readonly isInvalid?: boolean;
  /** A sign inside the box, before the text. */
  readonly start?: ReactNode;
  /** Controls inside the box, at its end. */
  readonly end?: ReactNode;
  /** A list below that this box searches and walks through while it keeps the focus. */
  readonly listbox?: { readonly id: string; readonly activeId: string | null };
  readonly ref?: Ref<HTMLInputElement>;
}

/** Never spell-checked: a browser may send what it checks to its maker, and values of fields are typed here. */
export function TextField(props: TextFieldProps) {
  const {
    value,
    onChange,
    type = 'text',
    name,
    size = 'md',
    mono = false,
    isLocked = false,
    isDisabled = false,
  } = props;
  const { isRequired, autoFocus, autoComplete, inputMode, maxLength, min, max, step, start, end, listbox, ref } = props;
  const isAllReadOnly = use(ReadOnlyContext);
  const hasError =
    props.isInvalid === true || (props.error !== null && props.error !== undefined && props.error !== '');
  return (
    <FieldFrame {...props}>
      {(ids) => (
        <div className={controlClass({ hasError, isLocked, size, mono })}>
          {start !== undefined && <span className={styles['start']}>{start}</span>}
          <input
            {...ids}
            aria-invalid={hasError || undefined}
            ref={ref}
            type={type}
            name={name}
            value={value}
            onChange={(event) => onChange?.(event.target.value)}
            readOnly={isLocked || props.isReadOnly === true || isAllReadOnly}
            disabled={isDisabled}
            aria-required={isRequired}
            autoFocus={autoFocus}
            autoComplete={autoComplete}
            inputMode={inputMode}
            placeholder={props.placeholder}
            maxLength={maxLength}
            min={min}
            max={max}
            step={step}
            {...(listbox === undefined ? {} : comboboxOf(listbox))}
            spellCheck={false}
          />
          {isLocked && (
            <span className={styles['end']}>
              <Glyph of="lock" size={14} />
            </span>
          )}
          {end !== undefined && <span className={styles['end']}>{end}</span>}
        </div>
      )}
    </FieldFrame>
  );
}

const comboboxOf = ({ id, activeId }: NonNullable<TextFieldProps['listbox']>) =>
  ({
    role: 'combobox',
    'aria-expanded': true,
    'aria-autocomplete': 'list',
    'aria-controls': id,
    'aria-activedescendant': activeId ?? undefined,
  }) as const;
