import { X } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import styles from './chip-field.module.css';
import { controlClass, FieldFrame, type FrameProps } from './field-frame.tsx';

interface ChipFieldProps extends FrameProps {
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
  readonly suggestions: readonly string[];
  /** Name of the button that removes a value. */
  readonly removeLabel: (value: string) => string;
}

/** Between two values that are typed or pasted. */
const BETWEEN = /[,;\n]/;

/**
 * Short texts as chips. Enter, a comma and leaving the field add what was typed; Backspace in the empty field
 * removes the last chip.
 */
export function ChipField(props: ChipFieldProps) {
  const { values, onChange, suggestions, removeLabel, error } = props;
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const add = (text: string) => {
    const added = text.split(BETWEEN).flatMap((part) => part.trim() || []);
    setTyped('');
    if (added.length > 0) onChange([...new Set([...values, ...added])]);
  };
  const remove = (value: string) => {
    onChange(values.filter((one) => one !== value));
    input.current?.focus();
  };
  const press = (event: KeyboardEvent) => {
    // A candidate of an input method is being chosen.
    if (event.nativeEvent.isComposing) return;
    const last = values.at(-1);
    if (event.key === 'Enter' && typed.trim() !== '') {
      event.preventDefault();
      add(typed);
    } else if (event.key === 'Backspace' && typed === '' && last !== undefined) onChange(values.slice(0, -1));
  };
  const type = (text: string) => (BETWEEN.test(text) ? add(text) : setTyped(text));
  const hasError = error !== null && error !== undefined && error !== '';
  return (
    <FieldFrame {...props}>
      {(ids) => (
        <div className={controlClass({ hasError, extra: styles['control'] })}>
          {values.map((value) => (
            <span key={value} className={styles['chip']}>
              <span className={styles['text']}>{value}</span>
              <button type="button" aria-label={removeLabel(value)} onClick={() => remove(value)}>
                <X size={12} aria-hidden />
              </button>
            </span>
          ))}
          <input
            {...ids}
            ref={input}
            list={list}
            value={typed}
            onChange={(event) => type(event.target.value)}
            onKeyDown={press}
            onBlur={() => add(typed)}
            autoComplete="off"
            spellCheck={false}
          />
          <datalist id={list}>
            {suggestions
              .filter((one) => !values.includes(one))
              .map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
          </datalist>
        </div>
      )}
    </FieldFrame>
  );
}
