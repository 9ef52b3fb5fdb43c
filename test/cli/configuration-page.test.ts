import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { settingNames } from '../../src/cli/settings.js'

test('docs/configuration.md lists exactly the settings that the program reads', () => {
  const rows = readFileSync('docs/configuration.md', 'utf8').matchAll(/^\| (`[A-Z_`, ]+`) \|/gm)
  const listed = [...rows].flatMap(([, names = '']) => [...names.matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name))
  expect(settingNames().length).toBeGreaterThan(20)
  expect(listed.toSorted()).toEqual(settingNames().toSorted())
})
