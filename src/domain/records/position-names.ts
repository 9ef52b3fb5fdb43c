/**
 * Names items without a name by their position, or by the next number that is not in use. Positions are asked for in rising
 * order: no number is tried twice, so that naming 20,000 items takes milliseconds, whatever names the others have.
 */
export function positionNames(used: ReadonlySet<string>): (index: number) => string {
  let next = 1
  return (index) => {
    next = Math.max(next, index + 1)
    while (used.has(String(next))) next += 1
    const name = String(next)
    next += 1
    return name
  }
}
