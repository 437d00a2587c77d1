import { useEffect } from 'react';

/** The title of the tab while this page is shown. It names nothing of a person who is not signed in any more. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} | PasswordBroker`;
  }, [title]);
}
