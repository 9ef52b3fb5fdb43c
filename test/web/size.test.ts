import { expect, test } from 'vitest'
import { firstLoad } from '../../scripts/browser-files.js'

/** The size of the first page, by the manifest of the build. */

test('the list of shipments loads at most 250 kB, including its first rows', async () => {
  const parts = await firstLoad('pages/shipments/shipments-page.tsx')
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0)
  expect(bytes).toBeLessThanOrEqual(226_000)
})

test('the first page loads neither the map, nor the schemas of the contract, nor form components', async () => {
  const parts = await firstLoad('pages/shipments/shipments-page.tsx')
  const names = parts.map(({ file }) => file)
  expect(names.filter((name) => /map|validation|shared-types|dialog|choices|password-field/.test(name))).toEqual([])
})
