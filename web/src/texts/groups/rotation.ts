const behind = (skipped: number) =>
  skipped === 0 ? '' : `. ${skipped} older ${skipped === 1 ? 'value' : 'values'} could not be opened and stayed behind`;

const groups = (count: number) => `${count} ${count === 1 ? 'group' : 'groups'}`;

export const ROTATION_TEXTS = {
  keptUp: (count: number) => `Keys of ${groups(count)} changed, because somebody left`,
  notKeptUp: (count: number) => `Keys of ${groups(count)} could not be changed completely: look at their users`,
  dueTitle: 'The key of this group is to be changed',
  due: 'Somebody left. Until the key is changed, what is written here could still be opened with the keys of that person.',
  honest:
    'Changing the key protects what is written from now on. What a person has read before, that person may have kept: change those values.',
  start: 'Change the key now',
  running: 'Changing the key',
  runningTitle: 'The key of this group is being changed',
  keepOpen:
    'New values are safe already. Whatever is left when you close this page can be finished later, by any admin.',
  stop: 'Stop',
  failedTitle: 'The key of this group was not changed completely',
  failed: (reason: string) => `${reason} What is done stays done.`,
  failedHere: 'It goes on at the next unlock, or now. What is done stays done.',
  retry: 'Go on',
  action: (group: string) => `change the key of “${group}”`,
  done: (group: string, skipped: number) => `Key of "${group}" changed${behind(skipped)}`,
  waitForAdmin: 'An admin of this group has to do it.',
  unsure: 'First compare the keys of these members: they are others than the signed ones. Or remove the member.',
  compare: 'Compare keys',
  convert: 'Sign the list of members',
  confirming: 'Confirming',
  member: (name: string, role: string) => `${name}, ${role}`,
} as const;
