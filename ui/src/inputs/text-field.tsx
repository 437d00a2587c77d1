import { type ReactNode, type Ref, use, useState } from 'react';
import { FieldFrame, type FrameProps, controlClass, ReadOnlyContext } from './field-frame.tsx';
import styles from './field.module.css';
import { Glyph } from '../display/glyph.tsx';
import { UI_TEXTS as TEXTS } from '../texts.ts';
import { IconButton } from '../actions/button.tsx';

interface TextFieldProps extends FrameProps {
  readonly value: string;
  readonly onChange?: (value: string) => void;
  readonly type?: 'text' | 'email' | 'url' | 'password' | 'number' | 'search' | 'date';
  readonly name?: string;
  readonly size?: 'sm' | 'md' | 'lg';
  readonly mono?: boolean;
  /** Fixed by an invitation. */
  readonly isLocked?: boolean;
  readonly isReadOnly?: boolean;
  readonly isDisabled?: boolean;
  readonly isRequired?: boolean;
  readonly autoFocus?: boolean;
  readonly autoComplete?: string;
  readonly inputMode?: 'text' | 'numeric' | 'email' | 'url';
  /** Only with `isLabelHidden`. */
  readonly placeholder?: string;
  readonly maxLength?: number;
  readonly min?: number;
  readonly max?: number;
  readonly step?: number;
  /** Wrong, but explained elsewhere. */
  readonly isInvalid?: boolean;
  readonly start?: ReactNode;
  readonly end?: ReactNode;
  /** A list below that is controlled from this field. */
  readonly listbox?: { readonly id: string; readonly activeId: string | null };
  readonly ref?: Ref<HTMLInputElement>;
}

/** No spell-check: a browser may send the text to its vendor, and secrets are typed here. */
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

/** Masked, with a toggle; no spell-check, no autofill unless `autoComplete` is set. */
export function PasswordField(props: Omit<TextFieldProps, 'type'>) {
  const isReadOnly = use(ReadOnlyContext);
  const [isShown, setShown] = useState(false);
  const toggle = (
    <IconButton
      label={`${isShown ? TEXTS.hideTyped : TEXTS.showTyped} ${props.label}`}
      tooltip={isShown ? TEXTS.hideTyped : TEXTS.showTyped}
      icon={<Glyph of={isShown ? 'eye off' : 'eye'} />}
      align="end"
      onPress={() => setShown(!isShown)}
    />
  );
  return (
    <TextField
      autoComplete="off"
      {...props}
      type={isShown ? 'text' : 'password'}
      mono={props.mono ?? isShown}
      end={
        <>
          {props.end}
          {!isReadOnly && toggle}
        </>
      }
    />
  );
}
