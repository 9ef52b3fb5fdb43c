/** Lets at most so many uses of something run at once; the others wait, and begin in the order in which they came. */
export function usesInTurn(most: number): <Result>(use: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (use) => {
    if (running < most) running += 1
    else await new Promise<void>((begin) => waiting.push(begin))
    try {
      return await use()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
