import { hostileBodies } from './bodies.js'
import { hostileFiles } from './files.js'
import { hostileHeads } from './heads.js'
import { hostileShipment } from './heavy-shipment.js'
import { hostileMessages } from './messages.js'
import { hostileQueries } from './queries.js'
import { hostileReads } from './reads.js'
import { hostileSecrets } from './secrets.js'
import type { HostileRequest } from './target.js'

/** All hostile requests. A new parser or route adds its own in a file beside this one. */
export const hostileRequests: HostileRequest[] = [
  ...hostileQueries,
  ...hostileHeads,
  ...hostileBodies,
  ...hostileFiles,
  ...hostileMessages,
  ...hostileSecrets,
  ...hostileReads,
  ...hostileShipment,
]
