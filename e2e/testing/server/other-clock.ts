/**
 * Runs a program with a wrong clock, child processes included: a browser with its workers, service worker and
 * cookies. A preloaded C library adds some seconds to the wall clock; `CLOCK_MONOTONIC` is unchanged.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SOURCE = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static int (*real)(clockid_t, struct timespec *);
static long seconds;

__attribute__((constructor)) static void begin(void) {
  const char *told = getenv("CLOCK_OFF_SECONDS");
  seconds = told == NULL ? 0 : atol(told);
  real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
}
int clock_gettime(clockid_t clock, struct timespec *now) {
  if (real == NULL) begin();
  int failed = real(clock, now);
  if (failed == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += seconds;
  return failed;
}
int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec exact;
  int failed = clock_gettime(CLOCK_REALTIME, &exact);
  (void)zone;
  now->tv_sec = exact.tv_sec;
  now->tv_usec = exact.tv_nsec / 1000;
  return failed;
}
time_t time(time_t *now) {
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  if (now != NULL) *now = exact.tv_sec;
  return exact.tv_sec;
}
`;

/** A C compiler, which is not among our packages. */
const COMPILER = process.env['CC'] ?? 'cc';

/** Whether there is a C compiler, which `makeOtherClock` needs. */
export const hasCompiler = (): boolean => spawnSync(COMPILER, ['--version']).status === 0;

export interface OtherClock {
  /** Environment variables for the program. @param seconds ahead of the true time */
  env(seconds: number): Readonly<Record<string, string>>;
  remove(): void;
}

export function makeOtherClock(): OtherClock {
  const folder = mkdtempSync(join(tmpdir(), 'passwordbroker-clock-'));
  const [source, library] = [join(folder, 'clock.c'), join(folder, 'clock.so')];
  writeFileSync(source, SOURCE);
  execFileSync(COMPILER, ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl']);
  return {
    env: (seconds) => ({ LD_PRELOAD: library, CLOCK_OFF_SECONDS: String(seconds) }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
