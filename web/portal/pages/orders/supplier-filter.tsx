import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FilterMenu } from '../../../ui/filter-menu.js'
import { suppliersQuery } from '../../api/queries.js'
import { useMessages } from '../../i18n/messages.js'

type Props = {
  value: string | undefined
  onChange(value: string | undefined): void
}

/** Filters by supplier. The server searches, because there may be many. */
export function SupplierFilter({ value, onChange }: Props) {
  const m = useMessages().orders
  const [text, search] = useState<string>()
  const { data, isPending } = useQuery({ ...suppliersQuery(text ?? ''), enabled: text !== undefined })
  const options = (data?.suppliers ?? []).map((name) => ({ value: name, label: name }))
  return (
    <FilterMenu
      label={m.supplier}
      value={value}
      options={options}
      onChange={onChange}
      onSearch={search}
      isSearchedRemotely
      hasMore={data?.more ?? false}
      isLoading={isPending}
    />
  )
}
