/** Pictures that a browser cannot execute anything of. */

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
export const maxLogoBytes = 64 * 1024
const maxSide = 1024

/** Why this is no logo: it has to be a small PNG. */
export function logoFault(bytes: Buffer): string | undefined {
  if (bytes.length > maxLogoBytes) return `must be at most ${maxLogoBytes / 1024} KiB`
  const isPng =
    bytes.length > 33 && bytes.subarray(0, 8).equals(signature) && bytes.toString('latin1', 12, 16) === 'IHDR'
  if (!isPng) return 'must be a PNG, base64-encoded'
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  const isSized = [width, height].every((side) => side >= 1 && side <= maxSide)
  return isSized ? undefined : `must be at most ${maxSide} pixels wide and high`
}
