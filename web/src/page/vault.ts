/** The composition root of what loads after sign-in, or before it where keys or local copies are needed. */
import { forgetWithSession } from '@passwordbroker/client/master-password/forget-with-session';
import { createFreshSignIn } from '@passwordbroker/client/session/fresh-sign-in';
import type { UpkeepNotice } from '@passwordbroker/client/vault/upkeep';
import { createVaultPart } from '@passwordbroker/client/vault-part';
import { activityLog } from '../activity-log/activity-log.ts';
import { weakMasterPassword } from '../master-password/weak-master-password.ts';
import { ROTATION_TEXTS } from '../texts/groups/trust.ts';
import { createTrustQuestions } from '../trust/questions/trust-questions.ts';
import { createQueries } from '../vault/queries.ts';
import { session, signInPart } from './page.ts';
import { platform } from './platform.ts';

export const freshSignIn = createFreshSignIn();
session.subscribe(() => {
  if (session.view().user === null) freshSignIn.cancel();
});

export const trustQuestions = createTrustQuestions();
forgetWithSession({ forget: trustQuestions.cancel }, session);

export const { keyring, lockAfter, masterPassword, offline, vault } = createVaultPart(platform, signInPart, {
  onEntered: (entered) => void weakMasterPassword.judge(entered),
  ask: trustQuestions.ask,
  onKeptUp: tellKeptUp,
});

export const queries = createQueries({ session, offline, keyring });

function tellKeptUp({ rotated, failed }: UpkeepNotice): void {
  if (rotated > 0) activityLog.add(ROTATION_TEXTS.keptUp(rotated));
  if (failed > 0) activityLog.add(ROTATION_TEXTS.notKeptUp(failed), { isFailure: true });
}
