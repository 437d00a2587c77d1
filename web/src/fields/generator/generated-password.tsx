import { useDeferredValue, useId, useState } from 'react';
import { RefreshCw } from 'lucide-react';
import { generatePassword } from '@passwordbroker/core/domain/fields/password-generator';
import { clipboard } from '../../lib/clipboard.ts';
import { ADD_FIELD_TEXTS as TEXTS } from '../../texts/entries/fields.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { IconButton } from '@passwordbroker/ui/actions/button';
import { CopyButton } from '../value/copy-button.tsx';
import styles from '../edit/field-form.module.css';
import { GeneratorPanel } from './generator-panel.tsx';
import { DEFAULT_SETTINGS, type Settings } from '@passwordbroker/core/domain/fields/generator-settings';
import { SecretText } from '../value/secret-text.tsx';

interface Props {
  readonly label?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: string;
}

/** Input of a new password, with the generator below. */
export function GeneratedPassword({ label: name = TEXTS.value, value, onChange, error }: Props) {
  const [settings, setSettings] = useState(DEFAULT_SETTINGS);
  const [copies, setCopies] = useState(0);
  const [copyProblem, setCopyProblem] = useState<string | null>(null);
  const label = useId();
  // The generator renders after the dialog has opened.
  const isDrawn = useDeferredValue(true, false);
  const apply = (next: Settings) => {
    setSettings(next);
    onChange(generatePassword(next));
  };
  const copy = async () => {
    setCopyProblem(null);
    try {
      await clipboard.copySecret(value);
      setCopies((before) => before + 1);
    } catch (failure) {
      setCopyProblem(reasonOf(failure));
    }
  };
  return (
    <div className={styles['group']} role="group" aria-labelledby={label}>
      <span className={styles['label']} id={label}>
        {name}
      </span>
      <div className={styles['generator']}>
        <div className={styles['generated']} data-error={error !== undefined || undefined}>
          <div className={styles['stack']}>
            <span className={styles['painted']} aria-hidden="true" data-secret>
              {isDrawn ? <SecretText secret={value} /> : value}
            </span>
            <textarea
              className={styles['typed']}
              aria-labelledby={label}
              aria-invalid={error !== undefined}
              rows={1}
              value={value}
              onChange={(event) => onChange(event.target.value.replaceAll(/[\r\n]/g, ''))}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
                event.preventDefault();
                event.currentTarget.form?.requestSubmit();
              }}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
            />
          </div>
          <IconButton label={TEXTS.generateAgain} icon={<RefreshCw size={16} />} onPress={() => apply(settings)} />
          <CopyButton label={TEXTS.copyPassword} onCopy={() => void copy()} count={copies} />
        </div>
        <div className={styles['panel']}>{isDrawn && <GeneratorPanel settings={settings} onChange={apply} />}</div>
      </div>
      {copyProblem !== null && (
        <span className={styles['error']} role="alert">
          {copyProblem}
        </span>
      )}
      {error !== undefined && (
        <span className={styles['error']} role="alert">
          {error}
        </span>
      )}
    </div>
  );
}
