import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { suppliersQuery } from '../../api/queries.js'
import { useMessages } from '../../i18n/messages.js'
import { FilterMenu } from '../../parts/filter-menu.js'

type Props = {
  value: string | undefined
  onChange(value: string | undefined): void
}

/** By supplier: all that the account has placed orders with, and where they are many, those that are typed. */
export function SupplierFilter({ value, onChange }: Props) {
  const m = useMessages().orders
  const [words, search] = useState<string>()
  const { data, isPending } = useQuery({ ...suppliersQuery(words ?? ''), enabled: words !== undefined })
  const options = (data?.suppliers ?? []).map((name) => ({ value: name, label: name }))
  return (
    <FilterMenu
      label={m.supplier}
      value={value}
      options={options}
      onChange={onChange}
      onSearch={search}
      isSearched
      hasMore={data?.more ?? false}
      isLoading={isPending}
    />
  )
}
