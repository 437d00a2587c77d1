import { Suspense, useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { toast } from '@passwordbroker/ui/feedback/toast';
import { lazyPart } from '../../lib/chunk.ts';
import { useWhyNot } from '../../vault/use-vault.ts';
import { focusSearchBox } from '../search-box/focus-search-box.ts';
import { type Launch, launchOf } from './launch.ts';

const ActionDialog = lazyPart('ActionDialog', () => import('../../search/action-dialog.tsx'));

/** Does what the fragment of the address asks, once, and takes it out of the address. */
export function Launcher() {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const whyNot = useWhyNot();
  const [last, setLast] = useState('');
  const [newLogin, setNewLogin] = useState<Extract<Launch, { action: 'new login' }> | null>(null);
  if (last !== hash) {
    setLast(hash);
    const launch = launchOf(hash);
    if (launch?.action === 'new login' && whyNot === null) setNewLogin(launch);
  }
  useEffect(() => {
    const launch = launchOf(hash);
    if (launch === null) return;
    void navigate({ pathname, search }, { replace: true });
    if (launch.action === 'search') focusSearchBox();
    else if (whyNot !== null) toast(whyNot);
  }, [pathname, search, hash, whyNot, navigate]);
  if (newLogin === null) return null;
  return (
    <Suspense fallback={null}>
      <ActionDialog action="new login" start={newLogin} onClose={() => setNewLogin(null)} />
    </Suspense>
  );
}
