import { Counter, Gauge, type Registry } from 'prom-client'

/** Metrics whose values live elsewhere as plain numbers and are read on collection, so that counting costs nothing. */

export type MetricDefinition = {
  name: string
  help: string
  /** The name of the label, if the metric has one. */
  label?: string
  /** How the values of several workers are combined; default: their sum. */
  aggregator?: 'min' | 'max'
}

/** One value, or one per label value; an empty object if nothing is known. */
export type MetricValue = number | Record<string, number>

export function addGauge(
  registry: Registry,
  metric: MetricDefinition,
  read: () => MetricValue | Promise<MetricValue>,
): void {
  const gauge = new Gauge({
    ...optionsOf(registry, metric),
    async collect() {
      const samples = samplesOf(metric, await read())
      gauge.reset()
      for (const { labels, value } of samples) gauge.set(labels, value)
    },
  })
}

export function addCounter(registry: Registry, metric: MetricDefinition, read: () => MetricValue): void {
  const counter = new Counter({
    ...optionsOf(registry, metric),
    collect() {
      counter.reset()
      for (const { labels, value } of samplesOf(metric, read())) counter.inc(labels, value)
    },
  })
}

function optionsOf(registry: Registry, { name, help, label, aggregator }: MetricDefinition) {
  return {
    name,
    help,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
    ...(aggregator && { aggregator }),
  }
}

function samplesOf(
  { label }: MetricDefinition,
  value: MetricValue,
): { labels: Record<string, string>; value: number }[] {
  if (typeof value === 'number') return [{ labels: {}, value }]
  return Object.entries(value).map(([labelValue, each]) => ({ labels: { [label ?? '']: labelValue }, value: each }))
}
