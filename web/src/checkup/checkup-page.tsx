/** `/admin/checkup/` (docs/spec/decisions.md I16). */
import { type CheckupPoint, keepPoint } from '@passwordbroker/core/contract/site/checkup';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import admin from '../admin/admin.module.css';
import { Failed, Waiting } from '../admin/list-parts.tsx';
import { usePageTitle } from '../app/navigation/use-page-title.ts';
import { useMayChange } from '../session/use-session.ts';
import { CHECKUP_TEXTS as TEXTS } from '../texts/admin/checkup.ts';
import { Badge } from '@passwordbroker/ui/display/badge';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import styles from './checkup.module.css';
import { fixOf, pageOf, peopleOf, type Press, type PageLink } from './fixes.ts';
import { useCheckup, checkAgain } from './use-checkup.ts';
import { useQueryClient } from '@tanstack/react-query';
import { refusedLines } from '../admin/user-form/create-user.ts';
import { tellDone } from '../activity-log/activity-log.ts';
import { http } from '../page/page.ts';
import { freshSignIn } from '../page/vault.ts';

export function CheckupPage() {
  usePageTitle(TEXTS.page);
  const { data, error, isFetching, refetch } = useCheckup();
  return (
    <div className={admin['page']}>
      <header className={admin['head']}>
        <h1 className={admin['heading']}>{TEXTS.page}</h1>
      </header>
      {data === undefined && error === null && <Waiting text={TEXTS.loading} />}
      {error !== null && !isFetching && <Failed text={TEXTS.failed} failure={error} onRetry={() => void refetch()} />}
      {data !== undefined && (
        <>
          <p className={styles['summary']} role="status">
            {TEXTS.open(data.open)}
          </p>
          <p className={admin['hint']}>{TEXTS.hint}</p>
          <ul className={styles['points']}>
            {data.points.map((point) => (
              <Point key={point.point} point={point} />
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

const TONES = { open: 'warning', good: 'success', kept: 'plain' } as const;

function Point({ point }: { readonly point: CheckupPoint }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { busy, lines, settle, keep } = usePoint(point, () => {
    heading.current?.focus();
  });
  const { title, good, why } = TEXTS.points[point.point];
  const text = point.state === 'good' ? good : point.reason === null ? why : TEXTS.reasons[point.reason];
  const mayChange = useMayChange();
  const isOpen = mayChange && point.state === 'open';
  /** Null: not an open point, or the person may not change it. */
  const isKept = mayChange && point.state !== 'good' ? point.state === 'kept' : null;
  const controls = [(isOpen ? fixOf(point) : null) ?? pageOf(point), peopleOf(point)].filter((one) => one !== null);
  return (
    <li className={styles['point']} data-state={point.state}>
      <div className={styles['title']}>
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <Badge tone={TONES[point.state]} text={TEXTS.states[point.state]} />
      </div>
      <p className={styles['text']}>{text}</p>
      {lines.length > 0 && <MessageBox tone="danger" lines={lines} />}
      {(isKept !== null || controls.length > 0) && (
        <div className={`${admin['actions']} ${styles['actions']}`}>
          {controls.map((control) => (
            <Control
              key={control.label}
              control={control}
              title={title}
              busy={busy === 'fix'}
              onSettle={(fix) => void settle(fix)}
            />
          ))}
          {isKept !== null && (
            <Button
              size="sm"
              variant="ghost"
              label={`${isKept ? TEXTS.reopen : TEXTS.keep}: ${title}`}
              busy={busy === 'keep'}
              busyLabel={TEXTS.busy}
              onPress={() => void keep(!isKept)}
            >
              {isKept ? TEXTS.reopen : TEXTS.keep}
            </Button>
          )}
        </div>
      )}
    </li>
  );
}

interface ControlProps {
  readonly control: Press | PageLink;
  readonly title: string;
  readonly busy: boolean;
  readonly onSettle: (fix: Press) => void;
}

function Control({ control, title, busy, onSettle }: ControlProps) {
  if ('to' in control)
    return (
      <Link to={control.to} className={`${admin['back']} ${styles['link']}`} aria-label={`${control.label}: ${title}`}>
        {control.label}
      </Link>
    );
  return (
    <Button size="sm" busy={busy} busyLabel={control.busyLabel ?? TEXTS.busy} onPress={() => onSettle(control)}>
      {control.label}
    </Button>
  );
}

/** @param onDone the buttons changed, so the focus must move */
function usePoint({ point }: CheckupPoint, onDone: () => void) {
  const client = useQueryClient();
  const [busy, setBusy] = useState<'fix' | 'keep' | null>(null);
  const [lines, setLines] = useState<readonly string[]>([]);
  const { title } = TEXTS.points[point];

  async function run(which: 'fix' | 'keep', operation: () => Promise<{ readonly said: string | null }>, words: string) {
    if (busy !== null) return;
    setBusy(which);
    setLines([]);
    try {
      const done = await freshSignIn.tryRun(operation);
      if (done !== null) {
        await checkAgain(client);
        tellDone(done.said ?? words);
        onDone();
      }
    } catch (failure) {
      setLines(refusedLines(failure));
    }
    setBusy(null);
  }

  return {
    busy,
    lines,
    settle: (fix: Press) => run('fix', fix.run, TEXTS.done(title)),
    keep: (kept: boolean) =>
      run(
        'keep',
        async () => {
          await http.call(keepPoint, { body: { point, kept } });
          return { said: null };
        },
        kept ? TEXTS.keptDone(title) : TEXTS.reopened(title),
      ),
  };
}
