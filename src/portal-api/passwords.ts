import { randomBytes } from 'node:crypto'

/** Passwords are kept as argon2id, with the costs that OWASP recommends (19 MiB, 2 passes). */

// Loaded when somebody signs in: it is native code that no other request needs.
const argon2 = () => import('@node-rs/argon2')
const costs = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export async function hashPassword(password: string): Promise<string> {
  const { hash } = await argon2()
  return hash(password, costs)
}

let hashOfNobody: string | undefined

/** Takes as long for somebody who is not known, or has no password, as for anybody else. */
export async function isPassword(kept: string | null | undefined, given: string): Promise<boolean> {
  const { verify } = await argon2()
  hashOfNobody ??= await hashPassword(newToken())
  const isRight = await verify(kept ?? hashOfNobody, given)
  return isRight && typeof kept === 'string'
}

/** What a browser or a mail is given: 192 random bits. */
export function newToken(): string {
  return randomBytes(24).toString('base64url')
}
