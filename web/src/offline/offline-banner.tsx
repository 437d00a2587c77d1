/** Banner while the database is offline: age of the copy, and a button to go online. */
import { useEffect, useState } from 'react';
import { DatabaseX } from 'lucide-react';
import { formatTime } from '../lib/format.ts';
import { OFFLINE_TEXTS as TEXTS } from '../texts/offline.ts';
import { Banner } from '@passwordbroker/ui/feedback/banner';
import { ageText, OLD_COPY_SECONDS } from '@passwordbroker/client/offline/parts/copy-age';
import { ToOnline } from './to-online.tsx';
import { useOffline } from './use-offline.ts';

const REDRAW_MS = 60_000;

export function OfflineBanner() {
  const { databaseMode, copyOf } = useOffline();
  return databaseMode === 'offline' ? <CopyInUse copyOf={copyOf} /> : null;
}

/** @param props.copyOf Unix seconds; null if unknown */
function CopyInUse({ copyOf }: { readonly copyOf: number | null }) {
  const now = useNow();
  const age = copyOf === null ? null : now / 1000 - copyOf;
  return (
    <Banner tone="warning" icon={<DatabaseX size={16} />} action={<ToOnline />}>
      <b>{TEXTS.banner}</b>{' '}
      {copyOf === null || age === null
        ? TEXTS.bannerUnknown
        : TEXTS.bannerText(formatTime(copyOf * 1000), ageText(age))}
      {age !== null && age > OLD_COPY_SECONDS && ` ${TEXTS.oldCopy}`}
    </Banner>
  );
}

function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), REDRAW_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
