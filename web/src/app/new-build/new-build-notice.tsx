/** Offers to reload when a newer build is ready. Never reloads by itself: a form may be half filled. */
import { RefreshCw } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { FRAME_TEXTS as TEXTS } from '../../texts/frame.ts';
import { Banner } from '@passwordbroker/ui/feedback/banner';
import { Button } from '@passwordbroker/ui/actions/button';
import { keepThisBuild, newBuild } from './kept-build.ts';

export function NewBuildNotice() {
  const isReady = useSyncExternalStore(newBuild.subscribe, newBuild.isReady);
  useEffect(() => {
    // When idle, after the page has loaded its own files.
    const waiting = requestIdleCallback(() => void keepThisBuild());
    return () => cancelIdleCallback(waiting);
  }, []);
  if (!isReady) return null;
  return (
    <Banner
      icon={<RefreshCw size={16} />}
      action={
        <Button size="sm" onPress={() => location.reload()}>
          {TEXTS.reloadNow}
        </Button>
      }
    >
      <b>{TEXTS.newBuild}</b> {TEXTS.newBuildHint}
    </Banner>
  );
}
