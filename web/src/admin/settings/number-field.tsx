import { TextField } from '@passwordbroker/ui/inputs/text-field';

interface Props {
  readonly label: string;
  readonly hint: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

/** An empty input is sent as 0; the server returns an error if 0 is not allowed. */
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
