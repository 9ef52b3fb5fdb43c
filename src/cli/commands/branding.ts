import type { Command } from 'commander'
import { Branding } from '../../contract/operator/branding.js'
import { validatorOf } from '../../contract/validation.js'
import { commandLine } from '../../store/audit.js'
import { findBranding } from '../../store/branding.js'
import { setBrandingIn } from '../../usecases/branding/branding.js'
import { openFile } from '../file-failure.js'
import { flagFault } from '../flag-fault.js'
import { withStorage } from '../open-storage.js'
import { readSettings } from '../settings.js'
import { table } from '../table.js'

type SetFlags = { color?: string; darkColor?: string; logo?: string; json?: true }

export function addTo(program: Command): void {
  const branding = program.command('branding').description("the forwarder's colours and logo in the portal")

  branding
    .command('set')
    .option('--color <color>', 'the colour of buttons and links, such as #0a5f8c')
    .option('--dark-color <color>', 'the same in the dark theme; default: a tint of the other')
    .option('--logo <file>', 'a PNG of at most 64 KiB')
    .option('--json', 'print the result as JSON')
    .description('set colours and logo; what is left out is removed. Contrasts are checked')
    .action(async (flags: SetFlags) => {
      const given = {
        ...(flags.color !== undefined && { color: flags.color }),
        ...(flags.darkColor !== undefined && { dark_color: flags.darkColor }),
        ...(flags.logo !== undefined && { logo: await logoOf(flags.logo) }),
      }
      await withStorage(readSettings(process.env), async ({ db }) => {
        try {
          const checked = validatorOf(Branding).check(given)
          print(await db.begin((sql) => setBrandingIn(sql, commandLine, checked)), flags.json)
        } catch (error) {
          throw flagFault(error)
        }
      })
    })

  branding
    .command('show')
    .option('--json', 'print the result as JSON')
    .description('print the colours, and whether there is a logo')
    .action(async ({ json }: { json?: true }) => {
      await withStorage(readSettings(process.env), async ({ db }) => print(await findBranding(db), json))
    })
}

async function logoOf(path: string): Promise<string> {
  const file = await openFile(path)
  try {
    return (await file.readFile()).toString('base64')
  } finally {
    await file.close()
  }
}

function print({ logo, ...colors }: Branding, json: true | undefined): void {
  const { color = 'usual', dark_color = color === 'usual' ? 'usual' : 'derived' } = colors
  console.log(
    json
      ? JSON.stringify({ ...colors, has_logo: logo !== undefined })
      : table([{ color, dark_color, logo: logo === undefined ? 'none' : 'set' }]),
  )
}
