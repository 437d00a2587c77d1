import { createRoot } from 'react-dom/client';
import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Spinner } from '@passwordbroker/ui/feedback/spinner';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import type { Status } from '../keeper/session.ts';
import { EXTENSION_TEXTS as TEXTS } from '../texts/extension.ts';
import { BrowserScreen } from './browser-screen.tsx';
import { EntriesScreen } from './entries-screen.tsx';
import { type PageLook, takeOpening } from './parts.ts';
import { FactorScreen, PairScreen, SignInScreen } from './sign-in-screen.tsx';
import { UnlockScreen } from './unlock-screen.tsx';
import styles from './popup.module.css';

export function showPopup(): void {
  const root = document.getElementById('root');
  if (root !== null) createRoot(root).render(<Popup />);
}

function Popup() {
  const [status, setStatus] = useState<Status | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [told, setTold] = useState<string | null>(null);
  const [look, setLook] = useState<PageLook | null>(null);
  const load = () => {
    const opening = takeOpening();
    opening.status.then(
      (now) => {
        if (now.state === 'open') setLook(opening.look);
        setStatus(now);
      },
      (failure: unknown) => setProblem(reasonOf(failure)),
    );
  };
  useEffect(load, []);
  const again = () => {
    setProblem(null);
    load();
  };
  if (problem !== null) return <Told tone="danger" text={problem} onAgain={again} />;
  if (status === null)
    return (
      <main className={styles['waiting']}>
        <h1 className={styles['hidden']}>{TEXTS.loading}</h1>
        <Spinner />
      </main>
    );
  const change = (next: Status, text: string | null = null) => {
    setStatus(next);
    setTold(text);
    // Of a vault that is open from the beginning.
    setLook(null);
  };
  return <Screen status={status} look={look} told={told} onStatus={change} onAgain={again} />;
}

interface ScreenProps {
  readonly status: Status;
  readonly look: PageLook | null;
  /** Why another screen is shown than before. */
  readonly told: string | null;
  readonly onStatus: (status: Status, told?: string) => void;
  readonly onAgain: () => void;
}

function Screen({ status, look, told, onStatus, onAgain }: ScreenProps) {
  switch (status.state) {
    case 'not_paired':
      return <PairScreen onStatus={onStatus} />;
    case 'signed_out':
      return <SignInScreen status={status} onStatus={onStatus} />;
    case 'factor':
      return <FactorScreen status={status} onStatus={onStatus} />;
    case 'browser':
      return <BrowserScreen status={status} onStatus={onStatus} />;
    case 'locked':
      return <UnlockScreen status={status} told={told} onStatus={onStatus} />;
    case 'open':
      return <EntriesScreen status={status} look={look} onStatus={onStatus} />;
    case 'unreachable':
      return <Told tone="warning" text={TEXTS.unreachable} more={TEXTS.unreachableText} onAgain={onAgain} />;
    case 'too_old':
      return <Told tone="warning" text={TEXTS.tooOld} onAgain={onAgain} />;
    case 'restricted':
      return <Told tone="info" text={TEXTS.restricted} onAgain={onAgain} />;
  }
}

interface ToldProps {
  readonly tone: 'danger' | 'warning' | 'info';
  readonly text: string;
  readonly more?: string;
  readonly onAgain: () => void;
}

/** Nothing can be done here but to try again. */
function Told({ tone, text, more, onAgain }: ToldProps) {
  return (
    <Page>
      <h1 className={styles['hidden']}>PasswordBroker</h1>
      <MessageBox tone={tone} lines={more === undefined ? [text] : [text, more]} />
      <Button isBlock onPress={onAgain} autoFocus>
        {TEXTS.again}
      </Button>
    </Page>
  );
}

const Page = ({ children }: { readonly children: ReactNode }) => <main className={styles['page']}>{children}</main>;
