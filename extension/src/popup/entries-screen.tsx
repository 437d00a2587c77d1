/** The open vault: what fits the page, then the search. */
import { useEffect, useState } from 'react';
import { Button, IconButton } from '@passwordbroker/ui/actions/button';
import { Glyph } from '@passwordbroker/ui/display/glyph';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import type { PageValues } from '../background/operations.ts';
import type { Accepted, Filling } from '../background/filling.ts';
import type { Item, Secrets } from '../keeper/entries.ts';
import type { PendingSave } from '../keeper/captures.ts';
import type { Matches } from '../keeper/matching.ts';
import type { Status } from '../keeper/session.ts';
import type { SeenTab } from '../seen-tab.ts';
import { EXTENSION_TEXTS as TEXTS } from '../texts/extension.ts';
import { api } from '../browser-api.ts';
import { EntryList } from './entry-list.tsx';
import { FillQuestion, refusalText } from './fill-question.tsx';
import { background, keeper, lookAtPage, type PageLook } from './parts.ts';
import { useAction } from './use-action.ts';
import { OfferSwitch, SaveOffer } from './save-offer.tsx';
import { SaveScreen } from './save-screen.tsx';
import styles from './popup.module.css';

interface Props {
  readonly status: Status;
  /** Null: it is asked for here. */
  readonly look: PageLook | null;
  readonly onStatus: (status: Status, told?: string) => void;
}

interface Asked {
  readonly item: Item;
  readonly accepted: readonly Accepted[];
  readonly form?: number;
  readonly filling: Extract<Filling, { result: 'ask' | 'which_form' }>;
}

const SEARCH_AFTER_MS = 150;

