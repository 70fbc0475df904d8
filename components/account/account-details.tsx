'use client'

import { PageLink } from '@/components/ui/page-link'
import { useState, type ReactNode } from 'react'
import { SaidText } from '@/components/ui/foreign-text'
import { Button } from '@/components/ui/button'
import { row } from '@/components/ui/recipes/surface'
import { AccountField, Refused } from './account-sheet'
import { leaveFor, tellOtherTabs } from './go-in'
import { ProviderButton } from './provider-button'
import { SessionList, type ShownSession } from './session-list'
import { useAsking } from './use-asking'

export interface AccountDetailsProps {
  readonly name: string
  readonly email: string | null
  readonly isAdmin: boolean
  /** The ways by which it can sign in: `credential`, `oidc`, `header`. */
  readonly signIns: readonly string[]
  /** The provider that could be another way in; null: none is offered. */
  readonly provider: string | null
  /** The proxy says who it is, with every request. */
  readonly byProxy: boolean
  readonly sessions: readonly ShownSession[]
  /** What was refused on the way back from the provider. */
  readonly why: string | null
}

/** Who one is here, where else, and how it ends. */
export function AccountDetails(account: AccountDetailsProps) {
  const { name, email, isAdmin, signIns, provider, byProxy, sessions, why } = account
  return (
    <main className="mx-auto grid w-full max-w-column gap-8 px-6 py-8 narrow:px-3.5">
      <header className="grid gap-1">
        <PageLink className="justify-self-start text-sm underline" href="/">
          Back to the chats
        </PageLink>
        <h1 className="text-xl font-strong wrap-anywhere">
          <SaidText text={name} />
        </h1>
        <p className="text-muted wrap-anywhere">
          <SaidText
            text={`${email ?? 'Known by the proxy in front of this server'}${isAdmin ? ' · administrator' : ''}`}
          />
        </p>
        {isAdmin ? (
          <PageLink className="justify-self-start text-sm underline" href="/admin">
            Administration
          </PageLink>
        ) : null}
        <Refused message={why} />
      </header>
      {byProxy ? (
        <Part title="Signed in by a proxy">
          <p className="text-muted">The proxy in front of this server says who you are. To sign out, sign out there.</p>
        </Part>
      ) : (
        <SignOut />
      )}
      {byProxy ? null : (
        <Part title="Where you are signed in">
          <SessionList sessions={sessions} />
        </Part>
      )}
      {signIns.includes('credential') ? <ChangePassword email={email ?? ''} /> : null}
      {provider === null || byProxy ? null : (
        <Part title={provider}>
          {signIns.includes('oidc') ? (
            <p className="text-muted">
              <SaidText text={`You can sign in with ${provider}.`} />
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
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-3">
      <h2 className="text-md font-strong">
        <SaidText text={title} />
      </h2>
      {children}
    </section>
  )
}

const leave = (): 'leaves' => {
  // The chat of this page lives on behind it, and would hear that it is signed out, too.
  document.documentElement.dataset['leaves'] = ''
  tellOtherTabs()
  void leaveFor('/')
  return 'leaves'
}

function SignOut() {
  const { busy, refused, ask } = useAsking()
  const out = (everywhere: boolean) => void ask('POST', '/api/account/sign-out', { everywhere }, leave)
  return (
    <Part title="Sign out">
      <p className="text-muted">
        The next person at this browser sees nothing of your chats. Files and unsent words stay stored in this browser,
        and are there when you sign in again.
      </p>
      <div className={row()}>
        <Button disabled={busy} onClick={() => out(false)}>
          Sign out here
        </Button>
        <Button disabled={busy} onClick={() => out(true)}>
          Sign out everywhere
        </Button>
      </div>
      <Refused message={refused} />
    </Part>
  )
}

function ChangePassword({ email }: { email: string }) {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [done, setDone] = useState(false)
  const { busy, refused, ask } = useAsking()
  const send = () =>
    ask('POST', '/api/account/password', { current, next }, () => {
      setCurrent('')
      setNext('')
      setDone(true)
    })
  return (
    <Part title="Password">
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
          label="Password now"
          type="password"
          autoComplete="current-password"
          value={current}
          onChange={setCurrent}
        />
        <AccountField
          label="New password"
          type="password"
          autoComplete="new-password"
          value={next}
          onChange={setNext}
          hint="At least 10 characters. All other sessions end."
        />
        <Refused message={refused} />
        {done ? <p role="status">The password is changed, and all other sessions have ended.</p> : null}
        <div>
          <Button type="submit" disabled={busy}>
            Change the password
          </Button>
        </div>
      </form>
    </Part>
  )
}

function DeleteAccount({ email, hasPassword }: { email: string | null; hasPassword: boolean }) {
  const [confirm, setConfirm] = useState('')
  const [password, setPassword] = useState('')
  const { busy, refused, ask } = useAsking()
  if (email === null) return null
  const send = () => ask('DELETE', '/api/account', { confirm, password: hasPassword ? password : null }, leave)
  return (
    <Part title="Delete the account">
      <p className="text-muted">
        All its chats on this server are deleted at once, on every device, and can’t be brought back. Export what you
        want to keep first.
      </p>
      <form
        method="post"
        className="grid max-w-96 gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <AccountField label={`Type ${email}`} type="email" autoComplete="off" value={confirm} onChange={setConfirm} />
        {hasPassword ? (
          <AccountField
            label="Password"
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={setPassword}
          />
        ) : null}
        <Refused message={refused} />
        <div>
          <Button type="submit" look="danger" disabled={busy}>
            Delete the account and its chats
          </Button>
        </div>
      </form>
    </Part>
  )
}
