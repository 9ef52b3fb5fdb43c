import { readFile } from 'node:fs/promises'
import { invalid } from '../../contract/refusals.js'
import { isCommonPassword } from '../../domain/people/common-password.js'
import { hashPassword } from './passwords.js'

/** The hash of a newly chosen password; the commonest ones are refused. `person`: the signed-in person, for turns. */
export async function hashNewPassword(password: string, person?: string): Promise<string> {
  if (isCommonPassword(password, await commonPasswords())) {
    throw invalid([{ pointer: '/password', detail: 'must not be one of the 10,000 most common passwords' }])
  }
  return hashPassword(password, person)
}

const path = import.meta.url.endsWith('.ts') ? './data/common-passwords.txt' : '../people/data/common-passwords.txt'
let loaded: Promise<Set<string>> | undefined

// Read once, when the first password is chosen: 75 KB.
async function commonPasswords(): Promise<Set<string>> {
  loaded ??= readFile(new URL(path, import.meta.url), 'utf8').then((text) => new Set(text.split('\n').filter(Boolean)))
  return loaded
}
