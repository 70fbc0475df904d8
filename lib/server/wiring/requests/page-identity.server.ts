import { cache } from 'react'
import { headers, cookies } from 'next/headers'
import { AppError } from '@/lib/base/app-error'
import { refusalText, t } from '@/lib/i18n/t'
import type { SignedIn, Caller } from '@/lib/server/accounts/account-context'
import type { Accounts } from '@/lib/server/accounts/accounts'
import { pathHeader, isSecure } from '@/lib/server/http/access'
import { logProblem } from '../log/log.server'
import { serverSlot } from './running-server'
import { serverSettings } from '../settings.server'
import type { SharedChat } from '@/lib/server/store/ports/store'
import { serverAccess } from './owners.server'
import { getServer } from '../server'
import { clientAddress, countedAddress, logForwardedAddress, peerOf } from './client-address.server'
import { monotonicClock } from '@/lib/base/clocks'
import { createOwnRate, type OwnRate } from '@/lib/server/quota/rate'
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Metadata } from 'next'
import { type Language, setLocaleStorage, withLanguage } from '@/lib/base/text/languages'
import { languageCookie, languageOf } from '@/lib/i18n/language'
import '@/lib/i18n/server-messages'

setLocaleStorage(new AsyncLocalStorage<Language>())

/** The language of the page that is being rendered. */
export const pageLanguage = cache(async (): Promise<Language> => {
  const chosen = (await cookies()).get(languageCookie)?.value
  return languageOf(chosen, (await headers()).get('accept-language'))
})

/** For a response that sets its language itself. */
export const languageOfRequest = <T>(language: Language, say: () => T): T => withLanguage(language, say)

/**
 * Text that a page creates itself in its reader’s language: a title, or a sentence for a prop. `InLanguage` sets the
 * language for rendered content, so components with text must be client components. An async caller would lose a
 * language that is set here when it resumes, so `say` runs within it.
 */
export const inReadersLanguage = async <T>(say: () => T): Promise<T> => withLanguage(await pageLanguage(), say)

/** The page's title. */
export const titledPage = (name: () => string, more: Metadata = {}): Promise<Metadata> =>
  inReadersLanguage(() => ({ ...more, title: t('page.title', { name: name() }) }))

/** The caller, for the accounts. `anonymous`: the owner of the browser's own chats. */
export const callerOf = (request: Request, anonymous: string | null): Caller => ({
  headers: request.headers,
  secure: isSecure(request),
  peer: peerOf(request),
  address: clientAddress(request),
  countedAs: countedAddress(request),
  anonymous,
})

export interface PageIdentity {
  /** Null: this server has none, or they can't be read now. */
  readonly accounts: Accounts | null
  readonly signedIn: SignedIn | null
  /** The mark by which the page identifies its owner; empty without an account. */
  readonly mark: string
  /** Why a known user is not admitted, as a sentence. */
  readonly refused: string | null
}

const nobody: PageIdentity = { accounts: null, signedIn: null, mark: '', refused: null }

/** Who sees the page, determined once per page. The page is rendered even after a failure; the API reports it. */
export const pageIdentity = cache(async (): Promise<PageIdentity> => {
  const settings = serverSettings()
  if (!settings.ok || settings.value.NOD_AUTH.length === 0) return nobody
  const request = new Request('http://page.invalid/', { headers: await headers() })
  let accounts: Accounts | null = null
  try {
    // Created at the start, or by the first request to the API.
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

/** Where a visitor must be redirected first; null: nowhere. */
export async function entryOf(): Promise<string | null> {
  const { accounts, signedIn, refused } = await pageIdentity()
  const isStopped = refused !== null || (!signedIn && accounts?.offered.anonymous === false)
  if (!accounts || !isStopped) return null
  const wanted = (await headers()).get(pathHeader)
  return wanted === null || wanted === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(wanted)}`
}

interface SharedPage {
  /** Where the reader must be redirected first; null: nowhere. */
  readonly entry: string | null
  /** Null: there is no such link, it was revoked, has expired, or sharing is off. */
  readonly shared: SharedChat | null
  /** The reader may have chats here, and so can continue this one. */
  readonly mayCopy: boolean
}

/** What a link shows to its visitors, loaded once per page. Throws store errors. */
export const sharedPage = cache(async (token: string): Promise<SharedPage> => {
  const settings = serverSettings()
  const readers = settings.ok ? settings.value.NOD_SHARE : 'off'
  if (readers === 'off') return { entry: null, shared: null, mayCopy: false }
  const signIn = await entryOf()
  if (signIn !== null && readers !== 'public') return { entry: signIn, shared: null, mayCopy: false }
  const { service } = await getServer()
  const access = serverAccess()
  const cookie = (await headers()).get('cookie')
  const isIn = access.ok && (access.value === null || access.value.isLetIn(cookie))
  return { entry: null, shared: await service.shared(token), mayCopy: isIn && signIn === null }
})

/*
 * A visitor without a cookie becomes a new owner with new limits. Someone who drops cookies would have no limits at
 * all, so new visitors are counted by address, and in total.
 */

interface Holder {
  readonly byAddress: OwnRate
  readonly together: OwnRate
}

/** Everyone in an office behind one address may arrive at once; nobody needs thousands. */
const PER_ADDRESS = { burst: 60, perSecond: 0.2 }
const TOGETHER = { burst: 600, perSecond: 5 }

const key = Symbol.for('nod.newcomers')
const slot = globalThis as typeof globalThis & { [key]?: Holder }
const holder = (): Holder =>
  (slot[key] ??= {
    byAddress: createOwnRate({ ...PER_ADDRESS, monotonic: monotonicClock }),
    together: createOwnRate({ ...TOGETHER, monotonic: monotonicClock }),
  })

/**
 * The subject for requests of new visitors: one bucket per address, so that dropping cookies does not help, and nobody
 * exhausts the limit for visitors from elsewhere; one bucket for all with an unknown address.
 */
export const newVisitorSubject = (request: Request): string => `newcomers of ${countedAddress(request) ?? 'no address'}`

/** Seconds to wait before this visitor may become a new owner; 0: now. */
export function newVisitorWait(request: Request): number {
  const { byAddress, together } = holder()
  const address = countedAddress(request)
  const wait = address === null ? 0 : byAddress.wait(address)
  if (wait > 0) logForwardedAddress()
  return wait || together.wait('everybody')
}
