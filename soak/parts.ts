import { failover } from './failover/part.js'
import { clockJumps } from './faults/clock-jumps.js'
import { cutConnections } from './faults/cut-connections.js'
import { killedDatabase, pausedDatabase, stoppedDatabase } from './faults/database-away.js'
import { fullDisk, fullDocuments } from './faults/full-disk.js'
import { killedServer } from './faults/killed-server.js'
import { killedTogether } from './faults/killed-together.js'
import { largeTables } from './faults/large-tables.js'
import { mirroredAccounts } from './faults/mirrored-accounts.js'
import { pointInTime } from './faults/point-in-time.js'
import { rollingStart } from './faults/rolling-start.js'
import { stoppedServer } from './faults/stopped-server.js'
import { upgrade } from './faults/upgrade.js'
import { webhookDeliveries } from './faults/webhook-deliveries.js'
import { run as fuzz } from './fuzz/part.js'
import { run as sendHostile } from './hostile/part.js'
import type { Part } from './part.js'
import { run as abuseTransport } from './transport.js'

/** All parts, in the order of the report. */
export const parts: Part[] = [
  { name: 'fuzz', run: fuzz },
  { name: 'transport', run: abuseTransport },
  { name: 'hostile', run: sendHostile },
  killedServer('embedded'),
  killedServer('postgres'),
  killedDatabase('embedded'),
  killedDatabase('postgres'),
  pausedDatabase('embedded'),
  pausedDatabase('postgres'),
  stoppedDatabase(),
  cutConnections('embedded'),
  cutConnections('postgres'),
  fullDisk('embedded'),
  fullDisk('postgres'),
  fullDocuments(),
  stoppedServer('embedded'),
  stoppedServer('postgres'),
  rollingStart('embedded'),
  rollingStart('postgres'),
  clockJumps('embedded'),
  clockJumps('postgres'),
  killedTogether(),
  webhookDeliveries('embedded'),
  webhookDeliveries('postgres'),
  mirroredAccounts('embedded'),
  mirroredAccounts('postgres'),
  failover(),
  pointInTime(),
  upgrade(),
  largeTables(),
]

/** The parts with one of these names, with or without their variant. */
export function partsNamed(names: string[]): Part[] {
  const chosen = parts.filter(({ name }) => names.includes(name) || names.includes(name.split(':')[0] as string))
  const known = new Set(parts.flatMap(({ name }) => [name, name.split(':')[0] as string]))
  const unknown = names.find((name) => !known.has(name))
  if (unknown !== undefined)
    throw new Error(`--only ${unknown}: the parts are ${parts.map(({ name }) => name).join(', ')}`)
  return chosen
}
