import type { Command } from 'commander'
import { type OperatorRole, operatorRoles } from '../../contract/operator/accounts.js'
import { listOperators, type OperatorRow } from '../../store/operators.js'
import { createOperatorWithKey, endOperator } from '../../usecases/accounts/create-operator.js'
import { expiryOf } from '../expiry.js'
import { Failure } from '../failure.js'
import { withStorage } from '../open-storage.js'
import { readSettings } from '../settings.js'
import { table } from '../table.js'

type CreateFlags = { name: string; role: string; expires?: string; json?: true }

export function addTo(program: Command): void {
  const operator = program.command('operator').description('create, list and revoke operators of the forwarder')

  operator
    .command('create')
    .requiredOption('--name <name>', 'the name of the person or system')
    .option('--role <role>', `one of ${operatorRoles.join(', ')}`, 'operations')
    .option('--expires <date>', 'expiry: last day (UTC), or date and time with offset')
    .option('--json', 'print the result as JSON')
    .description('create an operator and print its key; it cannot be shown again')
    .action(async (flags: CreateFlags) => {
      const given = { name: nameOf(flags.name), role: roleOf(flags.role), expires_at: expiryOf(flags.expires) }
      await withStorage(readSettings(process.env), async ({ db }) => {
        const created = await createOperatorWithKey(db, given)
        console.log(flags.json ? JSON.stringify(created) : created.key)
      })
    })

  operator
    .command('list')
    .option('--json', 'print the result as JSON')
    .description('list operators (only hashes of their keys are stored)')
    .action(async (flags: { json?: true }) => {
      await withStorage(readSettings(process.env), async ({ db }) => {
        const operators = await listOperators(db)
        console.log(flags.json ? JSON.stringify(operators) : table(operators.map(rowOf)))
      })
    })

  operator
    .command('revoke')
    .argument('<operator_id>', 'the operator_id shown by `operator list`')
    .option('--json', 'print the result as JSON')
    .description('revoke an operator, with immediate effect on every process')
    .action(async (operatorId: string, flags: { json?: true }) => {
      await withStorage(readSettings(process.env), async ({ db }) => {
        if (!(await endOperator(db, operatorId))) throw new Failure(`there is no operator ${operatorId}`)
        const text = `Revoked the operator ${operatorId}.`
        console.log(flags.json ? JSON.stringify({ operator_id: operatorId, revoked: true }) : text)
      })
    })
}

function nameOf(text: string): string {
  if (text.trim() === '' || text.length > 255) throw new Failure('--name must have 1 to 255 characters', 2)
  return text
}

function roleOf(text: string): OperatorRole {
  const role = operatorRoles.find((known) => known === text)
  if (!role) throw new Failure(`--role ${text}: the roles are ${operatorRoles.join(', ')}`, 2)
  return role
}

function rowOf(operator: OperatorRow): Record<string, string> {
  return {
    operator_id: operator.operator_id,
    name: operator.name,
    role: operator.role,
    ends_in: operator.hint,
    created: operator.created_at.toISOString(),
    expires: operator.expires_at?.toISOString() ?? '',
    revoked: operator.revoked_at?.toISOString() ?? '',
  }
}
