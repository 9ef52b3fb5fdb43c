import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Words that code, comments, texts and documentation avoid, with those to use instead (CONTRIBUTING.md, Style). */
const avoided: Record<string, string> = {
  said: 'reported, stated, set',
  told: 'reported, notified',
  remember: 'store, cache, record',
  remembers: 'stores, caches, records',
  remembered: 'stored, cached, recorded',
  recalled: 'cached',
  shelf: 'response cache',
  coalesced: 'batched',
  mend: 'fix',
  mended: 'fixed',
  hole: 'vulnerability, gap',
  holes: 'vulnerabilities, gaps',
  crew: 'worker pool',
  heard: 'reported, received',
  believe: 'use, take precedence',
  believed: 'used, takes precedence',
  judge: 'validate',
  judged: 'validated',
  wish: 'query',
  glance: 'overview',
  patience: 'timeout',
  keyholder: 'principal',
  'key holder': 'principal',
  'vital signs': 'health',
  'keeping up': 'indexing',
}

/** Where such a word is meant as it is: the file, or a folder, the text in which it stands, and why. */
const allowed: [path: string, text: RegExp, reason: string][] = [
  ['test/words.test.ts', /./, 'lists the words'],
  ['src/usecases/people/data/common-passwords.txt', /./, 'passwords'],
  ['src/geography/', /Port Said/, 'a port'],
  ['web/portal/map/named-places.ts', /Port Said/, 'a port'],
  ['src/domain/tracking/explanation-texts.ts', /, said on \$/, 'the sentence that customers read'],
  ['src/contract/public/examples.ts', /, said on /, 'the sentence that customers read'],
  ['test/api/public/explanation.test.ts', /, said on /, 'the sentence that customers read'],
  ['docs/mcp.md', /, said on /, 'the sentence that customers read'],
  ['src/usecases/messages/event-plan.ts', /'said'/, 'part of stored identifiers'],
  ['src/database/migrate.ts', /crew/i, 'the recorded name of a migration'],
  ['src/domain/tracking/phrase-context.ts', /\bcrew\b/, 'words of carriers'],
  ['test/api/portal/', /\bShelf\b/, 'a column of a customer'],
  ['test/web/browser/order-upload.test.ts', /\bShelf\b/, 'a column of a customer'],
  ['test/api/portal/second-factors.test.ts', /remember: true/, 'a field that no operation has'],
]

const files = execFileSync('git', ['ls-files', 'src', 'web', 'docs', 'scripts', 'bench', 'soak', 'test', '*.md'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /\.(?:tsx?|mjs|cjs|sql|css|html|md|txt)$/.test(path))

const pattern = new RegExp(String.raw`\b(?:${Object.keys(avoided).join('|')})\b`, 'gi')

/** With the words of an identifier apart: `isStored` has two. */
function wordsOf(line: string): string {
  return line.replace(/([a-z\d])(?=[A-Z])/g, '$1 ')
}

test('code, texts and documentation use plain technical words', () => {
  const found = files.flatMap((path) => {
    const rules = allowed.filter(([place]) => path.startsWith(place))
    return readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        const words = [...wordsOf(line).matchAll(pattern)].map(([word]) => word.toLowerCase())
        if (words.length === 0 || rules.some(([, text]) => text.test(line))) return []
        return words.map((word) => `${path}:${index + 1} has "${word}"; write: ${avoided[word]}`)
      })
  })
  expect(found).toEqual([])
})

test('every place where an avoided word is allowed still has one', () => {
  const unused = allowed.filter(
    ([place, text]) =>
      !files.some(
        (path) =>
          path.startsWith(place) &&
          readFileSync(path, 'utf8')
            .split('\n')
            .some((line) => wordsOf(line).search(pattern) !== -1 && text.test(line)),
      ),
  )
  expect(unused.map(([place]) => place)).toEqual([])
})
