import type { ReactNode } from 'react';
import { Link, Navigate } from 'react-router';
import { ThemeButton } from '../app/theme/theme.tsx';
import { usePageTitle } from '../app/navigation/use-page-title.ts';
import { IDENTITY_TEXTS as TEXTS } from '../texts/identity/identity.ts';
import { Brand, Mark } from '../app/layout/brand.tsx';
import { Spinner } from '@passwordbroker/ui/feedback/spinner';
import styles from './identity-frame.module.css';

export function IdentityFrame({ side, children }: { readonly side: ReactNode; readonly children: ReactNode }) {
  return (
    <div className={styles['page']}>
      <div className={styles['side']}>
        <header className={styles['head']}>
          <Link to="/" className={styles['home']} aria-label={TEXTS.home}>
            <Brand size="lg" />
          </Link>
        </header>
        <Drawing />
        <aside className={styles['words']} aria-label={TEXTS.about}>
          {side}
        </aside>
      </div>
      <main className={styles['main']}>
        <div className={styles['top']}>
          <ThemeButton />
        </div>
        <div className={styles['content']}>{children}</div>
      </main>
    </div>
  );
}

/** The logo as a construction drawing. */
function Drawing() {
  return (
    <svg className={styles['drawing']} viewBox="0 0 22 22" aria-hidden="true">
      <path
        className={styles['lines']}
        d="M-40 1.2h90M-40 4.2h90M-40 9.7h90M-40 12.7h90M-40 13.9h90M-40 20.8h90M3-.6v22.8M6-.6v22.8M7.3-.6v22.8"
      />
      <path
        className={styles['stem']}
        d="M3 20.8V1.2h8.2a5.75 5.75 0 0 1 0 11.5H6v8.1ZM6 4.2v5.5h5.2a2.75 2.75 0 0 0 0-5.5Z"
      />
      <path className={styles['bowl']} d="M7.3 13.9h6.65a3.45 3.45 0 0 1 0 6.9H7.3Z" />
    </svg>
  );
}

export function WaitingPage({ text }: { readonly text: string }) {
  usePageTitle(text);
  return (
    <main className={styles['alone']}>
      <div>
        <Mark className={styles['mark']} />
        <p className={styles['waiting']} role="status">
          <Spinner /> {text}
        </p>
      </div>
    </main>
  );
}

/** With a waiting page until the code of the next page has loaded. */
export function RedirectPage({ to, state }: { readonly to: string; readonly state?: unknown }) {
  return (
    <>
      <Navigate to={to} replace state={state} />
      <WaitingPage text={TEXTS.loading} />
    </>
  );
}
