/**
 * What the Prometheus operator accepts as a PodMonitor (monitoring.coreos.com/v1), as far as a chart uses it. It is stricter than
 * the operator: a field that is not here is refused, as it would be ignored if it were misspelled.
 */

const text = { type: 'string', minLength: 1 }
const labels = { type: 'object', additionalProperties: { type: 'string' } }
const duration = { type: 'string', pattern: '^[0-9]+(ms|s|m|h)$' }

function closed(properties: object, ...required: string[]) {
  return { type: 'object', additionalProperties: false, required, properties }
}

const expression = closed(
  {
    key: text,
    operator: { enum: ['In', 'NotIn', 'Exists', 'DoesNotExist'] },
    values: { type: 'array', items: { type: 'string' } },
  },
  'key',
  'operator',
)

export const podMonitor = closed(
  {
    apiVersion: { const: 'monitoring.coreos.com/v1' },
    kind: { const: 'PodMonitor' },
    metadata: closed({ name: text, namespace: text, labels, annotations: labels }, 'name'),
    spec: closed(
      {
        selector: closed({ matchLabels: labels, matchExpressions: { type: 'array', items: expression } }),
        podMetricsEndpoints: {
          type: 'array',
          minItems: 1,
          items: closed(
            {
              port: text,
              path: { type: 'string', pattern: '^/' },
              scheme: { enum: ['http', 'https'] },
              interval: duration,
              scrapeTimeout: duration,
              honorLabels: { type: 'boolean' },
            },
            'port',
          ),
        },
        namespaceSelector: closed({ any: { type: 'boolean' }, matchNames: { type: 'array', items: text } }),
        jobLabel: text,
        podTargetLabels: { type: 'array', items: text },
        sampleLimit: { type: 'integer', minimum: 1 },
      },
      'selector',
      'podMetricsEndpoints',
    ),
  },
  'apiVersion',
  'kind',
  'metadata',
  'spec',
)
