import { catalogue } from '@passwordbroker/core/texts';

const links = (count: number) => (count === 1 ? '1 link' : `${count} links`);

export const SITE_TEXTS = catalogue('sites', {
  title: 'Prepare links for the browser extension',
  unprepared: (count: number) =>
    `${links(count)} of this group ${count === 1 ? 'has' : 'have'} no site rule yet. To make ${count === 1 ? 'it' : 'them'}, this browser opens ${count === 1 ? 'this link' : 'these links'} once; it is recorded in ${count === 1 ? 'its' : 'their'} history.`,
  allPrepared: 'Every link of this group has a site rule.',
  prepare: 'Open and prepare',
  pendingAction: 'prepare links',
  progress: (done: number, total: number) => `${done} of ${total}`,
  preparing: 'Preparing',
  cancel: 'Cancel',
  prepared: (count: number) => `${links(count)} prepared.`,
  preparedAndOthers: (count: number, others: number) =>
    `${links(count)} prepared, ${others} ${others === 1 ? 'is no web address' : 'are no web addresses'}.`,
  cancelled: 'Cancelled. What was prepared stays.',
});
