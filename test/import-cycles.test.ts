import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

/** The import graph of the whole program, including type imports, which linters ignore. */

const files = ['src', 'web'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => join(folder, path)),
)
const fileOf = new Map(files.map((file) => [file.replace(/\.tsx?$/, ''), file]))

function importsOf(file: string): string[] {
  const specifiers = [...readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+)\.js'/g)]
  return specifiers.flatMap(([, specifier]) => fileOf.get(normalize(join(dirname(file), specifier as string))) ?? [])
}

const graph = new Map(files.map((file) => [file, importsOf(file)]))

test('the import graph has no cycles, including type imports', () => {
  const finished = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, path: string[]) => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '))
    if (path.includes(file) || finished.has(file)) return
    for (const imported of graph.get(file) ?? []) visit(imported, [...path, file])
    finished.add(file)
  }
  for (const file of files) visit(file, [])
  expect(cycles).toEqual([])
})
