import { useEffect, useRef, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { ProgressBar } from '@passwordbroker/ui/feedback/progress-bar';
import styles from '../groups/page/settings-tab.module.css';
import { useMasterPassword } from '../master-password/use-master-password.ts';
import { SITE_TEXTS as TEXTS } from '../texts/entries/sites.ts';
import own from './prepare-links.module.css';

export interface PrepareLinksProps {
  readonly groupId: string;
  readonly write: VaultWrite;
}

interface Result {
  readonly tone: 'success' | 'info' | 'danger';
  readonly text: string;
}

/** Makes the rules of links that have none; for those who may change the group (docs/spec/crypto.md §10). */
export function PrepareLinks({ groupId, write }: PrepareLinksProps) {
  const masterPassword = useMasterPassword();
  const {
    data: count,
    error,
    refetch,
  } = useQuery({
    queryKey: ['sites', 'unprepared', groupId],
    queryFn: async ({ signal }) => (await write.sites()).unprepared(groupId, signal),
    networkMode: 'always',
    retry: false,
    staleTime: 0,
  });
  const [work, setWork] = useState<{ readonly done: number; readonly total: number } | null>(null);
  const [result, setResult] = useState<Result | null>(null);
  const stop = useRef<AbortController | null>(null);
  const section = useRef<HTMLElement>(null);
  // Leaving the group ends the work.
  useEffect(() => () => stop.current?.abort(), []);

  const prepare = async () => {
    const running = new AbortController();
    const { signal } = running;
    stop.current = running;
    setResult(null);
    setWork({ done: 0, total: count ?? 0 });
    try {
      const onProgress = (done: number, total: number) => setWork({ done, total });
      const run = async () => (await write.sites()).prepare(groupId, { signal, onProgress });
      const { prepared, others } = await masterPassword.use(run, { label: TEXTS.pendingAction });
      setResult({
        tone: 'success',
        text: others === 0 ? TEXTS.prepared(prepared) : TEXTS.preparedAndOthers(prepared, others),
      });
    } catch (failure) {
      if (signal.aborted) setResult({ tone: 'info', text: TEXTS.cancelled });
      else if (!(failure instanceof MasterPasswordCancelled)) setResult({ tone: 'danger', text: reasonOf(failure) });
    } finally {
      // The button disappears: if the focus is in this section, move it to the section itself.
      if (section.current?.contains(document.activeElement) === true) section.current.focus();
      setWork(null);
      void refetch();
    }
  };

  const problem = result ?? (error === null ? null : { tone: 'danger' as const, text: reasonOf(error) });
  const isBusy = work !== null;
  const isIdle = !isBusy && count !== undefined && count > 0;
  return (
    <section ref={section} tabIndex={-1} className={styles['section']} aria-label={TEXTS.title}>
      <div className={own['about']}>
        <h2 className={styles['heading']}>{TEXTS.title}</h2>
        {count !== undefined && (
          <p className={styles['hint']}>{count === 0 ? TEXTS.allPrepared : TEXTS.unprepared(count)}</p>
        )}
        {work !== null && (
          <ProgressBar
            label={work.total === 0 ? TEXTS.preparing : TEXTS.progress(work.done, work.total)}
            value={work.total === 0 ? null : (100 * work.done) / work.total}
          />
        )}
        {problem !== null && <MessageBox tone={problem.tone} lines={[problem.text]} />}
      </div>
      {(isBusy || isIdle) && (
        // One button, so that it keeps the focus.
        <Button
          variant={isBusy ? 'ghost' : 'secondary'}
          onPress={() => {
            if (isBusy) stop.current?.abort();
            else void prepare();
          }}
        >
          {isBusy ? TEXTS.cancel : TEXTS.prepare}
        </Button>
      )}
    </section>
  );
}
