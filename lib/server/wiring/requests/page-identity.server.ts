import { cache } from 'react'
import { headers } from 'next/headers'
import { AppError } from '@/lib/base/app-error'
import { refusalText } from '@/lib/i18n/t'
import type { SignedIn } from '@/lib/server/accounts/account-context'
import type { Accounts } from '@/lib/server/accounts/accounts'
import { pathHeader } from '@/lib/server/http/access'
import { callerOf } from './caller.server'
import { logProblem } from '../log/log.server'
import { pageLanguage } from './page-language.server'
import { serverSlot } from './running-server'
import { serverSettings } from '../settings.server'

export interface PageIdentity {
  /** Null: this server has none, or can't say just now. */
  readonly accounts: Accounts | null
  readonly signedIn: SignedIn | null
  /** What the page goes by; empty without an account. */
  readonly mark: string
  /** Why somebody who is known is not let in, as a sentence. */
  readonly refused: string | null
}

const nobody: PageIdentity = { accounts: null, signedIn: null, mark: '', refused: null }

/** Who sees the page, asked once a page. It comes up whatever is wrong; the API says what. */
export const pageIdentity = cache(async (): Promise<PageIdentity> => {
  const settings = serverSettings()
  if (!settings.ok || settings.value.NOD_AUTH.length === 0) return nobody
  const request = new Request('http://page.invalid/', { headers: await headers() })
  let accounts: Accounts | null = null
  try {
    // The start made it, or the first request to the API does.
    const { server: starting, updating } = serverSlot()
    // An update of the tables may take minutes.
    const server = updating ? null : await starting
    if (!server) return nobody
    accounts = server.accounts ?? null
    const signedIn = (await accounts?.identify(callerOf(request, null))) ?? null
    const mark = signedIn ? (server.mark?.(signedIn.account.owner) ?? '') : ''
    return { accounts, signedIn, mark, refused: null }
  } catch (error) {
    if (error instanceof AppError) return { ...nobody, accounts, refused: refusalText(error, await pageLanguage()) }
    logProblem('a page could not tell who sees it', error)
    return nobody
  }
})

/** Where a visitor must go first; null: nowhere. */
export async function entryOf(): Promise<string | null> {
  const { accounts, signedIn, refused } = await pageIdentity()
  const isStopped = refused !== null || (!signedIn && accounts?.offered.anonymous === false)
  if (!accounts || !isStopped) return null
  const wanted = (await headers()).get(pathHeader)
  return wanted === null || wanted === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(wanted)}`
}
