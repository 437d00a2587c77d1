import { useEffect, useState, useSyncExternalStore } from 'react';
import { totpCode } from '@passwordbroker/core/domain/fields/totp';
import { FIELD_TEXTS as TEXTS } from '../../texts/entries/fields.ts';
import { Ring } from '@passwordbroker/ui/feedback/progress-bar';
import { useOffline } from '../../offline/use-offline.ts';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { CopyButton } from '../value/copy-button.tsx';
import styles from '../value/field-value.module.css';
import { Mask } from '../value/secret-text.tsx';
import { ShowButton, ValueLine, copiesOf, type ValueProps } from '../value/field-values.tsx';
import fieldTableStyles from '../table/field-table.module.css';
import { presentTotp, type PresentTotp, clockHint, LAST_SECONDS, totpMoment } from './totp-clock.ts';
import { serverClock } from '../../page/page.ts';

const LABELS = { show: TEXTS.showCode, hide: TEXTS.hideCode } as const;

export function TotpValue({ field, verbs }: ValueProps<'TOTP'>) {
  const { shown } = verbs.secret;
  const totp = shown === null ? null : presentTotp(shown);
  const copies = copiesOf(verbs, 'value');
  return (
    <>
      <ValueLine
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
        {shown === null && <Mask label={TEXTS.copyHidden(field.title)} onCopy={() => void verbs.copyValue()} />}
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

function TotpCode({ totp }: { readonly totp: PresentTotp }) {
  const { period } = totp;
  const now = useTicking(period);
  const { codeAt, secondsLeft, isRefreshing } = totpMoment(now, period);
  const { code } = totpCode(totp, codeAt);
  const isLow = secondsLeft <= LAST_SECONDS;
  return (
    <span className={styles['totp']} role="group" aria-label={TEXTS.spelled(code)}>
      <span className={styles['code']} data-secret data-dim={isRefreshing || undefined} aria-hidden="true">
        {code.slice(0, 3)}
        <i />
        {code.slice(3)}
      </span>
      <Ring fraction={secondsLeft / period} isLow={isLow} />
      <span className={styles['seconds']} data-low={isLow || undefined}>
        {TEXTS.secondsLeft(secondsLeft)}
      </span>
    </span>
  );
}

/** The current time, updated whenever the display changes. */
function useTicking(period: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const at = Date.now();
    const timer = setTimeout(() => setNow(Date.now()), totpMoment(at, period).next);
    return () => clearTimeout(timer);
  }, [now, period]);
  return now;
}

const LOOK_MS = 2_000;

function everyLook(look: () => void) {
  const timer = setInterval(look, LOOK_MS);
  return () => clearInterval(timer);
}

/** Warns below a TOTP code that this device's clock is wrong. */
function ClockWarning() {
  const { databaseMode, copyOf } = useOffline();
  const inUse = databaseMode === 'offline' ? copyOf : null;
  const hint = useSyncExternalStore(everyLook, () =>
    clockHint({ difference: serverClock.difference(), now: Date.now(), copyOf: inUse }),
  );
  if (hint === null) return null;
  return (
    <div className={fieldTableStyles['clock']}>
      <MessageBox tone="warning" lines={[hint]} />
    </div>
  );
}
