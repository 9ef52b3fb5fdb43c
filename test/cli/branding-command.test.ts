import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newInstallationOnServer } from '../support/installation.js'
import { runProgram } from '../support/program.js'

async function newForwarder() {
  const { env, folder } = await newInstallationOnServer()
  return { folder, branding: (...args: string[]) => runProgram(['branding', ...args], { env }) }
}

test("the colour that the help gives as an example is accepted, and shown as the forwarder's", async () => {
  const { branding } = await newForwarder()
  const { stdout: help } = await branding('set', '--help')
  const [color = ''] = /#[0-9a-f]{6}/.exec(help) ?? []
  expect(await branding('set', '--color', color)).toMatchObject({ code: 0, stderr: '' })
  const shown = await branding('show', '--json')
  expect(JSON.parse(shown.stdout)).toEqual({ color, has_logo: false })
  expect((await branding('show')).stdout).toBe(`COLOR    DARK_COLOR  LOGO\n${color}  derived     none\n`)
})

test('what is wrong with a colour or logo is reported with its flag, and the exit code 2', async () => {
  const { branding, folder } = await newForwarder()
  const notPng = join(folder, 'logo.svg')
  await writeFile(notPng, '<svg xmlns="http://www.w3.org/2000/svg"/>')
  for (const [args, error] of [
    [['--color', 'teal'], /^waybill: --color: must be a colour such as #0a5f8c\n$/],
    [['--color', '#ffff00'], /^waybill: --color: must be readable in the light theme: .+; choose a darker one\n$/],
    [['--dark-color', '#0a5f8'], /^waybill: --dark-color: must be a colour such as #0a5f8c\n$/],
    [['--logo', notPng], /^waybill: --logo: must be a PNG\n$/],
  ] as const) {
    const refused = await branding('set', ...args)
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toMatch(error)
  }
  const missing = await branding('set', '--logo', join(folder, 'missing.png'))
  expect(missing).toMatchObject({ code: 1, stderr: `waybill: there is no file ${join(folder, 'missing.png')}\n` })
})
