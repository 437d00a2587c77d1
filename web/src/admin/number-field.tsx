/** A number of a setting. */
import { TextField } from '../ui/text-field.tsx';

interface Props {
  readonly label: string;
  readonly hint: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

/** Empty is 0 for the server, which says what it wants instead. */
export function NumberField({ label, hint, value, onChange }: Props) {
  return (
    <TextField
      label={label}
      hint={hint}
      type="number"
      inputMode="numeric"
      min={1}
      step={1}
      value={value === 0 ? '' : String(value)}
      onChange={(text) => onChange(Number(text))}
    />
  );
}
