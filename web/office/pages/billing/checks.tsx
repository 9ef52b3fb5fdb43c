import { useQuery } from '@tanstack/react-query'
import type { CheckFinding } from '../../../../src/contract/billing.js'
import { useFormat } from '../../../portal/i18n/format.js'
import { StatusBadge } from '../../../ui/badges.js'
import { Notice } from '../../../ui/notice.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { Section } from '../../../ui/section.js'
import { Lines } from '../../../ui/states.js'
import { checksQuery, type InvoiceParams } from '../../api/billing.js'
import { useOfficeMessages } from '../../i18n/messages.js'

const order = ['blocked', 'warning', 'passed', 'not_applicable']
const tones = { blocked: 'problem', warning: 'late', passed: 'done', not_applicable: 'planned' } as const

/** What blocks issuing, what may be wrong, and what was compared. */
export function Checks({ params, isDraft }: { params: InvoiceParams; isDraft: boolean }) {
  const { billing: m } = useOfficeMessages()
  const f = useFormat()
  const { data } = useQuery(checksQuery(params))
  const title = isDraft ? m.checks : m.checksDone
  if (!data) return <Lines count={3} />
  if (data.checks.length === 0) return null
  const labels = { blocked: m.blocked, warning: m.warning, passed: m.passed, not_applicable: m.notApplicable }
  const rows = data.checks
    .filter(({ outcome }) => outcome !== 'not_applicable')
    .toSorted((one, other) => order.indexOf(one.outcome) - order.indexOf(other.outcome))
  const textOf = ({ kind, line, subject = '', charged, expected, unit = '' }: CheckFinding) => {
    const figure = (number: number | undefined) => (number === undefined ? '' : f.number(number))
    const text = m.findings[kind](subject, figure(charged), figure(expected), unit)
    return line === undefined ? text : `${m.lineNumber(line + 1)}: ${text}`
  }
  return (
    <Section title={title} isBare>
      {isDraft && (
        <Notice tone={data.can_issue ? 'done' : 'problem'}>{data.can_issue ? m.canIssue : m.cannotIssue}</Notice>
      )}
      <PlainTable
        label={title}
        rows={rows}
        rowKey={({ check }) => check}
        columns={[
          { id: 'check', header: title, isName: true, cell: ({ check }) => m.checkNames[check] },
          {
            id: 'outcome',
            header: m.status,
            cell: ({ outcome }) => <StatusBadge tone={tones[outcome]}>{labels[outcome]}</StatusBadge>,
          },
          {
            id: 'findings',
            header: m.description,
            cell: ({ findings, compared }) =>
              [
                ...findings.map(textOf),
                ...compared.map(
                  ({ charged, expected, unit }) => `${f.number(charged)} = ${f.number(expected)} ${unit}`,
                ),
              ].join(' · '),
          },
        ]}
      />
    </Section>
  )
}
