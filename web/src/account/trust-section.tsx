import { Suspense, useState } from 'react';
import { lazyPart } from '../lib/chunk.ts';
import { formatTime } from '../lib/format.ts';
import { TRUST_RECORD_TEXTS as TEXTS } from '../texts/groups/trust-record.ts';
import { isAtFault, RecordFault } from '../trust/record/record-state.tsx';
import { useAccountTrust } from '../trust/use-trust-state.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import type { AccountTrust } from '@passwordbroker/client/vault/trust/trust';
import { useWhyNot } from '../vault/use-vault.ts';
import styles from './account.module.css';
import { Section } from './section.tsx';

const CompareBrowsersDialog = lazyPart('CompareBrowsersDialog', () => import('../trust/compare-browsers-dialog.tsx'));

export function TrustSection() {
  const account = useAccountTrust();
  const whyNot = useWhyNot();
  const [isComparing, setComparing] = useState(false);
  return (
    <Section
      title={TEXTS.title}
      hint={TEXTS.hint}
      id="trust"
      verbs={
        account !== undefined &&
        account.state !== 'none-yet' && (
          <Button size="sm" whyNot={whyNot} onPress={() => setComparing(true)}>
            {TEXTS.compare}
          </Button>
        )
      }
    >
      {account === undefined ? <p role="status">{TEXTS.locked}</p> : <Shown account={account} />}
      {isComparing && (
        <Suspense fallback={null}>
          <CompareBrowsersDialog onClose={() => setComparing(false)} />
        </Suspense>
      )}
    </Section>
  );
}

function Shown({ account }: { readonly account: AccountTrust }) {
  const { state, n, at, browsers, hasMemory, lastUse, isStrict } = account;
  return (
    <div className={styles['choices']}>
      <RecordFault account={account} />
      {!isAtFault(account) && (
        <p role="status">
          {state === 'behind' ? TEXTS.states.behind(n) : TEXTS.states.sound(n, formatTime(at * 1000))}
        </p>
      )}
      {!hasMemory && lastUse !== null && <p>{TEXTS.newBrowser(formatTime(lastUse.at * 1000), lastUse.browser)}</p>}
      {isStrict && <p>{TEXTS.strictOn}</p>}
      {browsers.length > 0 && (
        <div>
          <p className={styles['hint']}>{TEXTS.browsersHint}</p>
          <ul className={styles['list']} aria-label={TEXTS.browsers}>
            {browsers.map(({ id, name, first, last, isThis }) => (
              <li key={id} className={styles['row']}>
                <div className={styles['what']}>
                  <p className={styles['name']}>
                    {name === '' ? TEXTS.unknownBrowser : name}{' '}
                    {isThis && <span className={styles['badge']}>{TEXTS.thisBrowser}</span>}
                  </p>
                  <p className={styles['facts']}>
                    <span>{TEXTS.lastUsed(formatTime(last * 1000))}</span>
                    <span>{TEXTS.firstUsed(formatTime(first * 1000))}</span>
                  </p>
                </div>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
