/** The order of the files of a run: what takes long and is small begins first, so that at the end nobody waits for one of two. */
import { relative } from 'node:path';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/** Without a record of earlier runs, as on a clean clone, vitest takes the larger files for the longer ones; of these each byte takes most. */
const LONG = new Set([
  'e2e/offline.e2e.ts',
  'e2e/other-server.long.e2e.ts',
  'e2e/own-keys.long.e2e.ts',
  'server/src/authorisation/matrix.test.ts',
  'server/src/authorisation/random-walk.test.ts',
  'server/src/backups/backups.test.ts',
  'server/src/backups/retention.test.ts',
  'server/src/import/keepassxc.test.ts',
  'server/src/recovery/kill.test.ts',
  'server/src/recovery/kill.postgres.test.ts',
]);

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.has(relative(this.ctx.config.root, moduleId));
    // One project after the other, as they are.
    return [...new Set(sorted.map(({ project }) => project))].flatMap((project) => {
      const own = sorted.filter((file) => file.project === project);
      return [...own.filter(isLong), ...own.filter((file) => !isLong(file))];
    });
  }
}
