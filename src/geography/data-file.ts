import { readFileSync } from 'node:fs'

/** Reads a file of `data`, which scripts/geography-data.ts generates and the build copies to `dist`. */
export function readData(name: string): unknown {
  // A built module is in another folder next to `geography`.
  return JSON.parse(readFileSync(new URL(`../geography/data/${name}`, import.meta.url), 'utf8'))
}
