'use client'

import { useState } from 'react'
import { Refused, useAsking } from '@/components/account/account-sheet'
import { Button } from '@/components/ui/controls/button'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { badge } from '@/components/ui/recipes/recipe'
import { field } from '@/components/ui/recipes/field'
import { row } from '@/components/ui/recipes/surface'
import { useLanguage } from '@/components/ui/page/use-language'
import { withBase } from '@/lib/base/base-path'
import { t } from '@/lib/i18n/t'
import { PageLinks, OneTimeLink } from './admin-frame'

export interface ListedAccount {
  readonly id: string
  readonly name: string
  /** Null if only the proxy knows it. */
  readonly email: string | null
  readonly role: 'user' | 'admin'
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly isDisabled: boolean
  /** Whether this is the signed-in administrator's own account. */
  readonly isMe: boolean
}

export interface AccountListProps {
  readonly accounts: readonly ListedAccount[]
  readonly total: number
  readonly query: string
  readonly next: string | null
  readonly isFirst: boolean
  /** Whether a link can reset a password. */
  readonly hasPasswords: boolean
}

/** Lists the accounts and the actions on them. */
export function AccountList({ accounts, total, query, next, isFirst, hasPasswords }: AccountListProps) {
  useLanguage()
  return (
    <section className="grid gap-4" aria-label={t('admin.accounts')}>
      <form action={withBase('/admin/accounts')} className={row()} role="search">
        <input
          className={field(undefined, 'max-w-72')}
          type="search"
          name="q"
          defaultValue={query}
          maxLength={200}
          aria-label={t('admin.find-what')}
          placeholder={t('admin.find-hint')}
        />
        <Button type="submit">{t('admin.find')}</Button>
        <span className="text-muted">
          <SentenceText text={query === '' ? t('admin.total', { total }) : t('admin.found', { total, query })} />
        </span>
      </form>
      <ul className="grid">
        {accounts.map((account) => (
          <AccountRow key={account.id} account={account} hasPasswords={hasPasswords} />
        ))}
      </ul>
      <PageLinks
        next={next}
        isFirst={isFirst}
        href={(after) => `/admin/accounts?${new URLSearchParams({ q: query, ...(after !== null && { after }) })}`}
      />
    </section>
  )
}

function AccountRow({ account: given, hasPasswords }: { account: ListedAccount; hasPasswords: boolean }) {
  const [account, setAccount] = useState(given)
  const [notice, setNotice] = useState<string | null>(null)
  const [link, setLink] = useState<string | null>(null)
  const [isGone, setIsGone] = useState(false)
  const { busy, asks, refused, ask } = useAsking()
  const path = `/api/admin/accounts/${encodeURIComponent(account.id)}`
  const shown = account.email ?? account.name
  const change = (
    body: { role: 'user' | 'admin' } | { disabled: boolean },
    after: Partial<ListedAccount>,
    what: string,
  ) =>
    void ask('PATCH', path, body, () => {
      setAccount({ ...account, ...after })
      setNotice(what)
    })
  if (isGone) {
    return (
      <li className="border-b border-line py-3 text-muted" role="status">
        <SentenceText text={t('admin.deleted', { account: shown })} />
      </li>
    )
  }
  return (
    <li className="grid gap-2 border-b border-line py-3" aria-label={shown}>
      <div className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium wrap-anywhere">
          <SentenceText text={account.name} />
        </span>
        <span className="wrap-anywhere text-muted">
          <SentenceText text={account.email ?? t('admin.by-proxy')} />
        </span>
        {account.role === 'admin' ? <span className={badge()}>{t('admin.is-admin')}</span> : null}
        {account.isDisabled ? <span className={badge()}>{t('admin.is-off')}</span> : null}
        {account.isMe ? <span className={badge()}>{t('admin.is-you')}</span> : null}
        <span className="ms-auto text-sm text-muted narrow:ms-0 narrow:basis-full">
          <SentenceText text={t('admin.since', { at: account.createdAt })} />
        </span>
      </div>
      <div className={row()}>
        {account.role === 'admin' ? (
          <Button disabled={busy} onClick={() => change({ role: 'user' }, { role: 'user' }, t('admin.demoted'))}>
            {t('admin.demote')}
          </Button>
        ) : (
          <Button disabled={busy} onClick={() => change({ role: 'admin' }, { role: 'admin' }, t('admin.promoted'))}>
            {t('admin.promote')}
          </Button>
        )}
        {account.isMe ? null : account.isDisabled ? (
          <Button
            disabled={busy}
            onClick={() => change({ disabled: false }, { isDisabled: false }, t('admin.enabled'))}
          >
            {t('admin.enable')}
          </Button>
        ) : (
          <Button disabled={busy} onClick={() => change({ disabled: true }, { isDisabled: true }, t('admin.disabled'))}>
            {t('admin.disable')}
          </Button>
        )}
        {account.isMe ? null : (
          <Button
            disabled={busy}
            onClick={() =>
              void ask<{ ended: number }>('DELETE', `${path}/sessions`, undefined, ({ ended }) =>
                setNotice(t('admin.signed-out', { count: ended })),
              )
            }
          >
            {t('admin.sign-out')}
          </Button>
        )}
        {hasPasswords && account.email !== null ? (
          <Button
            disabled={busy}
            onClick={() =>
              void ask<{ code: string }>('POST', `${path}/reset`, undefined, ({ code }) =>
                setLink(`/reset-password?code=${encodeURIComponent(code)}`),
              )
            }
          >
            {t('admin.reset')}
          </Button>
        ) : null}
        {account.isMe ? null : (
          <DeleteAccount
            shown={shown}
            busy={busy}
            onDelete={() => void ask('DELETE', path, undefined, () => setIsGone(true))}
          />
        )}
      </div>
      {notice === null ? null : (
        <p role="status" className="text-sm text-muted">
          <SentenceText text={notice} />
        </p>
      )}
      {link === null ? null : <OneTimeLink path={link} about={t('admin.reset-link')} />}
      <Refused message={refused} waits={asks} />
    </li>
  )
}

/** The confirmation replaces the pressed button, so the focus goes to the harmless answer. */
const focusOnce = (button: HTMLButtonElement | null) => button?.focus()

/** Asks for confirmation, because a deletion can't be undone. */
function DeleteAccount({ shown, busy, onDelete }: { shown: string; busy: boolean; onDelete: () => void }) {
  const [isAsking, setIsAsking] = useState(false)
  if (!isAsking) {
    return (
      <Button look="quiet" disabled={busy} onClick={() => setIsAsking(true)}>
        {t('admin.delete')}
      </Button>
    )
  }
  return (
    <span role="group" aria-label={t('admin.delete-name', { account: shown })} className={row()}>
      <span className="text-danger">
        <SentenceText text={t('admin.delete-ask', { account: shown })} />
      </span>
      <Button look="danger" disabled={busy} onClick={onDelete}>
        {t('admin.delete-do')}
      </Button>
      <Button ref={focusOnce} disabled={busy} onClick={() => setIsAsking(false)}>
        {t('admin.keep')}
      </Button>
    </span>
  )
}
