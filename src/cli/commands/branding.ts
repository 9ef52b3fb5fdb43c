import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { Branding } from '../../contract/operator/branding.js'
import { Refusal } from '../../contract/refusals.js'
import { validatorOf } from '../../contract/validation.js'
import { commandLine } from '../../store/audit.js'
import { findBranding } from '../../store/branding.js'
import { setBrandingIn } from '../../usecases/branding/branding.js'
import { Failure } from '../failure.js'
import { withStorage } from '../open-storage.js'
import { readSettings } from '../settings.js'

type SetFlags = { color?: string; darkColor?: string; logo?: string }

export function addTo(program: Command): void {
  const branding = program.command('branding').description("the forwarder's colours and logo in the portal")

  branding
    .command('set')
    .option('--color <color>', 'the colour of buttons and links, such as #0e7c86')
    .option('--dark-color <color>', 'the same in the dark theme; default: a tint of the other')
    .option('--logo <file>', 'a PNG of at most 64 KiB')
    .description('set colours and logo; what is left out is removed. Contrasts are checked')
    .action(async (flags: SetFlags) => {
      const given = {
        ...(flags.color !== undefined && { color: flags.color }),
        ...(flags.darkColor !== undefined && { dark_color: flags.darkColor }),
        ...(flags.logo !== undefined && { logo: (await readFile(flags.logo)).toString('base64') }),
      }
      await withStorage(readSettings(process.env), async ({ db }) => {
        try {
          const checked = validatorOf(Branding).check(given)
          print(await db.begin((sql) => setBrandingIn(sql, commandLine, checked)))
        } catch (error) {
          if (error instanceof Refusal) throw new Failure(error.message)
          throw error
        }
      })
    })

  branding
    .command('show')
    .description('print the colours, and whether there is a logo')
    .action(async () => {
      await withStorage(readSettings(process.env), async ({ db }) => print(await findBranding(db)))
    })
}

function print({ logo, ...colors }: Branding): void {
  console.log(JSON.stringify({ ...colors, has_logo: logo !== undefined }))
}
