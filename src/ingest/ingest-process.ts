import { type JobOptions, limitedProcess } from '../jobs/limited-process.js'
import type { IngestPart, IngestTask, IngestTasks } from './ingest-tasks.js'

/** Child processes in which the files of requests are read: their contents may take any time and memory to parse. */

// Without the bytes of buffers, which are limited by the sizes of the files.
const megabytes = 384

// The built file, in tests too: a child process cannot load TypeScript.
const place = import.meta.url.endsWith('.ts') ? '../../dist/ingest/ingest-jobs.js' : '../ingest/ingest-jobs.js'

const run = limitedProcess<IngestTask, IngestPart>(new URL(place, import.meta.url), megabytes)

export async function runIngestTask<Name extends keyof IngestTasks>(
  name: Name,
  input: IngestTasks[Name]['input'],
  options: JobOptions<IngestTasks[Name]['part']>,
): Promise<void> {
  await run({ name, input } as IngestTask, options)
}
