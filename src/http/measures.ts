import { Counter, Gauge, type Registry } from 'prom-client'

/** Figures that are kept elsewhere as plain numbers, and read when somebody asks for them: to count costs nothing. */

export type Measure = {
  name: string
  help: string
  /** What tells several of them apart. */
  label?: string
  /** How those of several workers come to one, where it is not their sum. */
  aggregator?: 'min' | 'max'
}

/** One figure, or one for each value of the label: none where nothing is known of it now. */
export type Reading = number | Record<string, number>

export function addGauge(registry: Registry, measure: Measure, read: () => Reading | Promise<Reading>): void {
  const gauge = new Gauge({
    ...described(registry, measure),
    async collect() {
      const figures = figuresOf(measure, await read())
      gauge.reset()
      for (const { labels, value } of figures) gauge.set(labels, value)
    },
  })
}

export function addCounter(registry: Registry, measure: Measure, read: () => Reading): void {
  const counter = new Counter({
    ...described(registry, measure),
    collect() {
      counter.reset()
      for (const { labels, value } of figuresOf(measure, read())) counter.inc(labels, value)
    },
  })
}

function described(registry: Registry, { name, help, label, aggregator }: Measure) {
  return {
    name,
    help,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
    ...(aggregator && { aggregator }),
  }
}

function figuresOf({ label }: Measure, reading: Reading): { labels: Record<string, string>; value: number }[] {
  if (typeof reading === 'number') return [{ labels: {}, value: reading }]
  return Object.entries(reading).map(([value, figure]) => ({ labels: { [label ?? '']: value }, value: figure }))
}
