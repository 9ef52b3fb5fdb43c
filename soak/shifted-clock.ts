import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Clocks with an offset that can change while a program runs. */
export type ShiftedClock = {
  /** Sets the offset in seconds. */
  shift: (seconds: number) => void
}

/** For Waybill: Node flags that replace `Date`. */
export function shiftedDate(folder: string): ShiftedClock & { nodeFlags: string[] } {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'seconds-ahead')
  const shift = (seconds: number) => writeFileSync(file, String(seconds))
  shift(0)
  const source = `
    import { readFileSync } from 'node:fs'
    const now = Date.now
    let ahead = 0
    const read = () => { ahead = Number(readFileSync(${JSON.stringify(file)}, 'utf8')) * 1000 }
    read()
    setInterval(read, 20).unref()
    const shifted = () => now() + ahead
    globalThis.Date = new Proxy(Date, {
      construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [shifted()] : given, made),
      get: (target, name) => (name === 'now' ? shifted : target[name]),
    })`
  return { shift, nodeFlags: ['--import', `data:text/javascript,${encodeURIComponent(source)}`] }
}

// Replaces the time functions of the C library. The offset is in shared memory: a file of eight bytes.
const shim = `
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static volatile const long long *ahead;
__attribute__((constructor)) static void attach(void) {
  const char *path = getenv("SECONDS_AHEAD");
  int file = path ? open(path, O_RDONLY) : -1;
  if (file < 0) return;
  void *memory = mmap(NULL, 8, PROT_READ, MAP_SHARED, file, 0);
  if (memory != MAP_FAILED) ahead = memory;
  close(file);
}
int clock_gettime(clockid_t clock, struct timespec *now) {
  int result = syscall(SYS_clock_gettime, clock, now);
  if (ahead && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += *ahead;
  return result;
}
int gettimeofday(struct timeval *now, void *zone) {
  struct timespec exact;
  int result = clock_gettime(CLOCK_REALTIME, &exact);
  now->tv_sec = exact.tv_sec;
  now->tv_usec = exact.tv_nsec / 1000;
  return result;
}
time_t time(time_t *now) {
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  if (now) *now = exact.tv_sec;
  return exact.tv_sec;
}
`

/** For PostgreSQL: environment variables. Undefined without a C compiler. */
export function shiftedLibraryClock(
  folder: string,
): (ShiftedClock & { environment: Record<string, string> }) | undefined {
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  const [source, library, file] = [join(folder, 'clock.c'), join(folder, 'clock.so'), join(folder, 'seconds-ahead-c')]
  writeFileSync(source, shim)
  if (spawnSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source], { stdio: 'ignore' }).status !== 0)
    return undefined
  writeFileSync(file, Buffer.alloc(8), { mode: 0o644 })
  return {
    environment: { LD_PRELOAD: library, SECONDS_AHEAD: file },
    shift(seconds) {
      const bytes = Buffer.alloc(8)
      bytes.writeBigInt64LE(BigInt(seconds))
      const memory = openSync(file, 'r+')
      writeSync(memory, bytes, 0, 8, 0)
      closeSync(memory)
    },
  }
}
