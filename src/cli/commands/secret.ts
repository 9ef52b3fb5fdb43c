import type { Command } from 'commander'
import { readServiceSecrets, renewServiceSecrets } from '../../database/service-secrets.js'
import { reencryptFeedSecrets } from '../../store/feed-secrets.js'
import { reencryptTotp } from '../../store/totp.js'
import { reencryptWebhookSecrets } from '../../store/webhook-secrets.js'
import { withStorage } from '../open-storage.js'
import { readSettings } from '../settings.js'

export function addTo(program: Command): void {
  const secret = program.command('secret').description('manage the secret that signs document links')

  secret
    .command('renew')
    .option('--json', 'print the result as JSON')
    .description('generate a new secret: all existing document links become invalid immediately')
    .action(async (flags: { json?: true }) => {
      await withStorage(readSettings(process.env), ({ db }) =>
        db.begin(async (sql) => {
          // Waits for new secrets of authenticator apps, feeds and webhooks, which are encrypted with this one.
          await sql`select from service for update`
          const before = await readServiceSecrets(sql)
          await renewServiceSecrets(sql)
          const { link_secret } = await readServiceSecrets(sql)
          await reencryptTotp(sql, before.link_secret, link_secret)
          await reencryptFeedSecrets(sql, before.link_secret, link_secret)
          await reencryptWebhookSecrets(sql, before.link_secret, link_secret)
        }),
      )
      const text = 'Renewed the secret. All existing document links are now invalid.'
      console.log(flags.json ? JSON.stringify({ renewed: true }) : text)
    })
}
