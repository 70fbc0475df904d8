'use client'

import { useState, type FormEvent } from 'react'
import { AccountField, Refused, useAsking } from '@/components/account/account-sheet'
import { Button } from '@/components/ui/controls/button'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { checkBox, checkLabel } from '@/components/ui/recipes/field'
import { row } from '@/components/ui/recipes/surface'
import { useLanguage } from '@/components/ui/page/use-language'
import { t } from '@/lib/i18n/t'
import { PageLinks, OneTimeLink } from './admin-frame'

export interface ListedInvitation {
  readonly id: string
  readonly kind: 'sign-up' | 'reset'
  readonly email: string | null
  readonly role: 'user' | 'admin'
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly expiresAt: number
  readonly state: 'open' | 'used' | 'revoked' | 'ended'
}

/** Invites someone, and lists the invitations. */
export function InvitationList({
  invitations,
  next,
}: {
  invitations: readonly ListedInvitation[]
  next: string | null
}) {
  useLanguage()
  const [made, setMade] = useState<readonly ListedInvitation[]>([])
  const known = new Set(invitations.map(({ id }) => id))
  const all = [...made.filter(({ id }) => !known.has(id)), ...invitations]
  return (
    <section className="grid gap-5" aria-label={t('admin.invitations')}>
      <Invite onMade={(invitation) => setMade([{ ...invitation, state: 'open' }, ...made])} />
      {all.length === 0 ? <p className="text-muted">{t('admin.nobody-invited')}</p> : null}
      <ul className="grid">
        {all.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} />
        ))}
      </ul>
      <PageLinks
        next={next}
        isFirst
        href={(after) => `/admin/invitations?${new URLSearchParams(after === null ? {} : { after })}`}
      />
    </section>
  )
}

function Invite({ onMade }: { onMade: (invitation: Omit<ListedInvitation, 'state'>) => void }) {
  const [email, setEmail] = useState('')
  const [isAdmin, setIsAdmin] = useState(false)
  const [link, setLink] = useState<string | null>(null)
  const { busy, asks, refused, ask } = useAsking()
  const send = (event: FormEvent) => {
    event.preventDefault()
    const body = { email: email.trim() === '' ? null : email, role: isAdmin ? 'admin' : 'user' }
    void ask<{ invitation: Omit<ListedInvitation, 'state'>; code: string }>(
      'POST',
      '/api/admin/invitations',
      body,
      ({ invitation, code }) => {
        setLink(`/sign-up?invitation=${encodeURIComponent(code)}`)
        setEmail('')
        onMade(invitation)
      },
    )
  }
  return (
    <form method="post" className="grid max-w-96 gap-3" onSubmit={send}>
      <AccountField
        label={t('admin.email')}
        value={email}
        onChange={setEmail}
        autoComplete="off"
        hint={t('admin.email-hint')}
        optional
      />
      <label className={checkLabel()}>
        <input
          className={checkBox()}
          type="checkbox"
          checked={isAdmin}
          onChange={({ target }) => setIsAdmin(target.checked)}
        />
        {t('admin.as-admin')}
      </label>
      <div>
        <Button type="submit" disabled={busy}>
          {t('admin.invite')}
        </Button>
      </div>
      {link === null ? null : <OneTimeLink path={link} about={t('admin.invite-link')} />}
      <Refused message={refused} waits={asks} />
    </form>
  )
}

function InvitationRow({ invitation }: { invitation: ListedInvitation }) {
  const [isRevoked, setIsRevoked] = useState(false)
  const { busy, asks, refused, ask } = useAsking()
  const { id, kind, email, role, createdAt, expiresAt } = invitation
  const state = isRevoked ? 'revoked' : invitation.state
  const what = kind === 'reset' ? 'reset' : role
  return (
    <li className="grid gap-1 border-b border-line py-3">
      <div className={row()}>
        <span className="min-w-0 flex-1 basis-64 wrap-anywhere">
          <SentenceText text={t('admin.invitation', { what, email })} />
          <span className="block text-sm text-muted">
            <SentenceText text={t('admin.invited', { at: createdAt, state, until: expiresAt })} />
          </span>
        </span>
        {state === 'open' ? (
          <Button
            disabled={busy}
            onClick={() =>
              void ask('DELETE', `/api/admin/invitations/${encodeURIComponent(id)}`, undefined, () =>
                setIsRevoked(true),
              )
            }
          >
            {t('admin.take-back')}
          </Button>
        ) : null}
      </div>
      <Refused message={refused} waits={asks} />
    </li>
  )
}
