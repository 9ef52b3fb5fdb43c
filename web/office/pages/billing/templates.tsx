import { useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { chargeUnits, type TemplateCharge, taxCategories } from '../../../../src/contract/billing.js'
import type { ChargeTemplate } from '../../../../src/contract/operator/invoices.js'
import type { Language } from '../../../../src/contract/portal/people.js'
import { currencies } from '../../../../src/contract/public/shared-types.js'
import { useReader } from '../../../portal/i18n/messages.js'
import { Button, TextButton } from '../../../ui/button.js'
import { Field, FieldFrame } from '../../../ui/field.js'
import fields from '../../../ui/field.module.css'
import { PlainTable } from '../../../ui/plain-table.js'
import { Section } from '../../../ui/section.js'
import { useDraft } from '../../../ui/use-draft.js'
import actionStyles from '../../actions/actions.module.css'
import { typedNumber } from '../../actions/typed-number.js'
import { useActions } from '../../actions/use-actions.js'
import { templatesQuery } from '../../api/billing.js'
import { ops, useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import styles from './billing.module.css'

/** Templates of charges, as rows that can be pasted from a spreadsheet. */
export function Templates() {
  const { billing: m } = useOfficeMessages()
  const { language } = useReader()
  const { run, isBusy } = useActions()
  const mayInvoice = useMayDo('invoice')
  const { data = [] } = useQuery(templatesQuery())
  const [{ name, text }, change, drop] = useDraft('charge-template', { name: '', text: '' })
  const charges = readCharges(text, language)
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (!charges) return
    void run(async () => {
      const before = data.find((template) => template.name === name)
      await ops.setChargeTemplate({ params: { name }, body: { charges } })
      drop()
      return { text: m.done.saved, undo: () => restore(name, before) }
    })
  }
  const remove = (template: ChargeTemplate) =>
    run(async () => {
      await ops.removeChargeTemplate({ params: { name: template.name } })
      return { text: m.done.removed, undo: () => restore(template.name, template) }
    })
  const edit = (template: ChargeTemplate) => {
    change({ name: template.name, text: template.charges.map(writeCharge).join('\n') })
  }
  return (
    <Section title={m.set.templates} isBare={data.length > 0}>
      {data.length > 0 && (
        <PlainTable
          label={m.set.templates}
          rows={data}
          rowKey={(template) => template.name}
          columns={[
            {
              id: 'name',
              header: m.set.templateName,
              isName: true,
              cell: (template) => <TextButton onClick={() => edit(template)}>{template.name}</TextButton>,
            },
            {
              id: 'charges',
              header: m.description,
              cell: (template) => template.charges.map(({ description }) => description).join(', '),
            },
            {
              id: 'remove',
              header: m.set.remove,
              isPlain: true,
              align: 'right',
              cell: (template) =>
                mayInvoice && (
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={`${m.set.remove}: ${template.name}`}
                    onClick={() => void remove(template)}
                  >
                    {m.set.remove}
                  </Button>
                ),
            },
          ]}
        />
      )}
      {mayInvoice && (
        <form onSubmit={save} className={`${actionStyles.form} ${styles.below}`}>
          <Field
            label={m.set.templateName}
            value={name}
            maxLength={100}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <FieldFrame
            label={m.set.charges}
            description={m.set.chargesHint}
            error={text.trim() !== '' && !charges ? m.set.chargesHint : undefined}
          >
            {(control) => (
              <textarea
                {...control}
                className={fields.control}
                rows={5}
                value={text}
                onChange={(event) => change({ text: event.currentTarget.value })}
              />
            )}
          </FieldFrame>
          <div>
            <Button type="submit" variant="default" loading={isBusy} disabled={name.trim() === '' || !charges}>
              {m.set.saveTemplate}
            </Button>
          </div>
        </form>
      )}
    </Section>
  )
}

async function restore(name: string, template: ChargeTemplate | undefined): Promise<void> {
  if (!template) {
    await ops.removeChargeTemplate({ params: { name } })
    return
  }
  const { name: _name, ...body } = template
  await ops.setChargeTemplate({ params: { name }, body })
}

function writeCharge({ description, per = 'flat', unit_rate, tax_category }: TemplateCharge): string {
  return [description, per, unit_rate.amount, unit_rate.currency, tax_category ?? ''].join('; ').replace(/; $/, '')
}

/** Undefined if a row cannot be read. */
function readCharges(text: string, language: Language): TemplateCharge[] | undefined {
  const rows = text.split('\n').filter((row) => row.trim() !== '')
  const charges = rows.map((row): TemplateCharge | undefined => {
    const [description = '', unit, rate, code, category] = row.split(/;|\t/).map((cell) => cell.trim())
    const per = chargeUnits.find((each) => each === unit)
    const currency = currencies.find((each) => each === code?.toUpperCase())
    const amount = typedNumber(rate ?? '', language)
    const tax_category = taxCategories.find((each) => each === category)
    if (description === '' || !per || !currency || amount === undefined || Number.isNaN(amount)) return undefined
    if (category && !tax_category) return undefined
    return { description, per, unit_rate: { amount, currency }, ...(tax_category && { tax_category }) }
  })
  return charges.length > 0 && charges.every((charge) => charge !== undefined) ? charges : undefined
}
