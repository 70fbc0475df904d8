// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { AccountDetails } from '@/components/account/account-details'
import { OidcCallback } from '@/components/account/sign-in-page'
import { ResetForm } from '@/components/account/account-form'
import { SignInForm, SignUpForm } from '@/components/account/sign-in-form'
import { AccountList, type ListedAccount } from '@/components/admin/account-list'
import { AdminFrame } from '@/components/admin/admin-frame'
import { AuditList } from '@/components/admin/audit-list'
import { InvitationList } from '@/components/admin/invitation-list'
import { ServerHealth, ServerLimits, UseByDay } from '@/components/admin/server-health'
import { speakTo } from '@/lib/base/text/languages'
import { limitsOf } from '@/lib/server/settings/shown-limits'
import { readSettings } from '@/lib/server/settings/read-settings'
import type { AuditEntry } from '@/lib/shared/server-facts/account-rows'
import { loadMessagesOf } from '@/lib/i18n/load-messages'
import { AccessForm } from './access/access-form'
import { LicenceList } from './(pages)/licences/licence-list'

beforeAll(async () => {
  expect(await loadMessagesOf('zh-CN')).toBe(true)
  speakTo('zh-CN')
})
afterEach(cleanup)

const offered = { password: true, oidc: 'Corp', header: false, inviteOnly: true, anonymous: true }
const day = Date.UTC(2026, 10, 22)
const ada: ListedAccount = {
  id: 'a',
  name: 'ada',
  email: null,
  role: 'admin',
  createdAt: day,
  isDisabled: true,
  isMe: false,
}
const acts = ['role-set', 'account-disabled', 'account-enabled', 'account-deleted', 'sessions-revoked'] as const
const entry = (act: AuditEntry['act'], detail: AuditEntry['detail'] = {}): AuditEntry => ({
  id: `${act} ${JSON.stringify(detail)}`,
  at: day,
  actor: 'command',
  target: 'gone',
  act,
  detail,
})
const invitation = { id: 'i', kind: 'sign-up', email: null, createdAt: day, expiresAt: day } as const
const session = { id: 's', createdAt: day, lastSeenAt: day, address: '10.0.0.7', userAgent: null }

const account = {
  name: 'ada',
  email: 'ada@corp.example',
  isAdmin: true,
  signIns: ['credential'],
  provider: 'Corp',
  byProxy: false,
  sessions: [
    { ...session, here: true },
    { ...session, id: 't', here: false },
    { ...session, id: 'u', here: false },
  ],
  why: null,
}

const pages: Readonly<Record<string, ReactNode>> = {
  'sign in': <SignInForm offered={offered} next="/" why={null} />,
  'by a proxy': <SignInForm offered={{ ...offered, password: false, oidc: null, header: true }} next="/" why={null} />,
  'sign up': <SignUpForm offered={offered} next="/" invitation="x" invited="ada@corp.example" stop={null} />,
  reset: <ResetForm code="x" email="ada@corp.example" stop={null} />,
  arrived: <OidcCallback who="x" next="/" />,
  account: <AccountDetails {...account} />,
  'account by a proxy': <AccountDetails {...account} email={null} byProxy sessions={[]} />,
  accounts: (
    <AdminFrame here="/admin/accounts">
      <AccountList
        accounts={[ada, { ...ada, id: 'b', role: 'user', isDisabled: false }]}
        total={2}
        query="ada"
        next="b"
        isFirst={false}
        hasPasswords
      />
    </AdminFrame>
  ),
  invitations: (
    <InvitationList
      invitations={(['open', 'used', 'revoked', 'ended'] as const).map((state, at) => ({
        ...invitation,
        id: state,
        state,
        role: at === 0 ? 'admin' : 'user',
        kind: at === 1 ? 'reset' : 'sign-up',
      }))}
      next={null}
    />
  ),
  audit: (
    <AuditList
      entries={[
        ...acts.map((act) => entry(act, { sessions: 2 })),
        entry('invitation-made', { role: 'admin' }),
        entry('invitation-made', { kind: 'reset' }),
        entry('invitation-revoked'),
      ]}
      names={{}}
      next={null}
    />
  ),
  'no audit': <AuditList entries={[]} names={{}} next={null} />,
  health: (
    <ServerHealth
      version="1"
      build="b"
      store="sqlite"
      storeProblem={null}
      silent={2}
      processes={[null, 2].map((place) => ({
        id: String(place),
        node: '10.0.0.1:3000',
        place,
        isDraining: place !== null,
        replies: 1,
        maxReplies: 2,
        upSeconds: 90,
        memoryBytes: 1e6,
      }))}
    />
  ),
  use: (
    <UseByDay rows={[{ day, model: 'm', owners: 1, replies: 2, tokensIn: 3, tokensOut: 4, estimated: 0 }]} days={14} />
  ),
  'no use': <UseByDay rows={[]} days={14} />,
  access: <AccessForm next="/" refused="wrong" />,
  licences: <LicenceList notices={{ version: '1', licence: '', packages: [] }} />,
}

const heard = ['aria-label', 'title', 'placeholder', 'alt', 'data-tip']
/** Two words in a row, or one alone: excludes addresses, variables and units. */
const english = /\b[A-Za-z]?[a-z]+[,.:;]? [a-z]{2,}|^(?!Nod$|Corp$)[A-Z][a-z]+$/

function languageOfRequest(element: Element): readonly string[] {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const said: string[] = []
  while (texts.nextNode()) said.push(texts.currentNode.textContent ?? '')
  for (const one of element.querySelectorAll('*')) said.push(...heard.map((name) => one.getAttribute(name) ?? ''))
  return said.filter((text) => /\p{L}/u.test(text))
}

it.each(Object.entries(pages))('shows nothing in English to a Chinese reader: %s', (_name, page) => {
  const said = languageOfRequest(render(page).container)
  expect(said.some((text) => /\p{sc=Han}/u.test(text))).toBe(true)
  expect(said.filter((text) => english.test(text))).toEqual([])
})

it('the limits of a server too', () => {
  const limits = limitsOf(readSettings({ NOD_WORKERS: '2' }, () => '').settings)
  const { container } = render(<ServerLimits limits={limits} />)
  expect(limits.length).toBeGreaterThan(20)
  expect(languageOfRequest(container).filter((text) => !/\p{sc=Han}|^(?:NOD|OTEL)_|^\d/u.test(text))).toEqual([])
})
