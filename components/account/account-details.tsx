'use client'

import { deviceLabel } from '@/lib/i18n/labels'
import { Refused, useAsking, AccountField } from './account-sheet'
import { PageHead, PageLink } from '@/components/ui/page/page-head'
import { useState, type ReactNode } from 'react'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { Button } from '@/components/ui/controls/button'
import { row } from '@/components/ui/recipes/surface'
import { Wait } from '@/components/ui/page/wait'
import { useLanguage } from '@/components/ui/page/use-language'
import { t } from '@/lib/i18n/t'
import { forgetAccount, navigateTo, notifyOtherTabs } from './sign-in-page'
import { ProviderButton } from './sign-in-form'

export interface ShownSession {
  readonly id: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly lastSeenAt: number
  readonly address: string | null
  readonly userAgent: string | null
  readonly here: boolean
}

/** Lists the account's sessions; each can be signed out here. */
export function SessionList({ sessions }: { sessions: readonly ShownSession[] }) {
  const [ended, setEnded] = useState<ReadonlySet<string>>(new Set())
  const { busy, asks, refused, ask } = useAsking()
  const shown = sessions.filter(({ id }) => !ended.has(id))
  const others = shown.filter(({ here }) => !here)
  const end = (gone: readonly ShownSession[], path: string) =>
    ask('DELETE', path, undefined, () => setEnded(new Set([...ended, ...gone.map(({ id }) => id)])))
  return (
    <>
      <ul className="grid gap-3">
        {shown.map((session) => (
          <li key={session.id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="min-w-0 flex-1 basis-56">
              <SentenceText text={deviceLabel(session.userAgent)} />
              {session.here ? <strong className="font-medium">{` · ${t('account.this-browser')}`}</strong> : null}
              <span className="block text-sm text-muted" suppressHydrationWarning>
                <SentenceText text={timesOf(session)} />
              </span>
            </span>
            {session.here ? null : (
              <Button
                disabled={busy}
                aria-label={t('account.sign-out-of', { device: deviceLabel(session.userAgent) })}
                onClick={() => void end([session], `/api/account/sessions/${encodeURIComponent(session.id)}`)}
              >
                {t('account.sign-out')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Refused message={refused} waits={asks} />
      {others.length > 1 ? (
        <Button disabled={busy} onClick={() => void end(others, '/api/account/sessions')}>
          {t('account.sign-out-others')}
        </Button>
      ) : null}
    </>
  )
}

const timesOf = ({ createdAt, lastSeenAt, address }: ShownSession): string =>
  t('account.session', { seen: lastSeenAt, address, since: createdAt })

export interface AccountDetailsProps {
  readonly name: string
  readonly email: string | null
  readonly isAdmin: boolean
  /** The account's sign-in methods: `credential`, `oidc`, `header`. */
  readonly signIns: readonly string[]
  /** The provider that the account can link as another sign-in method; null if none is offered. */
  readonly provider: string | null
  /** A proxy authenticates every request. */
  readonly byProxy: boolean
  readonly sessions: readonly ShownSession[]
  /** The error that the provider's redirect brought back. */
  readonly why: string | null
}

/** Shows the account, its sessions, its sign-in methods and how to delete it. */
export function AccountDetails(account: AccountDetailsProps) {
  useLanguage()
  const { name, email, isAdmin, signIns, provider, byProxy, sessions, why } = account
  return (
    <div className="flex min-h-dvh flex-col">
      <PageHead title={t('page.account')} />
      <main className="mx-auto grid w-full max-w-column gap-8 px-6 py-6 narrow:px-3.5">
        <header className="grid gap-1">
          <h2 className="text-xl font-strong wrap-anywhere">
            <SentenceText text={name} />
          </h2>
          <p className="text-muted wrap-anywhere">
            <SentenceText text={t('account.about', { email, admin: isAdmin })} />
          </p>
          {isAdmin ? (
            <PageLink className="justify-self-start text-sm underline" href="/admin">
              {t('account.administration')}
            </PageLink>
          ) : null}
          <Refused message={why} />
        </header>
        {byProxy ? (
          <Part title={t('account.proxy')}>
            <p className="text-muted">{t('account.proxy-why')}</p>
          </Part>
        ) : (
          <SignOut />
        )}
        {byProxy ? null : (
          <Part title={t('account.sessions')}>
            <SessionList sessions={sessions} />
          </Part>
        )}
        {signIns.includes('credential') ? <ChangePassword email={email ?? ''} /> : null}
        {provider === null || byProxy ? null : (
          <Part title={provider}>
            {signIns.includes('oidc') ? (
              <p className="text-muted">
                <SentenceText text={t('account.provider', { provider })} />
              </p>
            ) : (
              <div>
                <ProviderButton label={provider} link />
              </div>
            )}
          </Part>
        )}
        <DeleteAccount email={email} hasPassword={signIns.includes('credential')} />
      </main>
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-3">
      <h2 className="text-md font-strong">
        <SentenceText text={title} />
      </h2>
      {children}
    </section>
  )
}

const leave = (): 'leaves' => {
  // The chat store behind this page is still mounted and would react to the sign-out too.
  document.documentElement.dataset['leaves'] = ''
  notifyOtherTabs()
  void navigateTo('/')
  return 'leaves'
}

/** `onHeld` is called instead of leaving when another tab holds some of this browser's stored data. */
const leaveForGood = (onHeld: () => void): 'leaves' => {
  const { dataset } = document.documentElement
  dataset['leaves'] = ''
  notifyOtherTabs()
  void forgetAccount(dataset['who'] ?? '').then((isGone) => (isGone ? navigateTo('/') : onHeld()))
  return 'leaves'
}

function SignOut() {
  const { busy, asks, refused, ask } = useAsking()
  const out = (everywhere: boolean) => void ask('POST', '/api/account/sign-out', { everywhere }, leave)
  return (
    <Part title={t('account.sign-out')}>
      <p className="text-muted">{t('account.sign-out-why')}</p>
      <div className={row()}>
        <Button disabled={busy} onClick={() => out(false)}>
          {t('account.sign-out-here')}
        </Button>
        <Button disabled={busy} onClick={() => out(true)}>
          {t('account.sign-out-everywhere')}
        </Button>
      </div>
      <Refused message={refused} waits={asks} />
    </Part>
  )
}

function ChangePassword({ email }: { email: string }) {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [done, setDone] = useState(false)
  const { busy, asks, refused, ask } = useAsking()
  const send = () =>
    ask('POST', '/api/account/password', { current, next }, () => {
      setCurrent('')
      setNext('')
      setDone(true)
    })
  return (
    <Part title={t('account.password')}>
      <form
        method="post"
        className="grid max-w-96 gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          setDone(false)
          void send()
        }}
      >
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <AccountField
          label={t('account.password-now')}
          type="password"
          autoComplete="current-password"
          value={current}
          onChange={setCurrent}
        />
        <AccountField
          label={t('account.password-new')}
          type="password"
          autoComplete="new-password"
          value={next}
          onChange={setNext}
          hint={t('account.password-new-hint')}
        />
        <Refused message={refused} waits={asks} />
        {done ? <p role="status">{t('account.password-changed')}</p> : null}
        <div>
          <Button type="submit" disabled={busy}>
            {t('account.password-change')}
          </Button>
        </div>
      </form>
    </Part>
  )
}

function DeleteAccount({ email, hasPassword }: { email: string | null; hasPassword: boolean }) {
  const [confirm, setConfirm] = useState('')
  const [password, setPassword] = useState('')
  const [ending, setEnding] = useState<'forgets' | 'held' | null>(null)
  const { busy, asks, refused, ask } = useAsking()
  if (email === null) return null
  const send = () =>
    ask('DELETE', '/api/account', { confirm, password: hasPassword ? password : null }, () => {
      setEnding('forgets')
      return leaveForGood(() => setEnding('held'))
    })
  if (ending === 'held') return <HeldElsewhere />
  return (
    <Part title={t('account.delete')}>
      <p className="text-muted">{t('account.delete-why')}</p>
      <form
        method="post"
        className="grid max-w-96 gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <AccountField
          label={t('account.delete-type', { email })}
          type="email"
          autoComplete="off"
          value={confirm}
          onChange={setConfirm}
        />
        {hasPassword ? (
          <AccountField
            label={t('account.password')}
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={setPassword}
          />
        ) : null}
        {ending === null ? <Refused message={refused} waits={asks} /> : <Wait what={t('account.forgets')} />}
        <div>
          <Button type="submit" look="danger" disabled={busy}>
            {t('account.delete-do')}
          </Button>
        </div>
      </form>
    </Part>
  )
}

/** Shown when the account is deleted but another tab still holds some of this browser's stored data. */
function HeldElsewhere() {
  return (
    <Part title={t('account.delete')}>
      <p role="alert">{t('account.held')}</p>
      <div>
        <Button onClick={() => void navigateTo('/')}>{t('account.go-on')}</Button>
      </div>
    </Part>
  )
}
