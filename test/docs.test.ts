import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { formatApiKey } from '../src/domain/accounts/api-key.js'

const pages = [
  ...readdirSync('.').filter((name) => name.endsWith('.md')),
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]

test.each(pages)('every link of %s to another file or heading of the repository has a target', (page) => {
  const links = [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
  for (const link of links.filter((each) => !/^[a-z]+:/.test(each))) {
    const [path = '', heading] = link.split('#')
    const target = path === '' ? page : join(dirname(page), path)
    expect(existsSync(target), `${page}: ${link}`).toBe(true)
    if (heading !== undefined) expect(headingsOf(target), `${page}: ${link}`).toContain(heading)
  }
})

// Paths in code spans; some pages name files of src without that folder.
test.each(pages)('every source file that %s names exists', (page) => {
  const named = [...textOf(page).matchAll(/`([\w.-]+(?:\/[\w.-]+)+\.(?:tsx?|sql|json|md|yml))`/g)]
  for (const [, path = ''] of named) {
    const isGenerated = /^(?:results|dist|node_modules)\//.test(path)
    const places = ['.', 'src', dirname(page)].map((folder) => join(folder, path))
    expect(isGenerated || places.some(existsSync), `${page}: ${path}`).toBe(true)
  }
})

test('the pattern for secret scanners finds the keys that are issued, and nothing shorter or longer', () => {
  const published = /^```\n(\\bwb_.*)\n```$/m.exec(readFileSync('SECURITY.md', 'utf8'))?.[1]
  const pattern = new RegExp(published ?? '(?!)', 'g')
  for (const owner of ['account', 'operator'] as const) {
    for (const bytes of [
      Buffer.alloc(24),
      Buffer.alloc(24, 255),
      ...Array.from({ length: 50 }, () => randomBytes(24)),
    ]) {
      const key = formatApiKey(owner, bytes)
      expect(`KEY="${key}"; ${key}, ${key}.`.match(pattern)).toEqual([key, key, key])
      for (const other of [key.slice(0, -1), `${key}0`, `x${key}`, key.replace('wb_', 'wb-')]) {
        expect(other.match(pattern), other).toBe(null)
      }
    }
  }
})

function textOf(page: string): string {
  // Code blocks have no links.
  return readFileSync(page, 'utf8').replaceAll(/^ *```[^]*?^ *```/gm, '')
}

function headingsOf(page: string): string[] {
  const titles = [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title)
  return titles.map((title) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
