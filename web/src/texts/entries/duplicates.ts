import { catalogue } from '@passwordbroker/core/texts';

/** Of entries that look like existing ones, before an import. */
export const DUPLICATE_TEXTS = catalogue('duplicates', {
  same: (count: number) =>
    count === 1 ? '1 entry looks like one you have' : `${count} entries look like ones you have`,
  forAll: 'All entries that look like ones you have',
  skip: 'Skip',
  addAsNew: 'Add as new',
  revise: 'New version',
  reviseHint:
    'This opens the present values here; each is recorded in its history. Equal values are skipped, others get a new version, and nothing is removed.',
  exceptions: 'Decide one by one',
  compare: 'Compare values first',
  /** `count`: values at most. */
  compareHint: (count: number) =>
    `This opens up to ${count} ${count === 1 ? 'value' : 'values'} here; each is recorded in its history.`,
  comparing: (done: number, total: number) => `Comparing ${done} of ${total} values`,
  stop: 'Stop',
  compared: (equal: number, differing: number) =>
    `${equal} ${equal === 1 ? 'is' : 'are'} equal and will be skipped. ${differing} ${differing === 1 ? 'differs' : 'differ'}.`,
  equal: 'equal, skipped',
  /** `titles` of fields, never values. */
  differs: (titles: string) => `differs: ${titles}`,
  elsewhere: (count: number) =>
    count === 1 ? '1 entry looks like one in another group' : `${count} entries look like ones in other groups`,
  elsewhereHint: 'They are added as new unless you skip them.',
  isIn: (group: string) => `in “${group}”`,
  andMore: (count: number) => `and ${count} more`,
});
