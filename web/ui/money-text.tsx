import { useFormat } from '../portal/i18n/format.js'

type Props = { price: { amount: number; currency: string } | undefined; className?: string }

/** An amount in its own currency. */
export function MoneyText({ price, className = '' }: Props) {
  const format = useFormat()
  return <span className={`nowrap figures ${className}`}>{price === undefined ? '–' : format.money(price)}</span>
}
