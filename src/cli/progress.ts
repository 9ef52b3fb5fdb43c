const width = 30

/** How far a long reading has got: a bar on a terminal, nothing elsewhere. */
export function progressBar(title: string, total: number) {
  const terminal = process.stderr.isTTY
  let done = 0
  let shown = 0

  function draw(now: number): void {
    if (!terminal || now - shown < 100) return
    shown = now
    const share = total === 0 ? 1 : done / total
    const bar = '█'.repeat(Math.round(share * width)).padEnd(width, '░')
    process.stderr.write(`\r${title} ${bar} ${Math.floor(share * 100)}%`)
  }

  return {
    async *follow(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of stream) {
        yield chunk
        done += chunk.length
        draw(Date.now())
      }
      if (terminal) process.stderr.write(`\r${title} done, storing...\u001b[K`)
    },
    /** A line of its own, above the bar. */
    print(text: string): void {
      process.stderr.write(terminal ? `\r\u001b[K${text}\n` : `${text}\n`)
    },
    end(): void {
      if (terminal) process.stderr.write('\r\u001b[K')
    },
  }
}
