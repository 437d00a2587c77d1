/** docs/spec/api.md §3.11. */
import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';

export const setup = endpoint({
  method: 'GET',
  path: '/system/api/setup',
  summary: 'What a client must know before sign-in',
  access: 'anyone',
  answer: {
    status: 200,
    schema: z.object({
      initialised: z.boolean(),
      setup_token_required: z.boolean(),
      server_crypto: z.enum(['allowed', 'off']),
      password_policy: z.enum(['warn', 'strict']),
      /** Only under the policy `strict`. */
      password_min_length: z.optional(z.number()),
      password_min_score: z.optional(z.number()),
      /** Older servers omit it. */
      require_verified_members: z.optional(z.boolean()),
      offline_allowed: z.boolean(),
      version: z.string(),
      /** Of this contract: a program says its own in the header X-PB-Client. Older servers omit it. */
      contract: z.optional(z.object({ current: z.number(), oldest: z.number() })),
    }),
  },
});

export const storage = endpoint({
  method: 'GET',
  path: '/system/api/storage',
  summary: 'What is stored, what the quotas are, and the disk of the server',
  access: 'site-reader',
  answer: {
    status: 200,
    schema: z.object({
      /** Files and texts above 1 KiB, with old versions and trash. */
      stored_bytes: z.number(),
      site_quota_bytes: z.number(),
      person_quota_bytes: z.number(),
      disk: z.object({
        total_bytes: z.number(),
        free_bytes: z.number(),
        margin_bytes: z.number(),
        /** Problem and next step; null while enough is free. */
        problem: z.nullable(z.string()),
      }),
    }),
  },
});

export const openapi = endpoint({
  method: 'GET',
  path: '/system/api/openapi.json',
  summary: 'This contract as OpenAPI 3.1',
  access: 'anyone',
  answer: { status: 200, schema: z.record(z.string(), z.unknown()) },
});

export const health = endpoint({
  method: 'GET',
  path: '/health',
  summary: 'The process lives',
  access: 'anyone',
  answer: { status: 200, schema: z.object({ status: z.literal('ok') }) },
});

const check = z.enum(['ok', 'failed']);
export const ready = endpoint({
  method: 'GET',
  path: '/ready',
  summary: 'The process can serve: database, migrations, storage (503 otherwise)',
  access: 'anyone',
  answer: {
    status: 200,
    schema: z.object({
      status: z.enum(['ready', 'not_ready']),
      checks: z.object({
        database: check,
        migrations: check,
        storage: check,
        /** Signing in is impossible: Argon2 cannot be loaded. */
        key_derivation: z.optional(z.literal('failed')),
      }),
      /** Present while the disk is nearly full. */
      message: z.optional(z.string()),
    }),
  },
});

export const metrics = endpoint({
  method: 'GET',
  path: '/metrics',
  summary: 'Prometheus text, for collectors on the same machine and site admins; 404 for others',
  access: 'anyone',
  answer: { status: 200, type: 'text/plain; version=0.0.4; charset=utf-8' },
});
