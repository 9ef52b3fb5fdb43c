import type { CounterDelta } from '../../api/limits/worker-channel.js'
import type { ErrorReport } from '../error-report.js'
import type { SharedDatabase } from '../open-storage.js'

/** Messages between the main process and its workers. */

export type ToWorker =
  | { type: 'database'; database: SharedDatabase }
  | { type: 'counts'; name: string; delta: CounterDelta }
  | { type: 'stop' }
  | { type: 'read metrics'; collection: number; name: string }
  | { type: 'collected metrics'; request: number; metrics: object[][] | undefined }

export type ToMain =
  // The worker receives messages from now on; earlier ones are lost.
  | { type: 'ready' }
  // The worker has received a stop signal.
  | { type: 'stopping' }
  | { type: 'listening'; addresses: string[] }
  | { type: 'failure'; report: ErrorReport }
  | { type: 'counts'; name: string; delta: CounterDelta }
  | { type: 'collect metrics'; request: number; name: string }
  | { type: 'metrics'; collection: number; metrics: object[] }
