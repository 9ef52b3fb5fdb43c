type Queued = { point: number; km: number }

/** A binary min-heap. */
export class Heap {
  readonly #items: Queued[] = []

  push(point: number, km: number): void {
    const items = this.#items
    let index = items.push({ point, km }) - 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (items[parent]!.km <= items[index]!.km) return
      this.#swap(parent, index)
      index = parent
    }
  }

  pop(): Queued | undefined {
    const items = this.#items
    const first = items[0]
    const last = items.pop()
    if (first === undefined || items.length === 0) return first
    items[0] = last!
    for (let index = 0; ; ) {
      const left = 2 * index + 1
      let least = index
      if (left < items.length && items[left]!.km < items[least]!.km) least = left
      if (left + 1 < items.length && items[left + 1]!.km < items[least]!.km) least = left + 1
      if (least === index) return first
      this.#swap(index, least)
      index = least
    }
  }

  #swap(a: number, b: number): void {
    const items = this.#items
    const item = items[a]!
    items[a] = items[b]!
    items[b] = item
  }
}
