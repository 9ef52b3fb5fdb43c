import type { Counts } from '../../http/colleagues.js'
import type { Explanation } from '../explanation.js'
import type { KeptDatabase } from '../open-storage.js'

/** What the main process and its workers tell each other. */

export type ToWorker =
  | { tells: 'database'; database: KeptDatabase }
  | { tells: 'counts'; name: string; news: Counts }
  | { tells: 'stop' }
  | { tells: 'metrics wanted'; inquiry: number; name: string }
  | { tells: 'all metrics'; question: number; metrics: object[][] | undefined }

export type ToMain =
  // What is sent to it before that is lost.
  | { tells: 'hearing' }
  // Somebody told it to stop.
  | { tells: 'leaving' }
  | { tells: 'listening'; addresses: string[] }
  | { tells: 'failure'; explanation: Explanation }
  | { tells: 'counts'; name: string; news: Counts }
  | { tells: 'metrics question'; question: number; name: string }
  | { tells: 'metrics'; inquiry: number; metrics: object[] }

/** Under which number every worker has the file of what they write open: behind the streams and the way to its main process. */
export const writesDescriptor = 4
