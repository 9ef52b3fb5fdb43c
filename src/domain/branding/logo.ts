/** Pictures that a browser cannot execute anything of. */

// The signature of a PNG, then the length and name of its first chunk, which holds width and height.
const firstBytes = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
export const maxLogoBytes = 64 * 1024
const maxSide = 1024

/** Why this is no logo: it has to be a small PNG. */
export function logoFault(bytes: Uint8Array): string | undefined {
  if (bytes.length > maxLogoBytes) return `must be at most ${maxLogoBytes / 1024} KiB`
  const isPng = bytes.length > 33 && firstBytes.every((byte, index) => bytes[index] === byte)
  if (!isPng) return 'must be a PNG'
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isSized = [view.getUint32(16), view.getUint32(20)].every((side) => side >= 1 && side <= maxSide)
  return isSized ? undefined : `must be at most ${maxSide} pixels wide and high`
}
