/**
 * Room on the disk that an archive goes to: as restores and uploads, it leaves some for everything else. The vault's own writes are on the same disk,
 * unless the folder of the backups is on another one.
 */
import { Transform } from 'node:stream';
import { LOOK_EVERY, hasRoom } from '../../platform/storage/free-space.ts';
import { ArchiveError } from './archive-problem.ts';

/** Before anything is written. `bytes`: what is known of its size. @throws ArchiveError `space` */
export async function demandRoomFor(folder: string, bytes: number): Promise<void> {
  if (!(await hasRoom(folder, { bytes, files: 1 }))) throw new ArchiveError('space', 'archive');
}

/** Passes all on, and fails with ArchiveError `space` before the piece that the disk of `folder` should not take. */
export function keepRoom(folder: string): Transform {
  let allowed = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const pass = () => {
        allowed -= chunk.length;
        done(null, chunk);
      };
      if (allowed >= chunk.length) return pass();
      allowed = Math.max(LOOK_EVERY, chunk.length);
      demandRoomFor(folder, allowed).then(pass, done);
    },
  });
}
