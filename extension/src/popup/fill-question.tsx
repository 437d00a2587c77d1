/** What has to be decided before anything is revealed. */
import { useState } from 'react';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import type { Accepted, Filling } from '../background/filling.ts';
import type { Item } from '../keeper/entries.ts';
import { EXTENSION_TEXTS as TEXTS } from '../texts/extension.ts';
import { keeper } from './parts.ts';
import styles from './popup.module.css';

interface Props {
  readonly item: Item;
  readonly page: string;
  readonly accepted: readonly Accepted[];
  readonly filling: Extract<Filling, { result: 'ask' | 'which_form' }>;
  readonly onAnswer: (accepted: readonly Accepted[], form?: number) => Promise<void>;
  readonly onCancel: () => void;
}

export function FillQuestion({ item, page, accepted, filling, onAnswer, onCancel }: Props) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const answer = (more: readonly Accepted[], form?: number) => {
    setBusy(true);
    void onAnswer([...accepted, ...more], form).finally(() => setBusy(false));
  };
  const keep = () => {
    setBusy(true);
    keeper('keepFor', { entry: item, address: page })
      .then(
        () => onAnswer(accepted),
        (failure: unknown) => setProblem(reasonOf(failure)),
      )
      .finally(() => setBusy(false));
  };
  return (
    <main className={styles['page']}>
      <h1 className={styles['title']}>{item.title}</h1>
      {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
      {filling.result === 'which_form' ? (
        <>
          <p className={styles['text']}>{TEXTS.whichForm}</p>
          {filling.forms.map(({ id, label }, at) => (
            <Button key={id} isBlock busy={isBusy} autoFocus={at === 0} onPress={() => answer([], id)}>
              {label === '' ? TEXTS.formNumber(at + 1) : label}
            </Button>
          ))}
        </>
      ) : (
        <>
          <MessageBox tone="warning" lines={[questionText(filling)]} />
          {filling.question === 'other_host' && <Hosts page={page} kept={filling.kept} />}
          <Button isBlock busy={isBusy} onPress={() => answer([filling.question])}>
            {filling.question === 'other_host' ? TEXTS.fillOnce : TEXTS.fillAnyway}
          </Button>
          {filling.question === 'other_host' && filling.canKeep && (
            <Button isBlock busy={isBusy} onPress={keep}>
              {TEXTS.always(filling.host)}
            </Button>
          )}
        </>
      )}
      <Button variant="ghost" isBlock onPress={onCancel} autoFocus={filling.result === 'ask'}>
        {TEXTS.cancel}
      </Button>
    </main>
  );
}

/** Both hosts one above the other, in letters that differ. */
function Hosts({ page, kept }: { readonly page: string; readonly kept: readonly string[] }) {
  return (
    <dl className={styles['hosts']}>
      <dt>{TEXTS.thisPage}</dt>
      <dd>{new URL(page).host}</dd>
      {kept.length > 0 && <dt>{TEXTS.keptFor}</dt>}
      {kept.map((host) => (
        <dd key={host}>{host}</dd>
      ))}
    </dl>
  );
}

function questionText({ question, host }: Extract<Filling, { result: 'ask' }>): string {
  switch (question) {
    case 'other_host':
      return TEXTS.otherHost;
    case 'plain_http':
      return TEXTS.plainHttp;
    case 'other_action':
      return TEXTS.otherAction(host);
  }
}

export function refusalText(refused: Extract<Filling, { result: 'refused' }>, title: string): string {
  switch (refused.why) {
    case 'changed':
      return TEXTS.changed;
    case 'unreadable':
      return TEXTS.unreadable;
    case 'no_value':
      return TEXTS.noValue;
    case 'no_form':
      return TEXTS.noForm;
    case 'plain_action':
      return TEXTS.plainAction;
    case 'https_only':
      return TEXTS.httpsOnly(title);
    case 'frame':
      return TEXTS.frame(refused.origin);
  }
}
