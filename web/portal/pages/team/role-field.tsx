import type { PersonRole } from '../../../../src/contract/portal/people.js'
import { RadioGroup } from '../../../ui/choices.js'
import { useMessages } from '../../i18n/messages.js'
import { roles } from './roles.js'

export function RoleField({ value, onChange }: { value: PersonRole; onChange: (role: PersonRole) => void }) {
  const { team: m, statuses } = useMessages()
  return (
    <RadioGroup
      label={m.role}
      isStacked
      value={value}
      options={roles.map((role) => ({ value: role, label: statuses.role[role], description: m.roleTexts[role] }))}
      onChange={onChange}
    />
  )
}
