import type { z } from 'zod'
import type { Arrival, Caller, SignedIn } from '@/lib/accounts/account-context'
import type { Accounts } from '@/lib/accounts/accounts'
import { shownAddress } from '@/lib/accounts/identify'
import { callerOf } from '@/lib/wiring/accounts.server'
import { isSecure } from '@/lib/http/origin'
import { accountError } from '@/lib/words/accounts'
import { forgottenOwnerCookies } from '../identify'
import { json } from '../respond'
import { withOwner, type OwnerRequest } from '../with-owner'

interface AccountRequest<Body> extends OwnerRequest<Body> {
  readonly accounts: Accounts
  readonly caller: Caller
}

/** A route of a server with accounts, for whoever is about to sign in; `not-found` where there are none. */
export const withAccounts = <Body = null>(
  options: { readonly body?: z.ZodType<Body> },
  handle: (request: AccountRequest<Body>) => Promise<Response>,
) =>
  withOwner<Body>({ ...options, arriving: true }, async (asked) => {
    const { accounts } = asked.server
    if (!accounts) throw accountError('not-found', 'accounts.off')
    return handle({ ...asked, accounts, caller: callerOf(asked.request, asked.identity.anonymous) })
  })

/** The same for who is signed in. */
export const withAccount = <Body = null>(
  options: { readonly body?: z.ZodType<Body> },
  handle: (request: AccountRequest<Body> & { readonly who: SignedIn }) => Promise<Response>,
) =>
  withAccounts<Body>(options, async (asked) => {
    const who = asked.identity.signedIn
    if (!who) throw accountError('signed-out', 'accounts.sign-in-needed')
    return handle({ ...asked, who })
  })

export function withCookies(response: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}

/** Signed in: the browser has no owner of its own any more. `who`: what its page goes by from now on. */
export function arrived(
  { request, server }: OwnerRequest<unknown>,
  { account, cookies, moved, waiting }: Arrival,
): Response {
  const answer = {
    account: { name: account.name, email: shownAddress(account.email), role: account.role },
    who: server.mark?.(account.owner) ?? '',
    moved,
    waiting,
  }
  return withCookies(json(answer), [...cookies, ...forgottenOwnerCookies(isSecure(request))])
}

/** Signed out: what the browser keeps of pages and pictures goes, too. */
export function left(cookies: readonly string[]): Response {
  const response = withCookies(json({}), cookies)
  response.headers.set('clear-site-data', '"cache"')
  return response
}
