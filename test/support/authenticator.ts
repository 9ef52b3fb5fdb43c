import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { PasskeyAssertion, PasskeyAttestation } from '../../src/contract/portal/factors.js'

/** An authenticator in software, which can also sign what a real one would not. */

type Signing = { challenge: string; rp_id: string }
type Deviation = {
  origin?: string
  rp_id?: string
  type?: string
  /** Whether the user was verified, for example by a fingerprint. */
  isVerified?: boolean
  counter?: number
  isForged?: boolean
  user_handle?: string
}

export function newAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credential = randomBytes(32)
  const id = credential.toString('base64url')
  let counter = 0

  function clientData(type: string, challenge: string, deviation: Deviation): Buffer {
    const content = { type: deviation.type ?? type, challenge, origin: deviation.origin ?? origin, crossOrigin: false }
    return Buffer.from(JSON.stringify(content))
  }

  function authenticatorData({ rp_id }: Signing, deviation: Deviation, attested = Buffer.alloc(0)): Buffer {
    const verified = deviation.isVerified === false ? 0 : 0x04
    const flags = Buffer.from([0x01 | verified | (attested.length > 0 ? 0x40 : 0)])
    const count = Buffer.alloc(4)
    counter = deviation.counter ?? counter + 1
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(deviation.rp_id ?? rp_id), flags, count, attested])
  }

  return {
    id,
    /** A new passkey. */
    create(options: Signing, deviation: Deviation = {}): PasskeyAttestation {
      // The point is at the end. Node 20 may hang in an export as JWK, when garbage is collected meanwhile.
      const point = publicKey.export({ format: 'der', type: 'spki' }).subarray(-64)
      // The COSE key: EC2, ES256, P-256.
      const key = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        point.subarray(0, 32),
        Buffer.from('225820', 'hex'),
        point.subarray(32),
      ])
      const length = Buffer.from([0, credential.length])
      const data = authenticatorData(options, deviation, Buffer.concat([Buffer.alloc(16), length, credential, key]))
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        text('fmt'),
        text('none'),
        text('attStmt'),
        Buffer.from([0xa0]),
        text('authData'),
        Buffer.from([0x58, data.length]),
        data,
      ])
      return {
        id,
        client_data: clientData('webauthn.create', options.challenge, deviation).toString('base64url'),
        attestation_object: attestation.toString('base64url'),
        transports: ['internal'],
      }
    },
    /** A signature by the passkey. */
    sign(options: Signing, deviation: Deviation = {}): PasskeyAssertion {
      const data = authenticatorData(options, deviation)
      const client = clientData('webauthn.get', options.challenge, deviation)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      if (deviation.isForged) signature[signature.length - 1] = (signature.at(-1) ?? 0) ^ 1
      return {
        id,
        client_data: client.toString('base64url'),
        authenticator_data: data.toString('base64url'),
        signature: signature.toString('base64url'),
        ...(deviation.user_handle !== undefined && { user_handle: deviation.user_handle }),
      }
    },
  }
}

function sha256(content: string | Buffer): Buffer {
  return createHash('sha256').update(content).digest()
}

/** A CBOR text of less than 24 bytes. */
function text(content: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 | content.length]), Buffer.from(content)])
}
