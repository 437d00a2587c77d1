/** The session of this page for components. */
import { useSyncExternalStore } from 'react';
import { type SessionView, session } from './session.ts';

export function useSession(): SessionView {
  return useSyncExternalStore(session.subscribe, session.view);
}
