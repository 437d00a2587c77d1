import { use, useState } from 'react';
import { UI_TEXTS as TEXTS } from '../texts.ts';
import { Glyph } from '../display/glyph.tsx';
import { IconButton } from '../actions/icon-button.tsx';
import { ReadOnlyContext } from './read-only.ts';
import { TextField, type TextFieldProps } from './text-field.tsx';

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
