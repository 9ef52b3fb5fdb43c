import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { generatedAccount } from './support/generated-account.js'
import { temporaryFolder } from './support/program.js'
import { startService } from './support/service.js'

/** Every block of docs/guides.md that can be run, in a folder where the package is installed. */

const service = await startService()
const account = await generatedAccount(service, 40, 'guides')
const folder = await temporaryFolder()
mkdirSync(join(folder, 'node_modules'))
symlinkSync(resolve('.'), join(folder, 'node_modules', 'waybill'))

const blocks = [...readFileSync('docs/guides.md', 'utf8').matchAll(/^## (.+)$|^```(sh|js)\n([^]*?)^```/gm)]
let section = ''
const programs = blocks.flatMap(([, title, language = '', text = '']) => {
  if (title !== undefined) section = title
  return title === undefined ? [{ section, language, text }] : []
})

test.each(programs)('the guide $section: its $language runs', async ({ language, text }) => {
  const path = join(folder, `block-${programs.findIndex((each) => each.text === text)}.mjs`)
  writeFileSync(path, text)
  const command = language === 'sh' ? ['bash', '-euo', 'pipefail', path] : [process.execPath, path]
  const { stdout } = await promisify(execFile)(command[0] as string, command.slice(1), {
    cwd: folder,
    env: { PATH: process.env.PATH, WAYBILL_URL: service.baseUrl, WAYBILL_KEY: account.key },
  })
  for (const [, printed = ''] of text.matchAll(/(?:#|\/\/) prints (.+)$/gm)) expect(stdout).toContain(printed)
})

test('all guides are there', () => {
  expect(programs.length).toBeGreaterThanOrEqual(10)
})
