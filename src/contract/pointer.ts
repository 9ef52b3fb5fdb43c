/** A JSON pointer (RFC 6901). */
export function pointerTo(path: readonly string[]): string {
  return path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
