import type { Example } from '../openapi.js'
import type { auditOperations } from './audit-operations.js'
import type { peopleOperations } from './people-operations.js'

const account = 'nordlicht'
const person = { account, person_id: 'per_5f0c9a7e31d2b846' }
const member = { person_id: 'per_0c1d5f0c9a7e31d2' }

/** Examples of the operations on the users of accounts and the forwarder's own people, and on audit logs. */
export const peopleExamples = {
  listAccountAudit: { params: { account }, query: { kind: 'key', take: 10 } },
  exportAccountAudit: { params: { account }, query: { kind: 'key' } },
  listForwarderAudit: { query: { take: 10 } },
  exportForwarderAudit: { query: { kind: 'person' } },
  inviteAccountPerson: {
    params: { account },
    body: { email: 'kim.larsen@nordlicht.example', name: 'Kim Larsen', role: 'member', language: 'en' },
  },
  listAccountPeople: { params: { account } },
  inviteAccountPersonAgain: { params: person },
  updateAccountPerson: { params: person, body: { role: 'admin' } },
  startViewing: { params: person },
  removeAccountPerson: { params: person, query: { keys: 'revoke' }, response: { accepted: true } },
  inviteStaff: { body: { email: 'ines.moreau@nordlicht.example', name: 'Ines Moreau', role: 'operations' } },
  listStaff: {
    response: [
      {
        person_id: member.person_id,
        email: 'ines.moreau@nordlicht.example',
        name: 'Ines Moreau',
        role: 'operations',
        status: 'active',
        created_at: '2026-02-16T09:12:04.118Z',
        last_seen_at: '2026-02-17T07:58:30.004Z',
      },
    ],
  },
  inviteStaffAgain: { params: member },
  updateStaff: { params: member, body: { role: 'viewer' } },
  endStaffSessions: { params: member },
  removeStaff: { params: member, response: { accepted: true } },
} satisfies Record<keyof typeof peopleOperations | keyof typeof auditOperations, Example>
