import type { KeyHolder } from '../../storage/keys.js'
import type { AnswerMemory, RememberedAnswer } from '../answer-memory.js'
import { etagOf } from '../etag.js'

/**
 * Answers of the portal that follow from what the account has and from the day: made once, until something changes. The
 * revision was read with the session, before the answer is made: it is never older than its shelf says.
 */
export async function keptAnswer(
  memory: AnswerMemory,
  { account_id, revision, secrets }: KeyHolder,
  { url, today }: { url: string; today: string },
  make: () => Promise<string>,
): Promise<RememberedAnswer> {
  const shelf = `${account_id} portal ${revision} ${secrets.epoch}`
  const address = `${today} ${url}`
  const remembered = memory.find(shelf, address)
  const known = remembered && 'recall' in remembered ? await remembered.recall() : remembered
  if (known) return known
  const answer = madeAnswer(await make())
  memory.keep(shelf, address, answer)
  return answer
}

export function madeAnswer(text: string): RememberedAnswer {
  return { etag: etagOf(text), body: Buffer.from(text) }
}
