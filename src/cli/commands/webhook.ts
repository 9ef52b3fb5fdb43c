import type { Command } from 'commander'
import {
  deliveryStates,
  SecretRotation,
  type Webhook,
  WebhookCreate,
  type WebhookDelivery,
  WebhookReplay,
  WebhookUpdate,
} from '../../contract/public/webhook.js'
import { validatorOf } from '../../contract/validation.js'
import type { AccountId } from '../../database/account-id.js'
import type { Database } from '../../database/database.js'
import { commit } from '../../ledger/commit.js'
import { findAccount } from '../../store/accounts.js'
import { commandLine } from '../../store/audit.js'
import { listDeliveries } from '../../store/webhook-deliveries.js'
import { findWebhookAccount, listAllWebhooks } from '../../store/webhooks.js'
import type { WriteContext } from '../../usecases/customer-context.js'
import { replayWebhook, resendWebhookDelivery, testWebhook } from '../../usecases/webhooks/deliveries.js'
import {
  checkUrl,
  createWebhook,
  deleteWebhook,
  pauseWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from '../../usecases/webhooks/manage-webhooks.js'
import { enable } from '../../usecases/webhooks/operate-webhooks.js'
import { Failure } from '../failure.js'
import { flagFault } from '../flag-fault.js'
import { withStorage } from '../open-storage.js'
import { readSettings } from '../settings.js'
import { table } from '../table.js'

type SettingFlags = { url?: string; types?: string; kinds?: string; ordered?: boolean; description?: string }
type Flags = { json?: true }

const none = { query: undefined, body: undefined }

export function addTo(program: Command): void {
  const webhook = program.command('webhook').description('manage the endpoints that events of accounts are sent to')

  webhook
    .command('list')
    .option('--account <slug>', 'only the endpoints of this account')
    .option('--json', 'print the result as JSON')
    .description('list endpoints and their progress')
    .action(async ({ account: slug, json }: Flags & { account?: string }) => {
      const webhooks = await withStorage(readSettings(process.env), async ({ db }) => {
        const scope = slug === undefined ? 'all' : [await getAccount(db, slug)]
        return listAllWebhooks(db, scope, { skip: 0, take: 1_000_000 })
      })
      print(webhooks, json, () => table(webhooks.map(rowOf)))
    })

  addSettings(webhook.command('create').requiredOption('--account <slug>', 'the account whose events are sent'))
    .option('--json', 'print the result as JSON')
    .description('create an endpoint and print its secret; it cannot be shown again')
    .action(async ({ account: slug, json, ...flags }: SettingFlags & Flags & { account: string }) => {
      const created = await reporting(async () => {
        const body = validatorOf(WebhookCreate).check(settingsOf(flags))
        return change(
          (db) => getAccount(db, slug),
          body.url,
          (context) => createWebhook(context, { ...none, params: undefined, body }),
        )
      })
      print(created, json, () => table([{ webhook_id: created.webhook.webhook_id, secret: created.secret }]))
    })

  addSettings(ofOne(webhook, 'change', 'change the address of an endpoint, or which events it gets')).action(
    async (webhook_id: string, { json, ...flags }: SettingFlags & Flags) => {
      const changed = await reporting(async () => {
        const body = validatorOf(WebhookUpdate).check(settingsOf(flags))
        return changeOne(webhook_id, (context, params) => updateWebhook(context, { ...none, params, body }), body.url)
      })
      print(changed, json, () => `Changed the endpoint ${webhook_id}.`)
    },
  )

  ofOne(webhook, 'rotate', 'print a new secret of an endpoint; requests are signed with the old one, too, for a while')
    .option('--overlap <hours>', 'for how many hours the old secret is used, too: 0 to 168 (default: 24)')
    .action(async (webhook_id: string, { overlap, json }: Flags & { overlap?: string }) => {
      const rotated = await reporting(async () => {
        const given = overlap === undefined ? {} : { overlap_hours: Number(overlap) }
        const body = validatorOf(SecretRotation).check(given)
        return changeOne(webhook_id, (context, params) => rotateWebhookSecret(context, { ...none, params, body }))
      })
      print(rotated, json, () => rotated.secret)
    })

  ofOne(webhook, 'pause', 'send nothing to an endpoint until it is resumed').action(
    async (webhook_id: string, { json }: Flags) => {
      const paused = await changeOne(webhook_id, (context, params) => pauseWebhook(context, { ...none, params }))
      print(paused, json, () => `Paused the endpoint ${webhook_id}.`)
    },
  )

  ofOne(webhook, 'resume', 'go on with an endpoint that was paused or disabled, from where it was').action(
    async (webhook_id: string, { json }: Flags) => {
      const resumed = await changeOne(webhook_id, ({ tx, account, actor }) => enable(tx, account, actor, webhook_id))
      print(resumed, json, () => `Resumed the endpoint ${webhook_id}.`)
    },
  )

  ofOne(webhook, 'test', 'send an event of the type webhook.test, once').action(
    async (webhook_id: string, { json }: Flags) => {
      const sent = await changeOne(webhook_id, (context, params) => testWebhook(context, { ...none, params }))
      print(sent, json, () => sent.delivery_id)
    },
  )

  ofOne(webhook, 'deliveries', 'list what was sent to an endpoint within the last 7 days, newest first')
    .option('--state <state>', `only deliveries of this state: ${deliveryStates.join(', ')}`)
    .option('--take <count>', 'how many: 1 to 100', '20')
    .action(async (webhook_id: string, flags: Flags & { state?: string; take: string }) => {
      const state = deliveryStates.find((each) => each === flags.state)
      if (state !== flags.state) throw new Failure(`--state: must be one of ${deliveryStates.join(', ')}`, 2)
      const take = Number(flags.take)
      if (!(Number.isInteger(take) && take >= 1 && take <= 100)) throw new Failure('--take: must be from 1 to 100', 2)
      const deliveries = await withStorage(readSettings(process.env), async ({ db }) => {
        const account = await getWebhookAccount(db, webhook_id)
        return listDeliveries(db, account, webhook_id, { state, take })
      })
      print(deliveries, flags.json, () => table(deliveries.map(deliveryRowOf)))
    })

  ofOne(webhook, 'resend', 'send a delivery again now')
    .argument('<delivery_id>', 'the delivery_id shown by `webhook deliveries`')
    .action(async (webhook_id: string, delivery_id: string, { json }: Flags) => {
      const sent = await changeOne(webhook_id, (context, params) =>
        resendWebhookDelivery(context, { ...none, params: { ...params, delivery_id } }),
      )
      print(sent, json, () => `The delivery ${delivery_id} is sent again.`)
    })

  ofOne(webhook, 'replay', 'send events again, from a time or an event on')
    .option('--from <date>', 'what happened since then: date and time with offset')
    .option('--event <event_id>', 'this event and all that happened after it')
    .action(async (webhook_id: string, { from, event, json }: Flags & { from?: string; event?: string }) => {
      const replayed = await reporting(async () => {
        const body = validatorOf(WebhookReplay).check({
          ...(from !== undefined && { from }),
          ...(event !== undefined && { event_id: event }),
        })
        return changeOne(webhook_id, (context, params) => replayWebhook(context, { ...none, params, body }))
      })
      print(replayed, json, () => `The endpoint ${webhook_id} gets the events again.`)
    })

  ofOne(webhook, 'remove', 'remove an endpoint with its secrets and deliveries').action(
    async (webhook_id: string, { json }: Flags) => {
      const removed = await changeOne(webhook_id, (context, params) => deleteWebhook(context, { ...none, params }))
      print(removed, json, () => `Removed the endpoint ${webhook_id}.`)
    },
  )
}

function ofOne(webhook: Command, name: string, description: string): Command {
  return webhook
    .command(name)
    .argument('<webhook_id>', 'the webhook_id shown by `webhook list`')
    .option('--json', 'print the result as JSON')
    .description(description)
}

function addSettings(command: Command): Command {
  return command
    .option('--url <address>', 'where events are sent to')
    .option('--types <types>', 'only events of these types, separated by commas; empty: all')
    .option('--kinds <kinds>', 'only events about these kinds of resources, separated by commas; empty: all')
    .option('--ordered', 'send each event only after the one before it was received')
    .option('--no-ordered', 'send several events at once (default)')
    .option('--description <text>', 'what the endpoint is for')
}

function settingsOf({ types, kinds, ...rest }: SettingFlags): object {
  const list = (text: string) => (text.trim() === '' ? [] : text.split(',').map((each) => each.trim()))
  return {
    ...rest,
    ...(types !== undefined && { types: list(types) }),
    ...(kinds !== undefined && { kinds: list(kinds) }),
  }
}

function print(result: unknown, json: true | undefined, text: () => string): void {
  console.log(json ? JSON.stringify(result) : text())
}

type Change<Result> = (context: WriteContext, params: { webhook_id: string }) => Promise<Result>

function changeOne<Result>(webhook_id: string, work: Change<Result>, url?: string): Promise<Result> {
  return change(
    (db) => getWebhookAccount(db, webhook_id),
    url,
    (context) => work(context, { webhook_id }),
  )
}

/** By the use cases of `/v1/webhooks`, as the command line. */
async function change<Result>(
  find: (db: Database) => Promise<AccountId>,
  url: string | undefined,
  work: (context: WriteContext) => Promise<Result>,
): Promise<Result> {
  const settings = readSettings(process.env)
  return withStorage(settings, async ({ db }) => {
    const account = await find(db)
    await checkUrl(url, settings.webhooksToPrivateNetworks)
    const given = { account, actor: commandLine, base: '', eventDays: settings.eventDays, prepared: Promise.resolve() }
    return commit(db, account, commandLine.actor, (tx) => work({ tx, ...given }))
  })
}

async function getAccount(db: Database, slug: string): Promise<AccountId> {
  const account = await findAccount(db, slug)
  if (account === undefined) throw new Failure(`there is no account ${slug}`)
  return account
}

async function getWebhookAccount(db: Database, webhook_id: string): Promise<AccountId> {
  const account = await findWebhookAccount(db, webhook_id)
  if (account === undefined) throw new Failure(`there is no endpoint ${webhook_id}`)
  return account
}

const flagOf: Record<string, string> = { overlap_hours: '--overlap', event_id: '--event' }

/** Names what is wrong by its flag. */
async function reporting<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw flagFault(error, flagOf)
  }
}

function rowOf(webhook: Webhook & { account: string }): Record<string, string> {
  const { webhook_id, account, url, state, disabled_reason, position, failing_since, last_success_at } = webhook
  return {
    webhook_id,
    account,
    state: disabled_reason === undefined ? state : `${state} (${disabled_reason})`,
    waiting: String(position.waiting),
    last_success: last_success_at ?? '',
    failing_since: failing_since ?? '',
    address: url,
  }
}

function deliveryRowOf(delivery: WebhookDelivery): Record<string, string> {
  const { delivery_id, event_id, type, state, attempts, created_at, next_attempt_at, response } = delivery
  return {
    delivery_id,
    event_id,
    type,
    state,
    attempts: String(attempts),
    created: created_at,
    next_attempt: next_attempt_at ?? '',
    response: String(response?.status ?? response?.error ?? ''),
  }
}
