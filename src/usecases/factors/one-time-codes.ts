import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { systemTime } from '../../clock/clock.js'

/** One-time codes of authenticator apps: RFC 6238 with the parameters that every app supports. */

const period = 30
const settings = { algorithm: 'SHA1', digits: 6, period }

/** base32 */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32
}

/** The address that an authenticator app reads from a QR code. */
export function totpUri(secret: string, issuer: string, label: string): string {
  return new TOTP({ ...settings, secret, issuer, label }).toString()
}

/** The number of the 30 seconds that the code is of: the current, the previous or the next ones. Undefined: it is of none. */
export function stepOfCode(secret: string, token: string, now = systemTime()): number | undefined {
  const delta = new TOTP({ ...settings, secret }).validate({ token, timestamp: now, window: 1 })
  return delta === null ? undefined : Math.floor(now / 1000 / period) + delta
}

// Without letters and digits that are easily confused.
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'
const maxRandom = 256 - (256 % alphabet.length)

/** Ten codes of 79 random bits: a fast hash is as safe as a slow one. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: 10 }, () => {
    let text = ''
    while (text.length < 16) {
      for (const byte of randomBytes(16)) if (byte < maxRandom) text += alphabet[byte % alphabet.length]
    }
    return text.slice(0, 16).replace(/.{4}(?=.)/g, '$&-')
  })
}

/** As it is hashed, however it was typed. */
export function canonicalRecoveryCode(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}
