/** Says that a newer build is ready, and brings it. Nothing is reloaded behind anybody's back: a form may be half filled. */
import { RefreshCw } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { FRAME_TEXTS as TEXTS } from '../../texts/frame.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { keepThisBuild, newBuild } from './kept-build.ts';

export function NewBuildNotice() {
  const isReady = useSyncExternalStore(newBuild.subscribe, newBuild.isReady);
  useEffect(() => {
    // The files are fetched when the page has what it needs itself.
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
