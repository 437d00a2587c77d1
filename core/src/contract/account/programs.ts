/** A program without a browser of its own signs in by one where the person is signed in (docs/adr/0044-sign-in-of-programs.md). */
import * as z from 'zod/mini';
import { LIMITS } from '../../domain/limits.ts';
import { endpoint } from '../endpoint.ts';
import { text } from '../inputs.ts';
import { factorCode, SignedIn } from './factors.ts';

export const admitProgram = endpoint({
  method: 'POST',
  path: '/identity/api/programs',
  summary:
    'Lets the program in that made this challenge: the SHA-256 of its secret in hex. The code is shown once: the person types it into the program within five minutes',
  access: 'signed-in',
  fresh: true,
  browserOnly: true,
  body: { schema: z.object({ challenge: text({ max: 64 }) }) },
  answer: { status: 201, schema: z.object({ code: z.string(), expires_at: z.string() }) },
});

export const loginProgram = endpoint({
  method: 'POST',
  path: '/identity/api/login/program',
  summary:
    'Signs a program in by a bearer token, with its secret and the code of `programs`, once. The token is as strong as the session that let it in. The fifth wrong code ends the admission',
  access: 'anyone',
  worksOnFullDisk: true,
  body: {
    schema: z.object({
      secret: text({ max: LIMITS.ticket }),
      code: factorCode(),
      token_name: text({ trim: true, line: true, max: LIMITS.tokenName }),
    }),
  },
  answer: { status: 200, schema: SignedIn },
});
