/** A one-time password: code and key are copied apart. */
import { FIELD_TEXTS as TEXTS } from '../texts/fields.ts';
import { ClockWarning } from './clock-warning.tsx';
import { CopyButton } from './copy-button.tsx';
import styles from './field-value.module.css';
import { presentTotp } from './present-totp.ts';
import { Mask } from './secret-text.tsx';
import { ShowButton } from './show-button.tsx';
import { TotpCode } from './totp-code.tsx';
import { ValueLine } from './value-line.tsx';
import { copiesOf, type ValueProps } from './value-props.ts';

const LABELS = { show: TEXTS.showCode, hide: TEXTS.hideCode } as const;

export function TotpValue({ field, verbs }: ValueProps<'TOTP'>) {
  const { shown } = verbs.secret;
  const totp = shown === null ? null : presentTotp(shown);
  const copies = copiesOf(verbs, 'value');
  return (
    <>
      <ValueLine
        isWide
        verbs={
          <>
            <ShowButton verbs={verbs} labels={LABELS} />
            <CopyButton label={TEXTS.copyValue.TOTP} onCopy={() => void verbs.copyValue()} count={copies} />
            <CopyButton
              label={TEXTS.copyKey}
              onCopy={() => void verbs.copyKey()}
              count={copiesOf(verbs, 'key')}
              isKey
            />
          </>
        }
      >
        {shown === null && <Mask label={TEXTS.hidden(field.title)} />}
        {shown !== null && totp === null && (
          <span className={styles['value']} data-secret>
            {shown.text}
          </span>
        )}
        {totp !== null && <TotpCode totp={totp} />}
      </ValueLine>
      {(totp !== null || copies > 0) && <ClockWarning />}
    </>
  );
}
