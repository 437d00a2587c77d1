/** A live TOTP code: 3 + 3 digits, a ring that drains, the seconds that carry the meaning. */
import { useEffect, useState } from 'react';
import { totpCode } from '@passwordbroker/core/domain/fields/totp';
import { FIELD_TEXTS as TEXTS } from '../texts/fields.ts';
import { Ring } from '../ui/ring.tsx';
import styles from './field-value.module.css';
import type { PresentTotp } from './present-totp.ts';
import { LAST_SECONDS, totpMoment } from './totp-clock.ts';

export function TotpCode({ totp }: { readonly totp: PresentTotp }) {
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

/** The present moment, anew whenever something of the display changes. */
function useTicking(period: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const at = Date.now();
    const timer = setTimeout(() => setNow(Date.now()), totpMoment(at, period).next);
    return () => clearTimeout(timer);
  }, [now, period]);
  return now;
}
