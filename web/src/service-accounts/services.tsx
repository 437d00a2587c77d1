import { useMemo, useState } from 'react';
import { Plus, Search } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { settings } from '@passwordbroker/core/contract/site/site';
import type { ServiceAccount } from '@passwordbroker/core/contract/users/service-accounts';
import { foldText } from '@passwordbroker/core/domain/search-text';
import { Button } from '@passwordbroker/ui/actions/button';
import { Badge } from '@passwordbroker/ui/display/badge';
import { Pager } from '@passwordbroker/ui/display/pager';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { Section } from '../account/section.tsx';
import { http } from '../page/page.ts';
import { useSession } from '../session/use-session.ts';
import { SERVICE_TEXTS as TEXTS } from '../texts/identity/services.ts';
import { useVault } from '../vault/use-vault.ts';
import { type Question, ServiceDialog } from './service-dialogs.tsx';
import { ServiceList } from './service-list.tsx';
import { formerOwners } from './service-states.ts';
import styles from './services.module.css';

/** On the account page: one's own. Nothing for people without any who may not make one. */
export function OwnServices() {
  const { user } = useSession();
  const { services, policy, mayAdd, ...list } = useServices();
  const [question, setQuestion] = useState<Question | null>(null);
  const own = services.filter(({ owner }) => owner?.user_id === user?.user_id);
  if (!mayAdd && own.length === 0) return null;
  return (
    <Section title={TEXTS.title} hint={TEXTS.hint} id="services" verbs={mayAdd && <AddButton onAsk={setQuestion} />}>
      {policy === 'off' && <p className={styles['off']}>{TEXTS.off}</p>}
      <ServiceList services={own} none={TEXTS.empty} isSite={false} {...list} onAsk={setQuestion} />
      <ServiceDialog question={question} onAsk={setQuestion} />
    </Section>
  );
}

const PER_PAGE = 20;

/** In the admin panel: those of all people. The page has the heading. */
export function AllServices() {
  const { services, policy, mayAdd, ...list } = useServices();
  const [question, setQuestion] = useState<Question | null>(null);
  const [typed, setTyped] = useState('');
  const [page, setPage] = useState(1);
  const found = useMemo(() => {
    const words = foldText(typed.trim());
    return services.filter(({ name, description, owner, former_owner }) =>
      foldText([name, description, owner?.name ?? former_owner ?? ''].join('\n')).includes(words),
    );
  }, [services, typed]);
  const lastPage = Math.max(1, Math.ceil(found.length / PER_PAGE));
  const shown = Math.min(page, lastPage);
  return (
    <section className={styles['site']} aria-label={TEXTS.title}>
      <div className={styles['tools']}>
        <p className={styles['hint']}>{TEXTS.siteHint}</p>
        <div className={styles['search']}>
          <TextField
            label={TEXTS.search}
            isLabelHidden
            type="search"
            placeholder={TEXTS.searchHint}
            start={<Search size={16} />}
            value={typed}
            onChange={(text) => {
              setTyped(text);
              setPage(1);
            }}
            autoComplete="off"
          />
        </div>
        {mayAdd && <AddButton onAsk={setQuestion} />}
      </div>
      {policy === 'off' && <MessageBox tone="info" lines={[TEXTS.off]} />}
      <LeftServices services={services} />
      <ServiceList
        services={found.slice((shown - 1) * PER_PAGE, shown * PER_PAGE)}
        none={typed === '' ? TEXTS.empty : TEXTS.noneFound}
        isSite
        {...list}
        onAsk={setQuestion}
      />
      {lastPage > 1 && (
        <Pager
          at={{ current_page: shown, last_page: lastPage, per_page: PER_PAGE, total: found.length }}
          onPage={setPage}
        />
      )}
      <ServiceDialog question={question} onAsk={setQuestion} />
    </section>
  );
}

const AddButton = ({ onAsk }: { readonly onAsk: (question: Question) => void }) => (
  <Button size="sm" icon={<Plus size={14} />} onPress={() => onAsk({ kind: 'add' })}>
    {TEXTS.add}
  </Button>
);

/** One sentence for each owner who left. */
function LeftServices({ services }: { readonly services: readonly ServiceAccount[] }) {
  const left = formerOwners(services);
  if (left.length === 0) return null;
  return <MessageBox tone="warning" lines={left.map(({ name, count }) => TEXTS.left(count, name))} />;
}

export interface MarkProps {
  /** Null: without an owner. Absent: not said. */
  readonly ownerName?: string | null | undefined;
}

/** Beside the name of a service account among people. */
export function ServiceMark({ ownerName }: MarkProps) {
  return (
    <span className={styles['mark']}>
      <Badge text={TEXTS.mark} />
      {ownerName !== undefined && (
        <span>{[ownerName === null ? TEXTS.states.noOwner : TEXTS.owner(ownerName), TEXTS.readOnly].join(', ')}</span>
      )}
    </span>
  );
}

const ALWAYS = { networkMode: 'always', retry: false, staleTime: 0 } as const;
const NONE: readonly ServiceAccount[] = [];

function useServices() {
  const { mode, write } = useVault();
  const { user } = useSession();
  const { data, error, isPending, dataUpdatedAt, refetch } = useQuery({
    queryKey: [mode, 'services'],
    queryFn: async ({ signal }) => (write === null ? NONE : (await write.services()).list(signal)),
    ...ALWAYS,
  });
  const { data: site } = useQuery({
    queryKey: [mode, 'services', 'policy'],
    queryFn: ({ signal }) => http.call(settings, { signal }),
    enabled: write !== null,
    ...ALWAYS,
  });
  const policy = site?.service_accounts;
  const mayAdd = write !== null && (policy === 'everyone' || (policy === 'admins' && user?.is_admin === true));
  return {
    services: data ?? NONE,
    policy,
    mayAdd,
    error,
    isPending,
    now: dataUpdatedAt,
    onRetry: () => void refetch(),
  };
}
