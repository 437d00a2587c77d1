import { catalogue } from '@passwordbroker/core/texts';

/** What can go wrong with a recovery kit. The screens have texts of their own. */
export const RECOVERY_KIT_TEXTS = catalogue('recoveryKitProblem', {
  notStored:
    'The server said that it saved your recovery kit, but it does not send it back. Do not rely on this kit. Tell the people who run this server.',
  recoveryNotStored:
    'The server said that it saved your new master password, but it still sends your keys as they were. Your recovery key still opens them. Tell the people who run this server.',
  recoveryUncertain:
    'The connection was lost before the server confirmed it. Either your new master password opens your vault, or your recovery key still does: try both.',
});
