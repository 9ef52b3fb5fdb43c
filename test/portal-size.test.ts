import { expect, test } from 'vitest'
import { firstLoad } from '../scripts/portal-files.js'

/** The portal is light: what is sent before somebody sees a page, by the manifest of the build. */

test('the list of shipments is there with 250 kB, with room for its first rows', async () => {
  const parts = await firstLoad('pages/shipments/shipments-page.tsx')
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0)
  expect(bytes).toBeLessThanOrEqual(225_000)
})

test('what it loads holds neither the map nor the schemas of the contract nor the components of forms', async () => {
  const parts = await firstLoad('pages/shipments/shipments-page.tsx')
  const names = parts.map(({ file }) => file)
  expect(names.filter((name) => /map|mantine|validation|shared-types/.test(name))).toEqual([])
})