export function EntriesScreen({ status, look, onStatus }: Props) {
  const [tab, setTab] = useState<SeenTab | null | 'unknown'>('unknown');
  const [matches, setMatches] = useState<Matches | null>(null);
  const [query, setQuery] = useState('');
  const [found, setFound] = useState<readonly Item[] | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [saving, setSaving] = useState<PageValues | null>(null);
  const [pending, setPending] = useState<PendingSave | null>(null);
  const [told, setTold] = useState<{ readonly tone: 'danger' | 'success'; readonly text: string } | null>(null);

  const failed = (failure: unknown) => void tell(failure);
  const tell = async (failure: unknown) => {
    const text = reasonOf(failure);
    setTold({ tone: 'danger', text });
    // It may have been locked meanwhile.
    onStatus(await keeper('status'), text);
  };
  const [running, run] = useAction<'fill' | 'copy' | 'read'>(failed);

  useEffect(() => {
    const page = look ?? lookAtPage();
    void Promise.all([page.tab.then(setTab), page.pending.then(setPending), page.matches.then(setMatches)]).catch(
      failed,
    );
    // Once for each opening of the popup.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  useEffect(() => {
    if (query.trim() === '') return setFound(null);
    let isOver = false;
    const timer = setTimeout(() => {
      keeper('search', { query }).then((rows) => isOver || setFound(rows), failed);
    }, SEARCH_AFTER_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
    // oxlint-disable-next-line react/exhaustive-deps
  }, [query]);

  const fill = async (item: Item, accepted: readonly Accepted[] = [], form?: number) => {
    setTold(null);
    if (tab === null || tab === 'unknown') return;
    const { tabId } = tab;
    const filling = await background('fill', { tabId, entry: item, accepted, ...(form !== undefined && { form }) });
    if (filling.result === 'filled') {
      setAsked(null);
      if (filling.isPartly) return setTold({ tone: 'danger', text: TEXTS.filledPartly });
      if (filling.isCodeMissing) return setTold({ tone: 'danger', text: TEXTS.codeNotCopied });
      setTold({ tone: 'success', text: TEXTS.filled });
      // Left open in a window of its own, where nobody closes it.
      window.close();
    } else if (filling.result === 'refused') {
      setAsked(null);
      setTold({ tone: 'danger', text: refusalText(filling, item.title) });
    } else setAsked({ item, accepted, filling, ...(form !== undefined && { form }) });
  };

  const copy = async (item: Item, what: keyof Secrets) => {
    setTold({ tone: 'success', text: TEXTS.copied(await keeper('copy', { entry: item, what })) });
  };

  if (asked !== null)
    return (
      <FillQuestion
        {...asked}
        page={tab === null || tab === 'unknown' ? '' : tab.address}
        onAnswer={(accepted, form) =>
          fill(asked.item, accepted, form ?? asked.form).catch((failure: unknown) => {
            setAsked(null);
            failed(failure);
          })
        }
        onCancel={() => setAsked(null)}
      />
    );

  const beginSaving = async ({ tabId }: SeenTab) => {
    const values = await background('pageValues', { tabId });
    if (values === null) setTold({ tone: 'danger', text: TEXTS.unreadable });
    else setSaving(values);
  };
  const endSave = async () => {
    if (pending === null) return;
    setPending(null);
    await keeper('endSave', { tabId: pending.tabId });
    await background('refreshMark');
  };
  if (pending !== null && saving === null) {
    const save = async () => {
      setMatches(await keeper('matches', { address: pending.address }));
      setSaving({ ...pending, newPasswords: 0 });
    };
    return <SaveOffer pending={pending} onSave={save} onEnd={endSave} onFailed={failed} />;
  }
  const savingTab = pending?.tabId ?? (tab === 'unknown' ? undefined : tab?.tabId);
  if (saving !== null && savingTab !== undefined)
    return (
      <SaveScreen
        tabId={savingTab}
        values={saving}
        matches={matches?.exact ?? []}
        onDone={(text) => {
          setSaving(null);
          const isOver = text === null ? keeper('dropSave') : Promise.resolve();
          void isOver.then(endSave).catch(failed);
          if (text !== null) setTold({ tone: 'success', text });
        }}
      />
    );

  const canFill = tab !== null && tab !== 'unknown';
  const actions = {
    onFill: canFill ? (item: Item) => run('fill', () => fill(item)) : null,
    onCopy: (item: Item, what: keyof Secrets) => run('copy', () => copy(item, what)),
  };
  return (
    <main className={styles['page']} aria-busy={running !== null || undefined}>
      <header className={styles['bar']}>
        <TextField
          label={TEXTS.search}
          isLabelHidden
          placeholder={TEXTS.search}
          type="search"
          value={query}
          onChange={setQuery}
          autoFocus
        />
        <IconButton
          label={TEXTS.lock}
          icon={<Glyph of="lock" />}
          align="end"
          onPress={() =>
            void keeper('lock')
              .then(onStatus)
              .finally(() => background('refreshMark'))
          }
        />
      </header>
      <h1 className={styles['hidden']}>PasswordBroker</h1>
      {told !== null && <MessageBox tone={told.tone} lines={[told.text]} />}
      {found !== null ? (
        <EntryList heading={TEXTS.found} items={found} verb={TEXTS.use} {...actions} empty={TEXTS.nothingFound} />
      ) : (
        <PageMatches tab={tab} matches={matches} {...actions} />
      )}
      <footer className={styles['verbs']}>
        {tab !== null && tab !== 'unknown' && (
          <Button size="sm" busy={running === 'read'} onPress={() => run('read', () => beginSaving(tab))}>
            {TEXTS.savePage}
          </Button>
        )}
        {tab !== null && tab !== 'unknown' && (
          <OfferSwitch
            tab={tab}
            server={status.server}
            onTold={(text) => setTold({ tone: 'success', text })}
            onFailed={failed}
          />
        )}
        <Button size="sm" variant="ghost" onPress={() => void api.runtime.openOptionsPage()}>
          {TEXTS.settings}
        </Button>
      </footer>
      <p className={styles['foot']}>{status.person?.email}</p>
    </main>
  );
}

interface PageMatchesProps {
  readonly tab: SeenTab | null | 'unknown';
  readonly matches: Matches | null;
  readonly onFill: ((item: Item) => void) | null;
  readonly onCopy: (item: Item, what: keyof Secrets) => void;
}

function PageMatches({ tab, matches, ...actions }: PageMatchesProps) {
  if (tab === null) return <p className={styles['text']}>{TEXTS.noPage}</p>;
  if (tab === 'unknown' || matches === null) return null;
  const { exact, sameDomain, httpsOnly, closedGroups } = matches;
  return (
    <>
      <EntryList
        heading={matches.host}
        items={exact}
        verb={TEXTS.fill}
        {...actions}
        empty={TEXTS.noMatch(matches.host)}
      />
      {httpsOnly.map(({ entryId, title }) => (
        <p key={entryId} className={styles['text']}>
          {TEXTS.httpsOnly(title)}
        </p>
      ))}
      {sameDomain.length > 0 && (
        <EntryList heading={TEXTS.sameDomain} items={sameDomain} verb={TEXTS.use} {...actions} empty="" />
      )}
      {closedGroups > 0 && <p className={styles['text']}>{TEXTS.closedGroups(closedGroups)}</p>}
    </>
  );
}
