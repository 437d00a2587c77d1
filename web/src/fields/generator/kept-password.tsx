import { useState } from 'react';
import { generatePassword } from '@passwordbroker/core/domain/fields/password-generator';
import { RefreshCw, Undo2 } from 'lucide-react';
import { EDIT_FIELD_TEXTS as TEXTS, ADD_FIELD_TEXTS } from '../../texts/entries/fields.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { PasswordField } from '@passwordbroker/ui/inputs/text-field';
import styles from '../edit/field-form.module.css';
import { GeneratedPassword } from './generated-password.tsx';
import { DEFAULT_SETTINGS } from './generator-settings.ts';

interface Props {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: string;
}

/** Password of an edited field: masked, can be typed over or replaced by a generated one. */
export function KeptPassword({ value, onChange, error }: Props) {
  /** The password before generating, for undo. */
  const [kept, setKept] = useState<string | null>(null);
  if (kept === null) {
    const generate = () => {
      setKept(value);
      onChange(generatePassword(DEFAULT_SETTINGS));
    };
    return (
      <div className={styles['kept']}>
        <PasswordField
          label={ADD_FIELD_TEXTS.value}
          value={value}
          onChange={onChange}
          mono
          autoComplete="off"
          error={error}
        />
        <Button variant="ghost" size="sm" icon={<RefreshCw size={16} />} onPress={generate}>
          {TEXTS.generate}
        </Button>
      </div>
    );
  }
  const keep = () => {
    onChange(kept);
    setKept(null);
  };
  return (
    <div className={styles['kept']}>
      <GeneratedPassword value={value} onChange={onChange} {...(error === undefined ? {} : { error })} />
      <Button variant="ghost" size="sm" icon={<Undo2 size={16} />} onPress={keep}>
        {TEXTS.keepPassword}
      </Button>
    </div>
  );
}
