import { expect, it } from 'vitest'
import type { AuditEntry } from '@/lib/shared/server-facts/account-rows'
import { actionText } from './audit-list'

const names = { root: 'root@corp.example', eve: 'eve@corp.example' }
const entry = (
  act: AuditEntry['act'],
  detail: AuditEntry['detail'] = {},
  more: Partial<AuditEntry> = {},
): AuditEntry => ({
  id: '1',
  at: 1,
  actor: 'root',
  target: 'eve',
  act,
  detail,
  ...more,
})

it.each([
  [entry('role-set', { from: 'user', to: 'admin' }), 'root@corp.example made eve@corp.example an administrator.'],
  [entry('role-set', { from: 'admin', to: 'user' }), 'root@corp.example removed eve@corp.example as an administrator.'],
  [
    entry('account-disabled', { sessions: 1 }),
    'root@corp.example disabled eve@corp.example and signed it out of 1 browser.',
  ],
  [entry('sessions-revoked', { sessions: 3 }), 'root@corp.example signed eve@corp.example out of 3 browsers.'],
  [
    entry('account-deleted', {}, { target: 'x1', actor: 'command' }),
    'The command line on the server deleted a deleted account (x1) and all its chats.',
  ],
  [
    entry('role-set', { to: 'user' }, { target: 'root' }),
    'root@corp.example removed their own account as an administrator.',
  ],
  [
    entry('invitation-made', { kind: 'reset', role: 'user' }),
    'root@corp.example created a password reset link for eve@corp.example.',
  ],
  [
    entry('invitation-made', { kind: 'sign-up', role: 'admin' }, { target: 'i1' }),
    'root@corp.example created an invitation for an administrator.',
  ],
])('says %j', (said, sentence) => {
  expect(actionText(said, names)).toBe(sentence)
})
