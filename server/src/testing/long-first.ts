/** Order of the test files: long but small files start first, so that no worker waits for them at the end. */
import { relative } from 'node:path';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/** Without timings of earlier runs vitest starts the largest files first; these take longest per byte. */
const LONG = new Set([
  'e2e/offline.long.e2e.ts',
  'e2e/other-server.long.e2e.ts',
  'e2e/own-keys.long.e2e.ts',
  'server/src/authorisation/matrix.test.ts',
  'server/src/authorisation/random-walk.test.ts',
  'server/src/backups/backups.test.ts',
  'server/src/backups/retention.long.test.ts',
  'server/src/import/keepassxc.test.ts',
  'server/src/recovery/kill.test.ts',
  'server/src/recovery/kill.postgres.long.test.ts',
]);

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.has(relative(this.ctx.config.root, moduleId));
    // Keeps the order of the projects.
    return [...new Set(sorted.map(({ project }) => project))].flatMap((project) => {
      const own = sorted.filter((file) => file.project === project);
      return [...own.filter(isLong), ...own.filter((file) => !isLong(file))];
    });
  }
}
