import { createRoot } from 'react-dom/client';
import { useEffect, useState } from 'react';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Checkbox } from '@passwordbroker/ui/inputs/checkbox';
import { Select } from '@passwordbroker/ui/inputs/select';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { api } from '../browser-api.ts';
import type { Status } from '../keeper/session.ts';
import { background, keeper, unpair } from '../popup/parts.ts';
import { useAction } from '../popup/use-action.ts';
import { ALL_SITES } from '../site-pattern.ts';
import { EXTENSION_TEXTS as TEXTS } from '../texts/extension.ts';
import styles from './options.module.css';

export function showOptions(): void {
  const root = document.getElementById('root');
  if (root !== null) createRoot(root).render(<Options />);
}

const MINUTES = [1, 5, 10, 15, 30, 60];

function Options() {
  const [status, setStatus] = useState<Status | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const failed = (failure: unknown) => setProblem(reasonOf(failure));
  useEffect(() => {
    keeper('status').then(setStatus, failed);
  }, []);
  const [isOnAll, setOnAll] = useState<boolean | null>(null);
  useEffect(() => {
    background('isOfferedOnAll').then(setOnAll, failed);
  }, []);
  const [running, run] = useAction<'lockAfter' | 'unpair' | 'copyCodes' | 'all'>(failed);
  const offerOnAll = async (isOn: boolean) => {
    setProblem(null);
    // No wait before the request: it counts as part of the click.
    const isDone = await api.permissions[isOn ? 'request' : 'remove']({ origins: [ALL_SITES] });
    if (!isDone) return;
    await background('offerOnAll', { isOn });
    setOnAll(isOn);
  };
  const change = (name: 'lockAfter' | 'unpair' | 'copyCodes', ask: () => Promise<Status>) =>
    run(name, async () => {
      setProblem(null);
      setStatus(await ask());
    });
  return (
    <main className={styles['page']}>
      <h1>{TEXTS.settings}</h1>
      {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
      {status !== null && (
        <>
          <dl className={styles['facts']}>
            <dt>{TEXTS.pairedWith}</dt>
            <dd>{status.server ?? TEXTS.notPaired}</dd>
            {status.person !== null && (
              <>
                <dt>{TEXTS.person}</dt>
                <dd>{status.person.email}</dd>
              </>
            )}
            <dt>{TEXTS.version}</dt>
            <dd>{api.runtime.getManifest().version}</dd>
          </dl>
          <Select
            label={TEXTS.lockAfter}
            value={String(status.lockMinutes)}
            onChange={(minutes) => change('lockAfter', () => keeper('lockAfter', { minutes: Number(minutes) }))}
            options={[...new Set([...MINUTES, status.lockMinutes])]
              .toSorted((a, b) => a - b)
              .map((minutes) => ({ value: String(minutes), title: String(minutes) }))}
          />
          <Checkbox
            isSelected={status.copiesCode}
            onChange={(isOn) => change('copyCodes', () => keeper('copyCodes', { isOn }))}
            hint={TEXTS.copyCodesHint}
          >
            {TEXTS.copyCodes}
          </Checkbox>
          {isOnAll !== null && status.server !== null && (
            <Checkbox
              isSelected={isOnAll}
              onChange={(isOn) => run('all', () => offerOnAll(isOn))}
              hint={TEXTS.offerOnAllHint}
            >
              {TEXTS.offerOnAll}
            </Checkbox>
          )}
          {status.server !== null && (
            <Button busy={running === 'unpair'} onPress={() => change('unpair', () => unpair(status.server))}>
              {TEXTS.otherServer}
            </Button>
          )}
        </>
      )}
      <p className={styles['text']}>{TEXTS.clipboardNote}</p>
      <p className={styles['text']}>{TEXTS.language}</p>
    </main>
  );
}
