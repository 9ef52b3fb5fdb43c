import { readFileSync } from 'node:fs'

// The relative path is the same from the source and from every bundled file.
export const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}
