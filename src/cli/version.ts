import { readFileSync } from 'node:fs'

// Whichever file of the bundle it comes to lie in, the way is the same.
export const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}
