import { afterAll } from 'vitest'

/** Services that tests have started. They are closed after the tests of their file, wherever they were started. */
const closers = new Set<() => Promise<void>>()

export function closeAfterFile(close: () => Promise<void>): void {
  closers.add(close)
  // Before what was opened earlier, such as a database of its own. Vitest ignores hooks of a running test.
  afterAll(() => closeOnce(close))
}

export async function closeServices(): Promise<void> {
  await Promise.all([...closers].map(closeOnce))
}

async function closeOnce(close: () => Promise<void>): Promise<void> {
  if (closers.delete(close)) await close()
}
