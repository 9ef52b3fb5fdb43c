import { type FormEvent, useMemo, useRef, useState } from 'react'
import { AppLink } from '../../../ui/app-link.js'
import { Button, ButtonLink } from '../../../ui/button.js'
import { Field } from '../../../ui/field.js'
import { Section } from '../../../ui/section.js'
import { refusalCodeOf } from '../../api/client.js'
import { useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import { faultText } from './field-faults.js'
import { LeaveDialog } from './leave-dialog.js'
import { type OrderDraft, parametersPointer } from './order-draft.js'
import styles from './order-form.module.css'
import { AssignedNotice, DraftNotices, FaultList, SaveFailure } from './order-form-notices.js'
import { OrderLinesField } from './order-lines-field.js'
import { OrderSum } from './order-sum.js'
import { ParametersField } from './parameters-field.js'
import type { OrderForm } from './use-order-form.js'

type OrderFormViewProps = {
  form: OrderForm
  submitLabel: string
  back: string
  /** Absent for a new order. */
  existing?: { reference: string; isLocked: boolean; hasChanged: boolean }
}

type OrderText = 'reference' | 'supplier_id' | 'desired_ex_factory_date' | 'desired_delivery_date'

export function OrderFormView({ form, submitLabel, back, existing }: OrderFormViewProps) {
  const m = useMessages()
  const [attempts, setAttempts] = useState(0)
  const element = useRef<HTMLFormElement>(null)
  const { draft, change, leave } = form
  const faults = useMemo(
    () => Object.fromEntries(form.faults.map((fault) => [fault.pointer, faultText(fault, m)])),
    [form.faults, m],
  )

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (form.isSaving || existing?.isLocked) return
    if (!(await form.save())) setAttempts((count) => count + 1)
  }

  const textField = (name: OrderText) => ({
    name: `/${name}`,
    label: m.orderForm.orderFields[name],
    value: draft[name],
    error: faults[`/${name}`],
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      change((order: OrderDraft) => ({ ...order, [name]: value }), `/${name}`)
    },
    onBlur: () => leave(`/${name}`),
  })

  return (
    <form ref={element} className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
      {existing?.isLocked && <AssignedNotice reference={existing.reference} />}
      <DraftNotices form={form} hasChanged={existing?.hasChanged === true} />
      <FaultList faults={form.faults} formElement={element} attempts={attempts} />
      <SaveFailure failure={form.failure} reference={draft.reference} />
      <Section title={m.orderForm.aboutOrder}>
        <div className={styles.fields}>
          <Field
            {...textField('reference')}
            hasAsterisk
            readOnly={existing !== undefined}
            {...(existing && { description: m.orderForm.referenceFixed })}
            error={takenReference(form, draft.reference, m.orderForm) ?? faults['/reference']}
          />
          <Field {...textField('supplier_id')} />
          <Field {...textField('desired_ex_factory_date')} type="date" />
          <Field {...textField('desired_delivery_date')} type="date" />
        </div>
      </Section>
      <Section title={m.orderForm.lines} aside={<OrderSum lines={draft.lines} />}>
        <OrderLinesField lines={draft.lines} faults={faults} change={change} leave={leave} />
      </Section>
      <Section title={m.orderForm.parameters} aside={<span className={styles.hint}>{m.orderForm.parametersHint}</span>}>
        <ParametersField
          pointer={parametersPointer}
          label={m.orderForm.parameters}
          values={draft.custom_parameters}
          faultAt={(pointer) => faults[pointer]}
          onChange={(custom_parameters, pointer) => change((order) => ({ ...order, custom_parameters }), pointer)}
          onLeave={leave}
        />
      </Section>
      <div className={styles.saveBar}>
        <span className={styles.hint} aria-live="polite">
          {form.isSaving ? m.common.saving : form.isDirty ? m.orderForm.notSaved : m.orderForm.nothingToSave}
        </span>
        <ButtonLink variant="default" href={back}>
          {m.common.cancel}
        </ButtonLink>
        <Button type="submit" loading={form.isSaving} disabled={existing?.isLocked === true}>
          {submitLabel}
        </Button>
      </div>
      <LeaveDialog form={form} />
    </form>
  )
}

/** The error of a reference that is already used, with a link to that order. */
function takenReference(form: OrderForm, reference: string, texts: { seeOrder: string; taken: string }) {
  if (refusalCodeOf(form.failure) !== 'purchase_order_exists') return undefined
  return (
    <>
      {texts.taken} <AppLink href={paths.order(reference.trim())}>{texts.seeOrder}</AppLink>
    </>
  )
}
