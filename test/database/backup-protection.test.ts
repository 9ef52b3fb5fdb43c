import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Decrypter, generateIdentity, identityToRecipient } from 'age-encryption'
import { expect, test } from 'vitest'
import { importInto, newInstallationOnServer, waybill } from '../support/installation.js'
import { runProgram } from '../support/program.js'

/** Who can read a backup, and who can make one that a restore accepts. */

const key = 'a key of at least thirty-two characters'.replaceAll(' ', '-')
const otherKey = key.toUpperCase()

async function newInstallation(sealKey?: string) {
  const installation = await newInstallationOnServer()
  const env = { ...installation.env, ...(sealKey !== undefined && { WAYBILL_BACKUP_KEY: sealKey }) }
  return { ...installation, env, file: join(installation.folder, 'backup.tar.gz') }
}

async function anInstallationWithData(sealKey?: string) {
  const installation = await newInstallation(sealKey)
  await importInto(installation, [
    { kind: 'account', account: 'acme', data: { name: 'Acme' } },
    { kind: 'shipment', account: 'acme', data: { svc_shipment_id: 'S-1', name: 'Lamps' } },
  ])
  return installation
}

async function accountsIn({ db }: Awaited<ReturnType<typeof newInstallation>>): Promise<unknown> {
  return db`select slug from accounts`
}

test('a backup does not contain the secret of document links, and a restore makes a new one', async () => {
  const installation = await anInstallationWithData()
  await waybill(installation, 'backup', installation.file)
  const [before] = await installation.db<{ link_secret: string }[]>`select link_secret from service`
  expect(gunzipSync(await readFile(installation.file)).includes(before?.link_secret ?? '')).toBe(false)

  await waybill(installation, 'restore', installation.file, '--yes')
  const after = await installation.db<{ link_secret: string }[]>`select link_secret from service`
  expect(after).toHaveLength(1)
  expect(after[0]?.link_secret).not.toBe(before?.link_secret)
})

test('a sealed backup is restored with its key only', async () => {
  const installation = await anInstallationWithData(key)
  await waybill(installation, 'backup', installation.file)
  for (const [sealKey, message] of [
    [undefined, 'the backup is sealed: set WAYBILL_BACKUP_KEY to the key that it was written with'],
    [otherKey, 'the backup was altered, or sealed with another WAYBILL_BACKUP_KEY'],
  ] as const) {
    const { env, db } = await newInstallation(sealKey)
    const refused = await runProgram(['restore', installation.file, '--unsealed'], { env })
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: `waybill: ${installation.file}: ${message}\n` })
    expect(await db`select from pg_class where relname = 'accounts'`).toEqual([])
  }
  const other = await newInstallation(key)
  await waybill(other, 'restore', installation.file)
  expect(await accountsIn(other)).toEqual([{ slug: 'acme' }])
})

test('an installation with a key refuses a backup that anybody could have made, unless accepting it is requested', async () => {
  const unsealed = await anInstallationWithData()
  await waybill(unsealed, 'backup', unsealed.file)
  const installation = await newInstallation(key)
  const refused = await runProgram(['restore', unsealed.file], { env: installation.env })
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('the backup is not sealed with WAYBILL_BACKUP_KEY')
  await waybill(installation, 'restore', unsealed.file, '--unsealed')
  expect(await accountsIn(installation)).toEqual([{ slug: 'acme' }])
})

test('a sealed backup whose rows were altered is refused, also with a recomputed checksum', async () => {
  const installation = await anInstallationWithData(key)
  await waybill(installation, 'backup', installation.file)
  const archive = gunzipSync(await readFile(installation.file))
  const forged = Buffer.from(archive.toString('latin1').replaceAll('Lamps', 'Lumps'), 'latin1')
  await writeFile(installation.file, gzipSync(forged))
  const refused = await runProgram(['restore', installation.file, '--yes'], { env: installation.env })
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('the backup was altered')
})

test('an encrypted backup is restored with one of its identities only, and opened by every program that knows age', async () => {
  const [mine, colleagues, strangers] = await Promise.all([generateIdentity(), generateIdentity(), generateIdentity()])
  const recipients = await Promise.all([mine, colleagues].map((identity) => identityToRecipient(identity)))
  const installation = await anInstallationWithData()
  await waybill(installation, 'backup', installation.file, '--recipient', ...recipients)
  const bytes = await readFile(installation.file)
  expect(bytes.subarray(0, 21).toString()).toBe('age-encryption.org/v1')
  const decrypter = new Decrypter()
  decrypter.addIdentity(colleagues)
  expect(gunzipSync(await decrypter.decrypt(bytes)).includes('Lamps')).toBe(true)

  const without = await runProgram(['restore', installation.file, '--yes'], { env: installation.env })
  expect(without.stderr).toBe(
    `waybill: ${installation.file}: the backup is encrypted: give the file of your age identity with --identity\n`,
  )
  const identity = join(installation.folder, 'identity.txt')
  await writeFile(identity, `# created: 2026-03-01\n${strangers}\n`)
  const refused = await runProgram(['restore', installation.file, '--yes', '--identity', identity], {
    env: installation.env,
  })
  expect(refused.stderr).toContain('the backup is encrypted for others: no identity decrypts it')

  await writeFile(identity, `# created: 2026-03-01\n${strangers}\n${colleagues}\n`)
  const other = await newInstallation()
  await waybill(other, 'restore', installation.file, '--identity', identity)
  expect(await accountsIn(other)).toEqual([{ slug: 'acme' }])
})

test('a truncated encrypted backup is refused', async () => {
  const identity = await generateIdentity()
  const installation = await anInstallationWithData()
  await waybill(installation, 'backup', installation.file, '--recipient', await identityToRecipient(identity))
  const bytes = await readFile(installation.file)
  const identityFile = join(installation.folder, 'identity.txt')
  await writeFile(identityFile, identity)
  for (const length of [30, bytes.length / 2, bytes.length - 1]) {
    await writeFile(installation.file, bytes.subarray(0, length))
    const refused = await runProgram(['restore', installation.file, '--yes', '--identity', identityFile], {
      env: installation.env,
    })
    expect(refused, `${length} bytes`).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr, `${length} bytes`).toMatch(/^waybill: .*backup.*\n$/)
  }
})

test('an invalid recipient, an invalid identity file and a short key are refused by name', async () => {
  const { env, folder, file } = await newInstallation()
  const recipient = await runProgram(['backup', file, '--recipient', 'age1nobody'], { env })
  expect(recipient.stderr).toBe('waybill: --recipient age1nobody: use the public key of an age identity, age1...\n')
  const identity = join(folder, 'identity.txt')
  await writeFile(identity, 'age1nobody\n')
  const restoring = await runProgram(['restore', file, '--identity', identity], { env })
  expect(restoring.stderr).toContain(`${identity} is not a file of age identities`)
  const short = await runProgram(['backup', file], { env: { ...env, WAYBILL_BACKUP_KEY: 'secret' } })
  expect(short.stderr).toContain('WAYBILL_BACKUP_KEY')
  expect(short.stderr).not.toContain('secret"')
})
