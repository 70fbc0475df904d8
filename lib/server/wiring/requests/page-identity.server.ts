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
import { clientAddress, countedAddress, logForwardedAddress } from './client-address.server'
import { peerOf } from './peer-address.server'
import { monotonicClock } from '@/lib/base/clocks'
import { createOwnRate, type OwnRate } from '@/lib/server/quota/rate'
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Metadata } from 'next'
import type { Language } from '@/lib/base/text/languages'
import { setLocaleStorage, sayTo } from '@/lib/base/text/reader'
import { languageCookie, languageOf } from '@/lib/i18n/language'
import '@/lib/i18n/server-messages'

setLocaleStorage(new AsyncLocalStorage<Language>())

/** The language of the page that is being rendered. */
export const pageLanguage = cache(async (): Promise<Language> => {
  const chosen = (await cookies()).get(languageCookie)?.value
  return languageOf(chosen, (await headers()).get('accept-language'))
})

/** For an answer that says by itself in which language it is. */
export const languageOfRequest = <T>(language: Language, say: () => T): T => sayTo(language, say)

/**
 * What a page says by itself, in its reader’s language: a title, a sentence that is handed on. What it renders is said by
 * `InLanguage`, so a component of it that says something is one of the client. A language that is entered for anyone who awaits
 * this would be lost on the way back: so `say` is run in it.
 */
export const inReadersLanguage = async <T>(say: () => T): Promise<T> => sayTo(await pageLanguage(), say)

/** What the window of a page is called. */
export const titledPage = (name: () => string, more: Metadata = {}): Promise<Metadata> =>
  inReadersLanguage(() => ({ ...more, title: t('page.title', { name: name() }) }))

/** Who asks, for the accounts. `anonymous`: whose the browser's own chats are. */
export const callerOf = (request: Request, anonymous: string | null): Caller => ({
  headers: request.headers,
  secure: isSecure(request),
  peer: peerOf(request),
  address: clientAddress(request),
  countedAs: countedAddress(request),
  anonymous,
})

export interface PageIdentity {
  /** Null: this server has none, or can't say just now. */
  readonly accounts: Accounts | null
  readonly signedIn: SignedIn | null
  /** What the page goes by; empty without an account. */
  readonly mark: string
  /** Why someone who is known is not let in, as a sentence. */
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

interface SharedPage {
  /** Where the reader must go first; null: nowhere. */
  readonly entry: string | null
  /** Null: there is no such link, it was ended, has expired, or sharing is off. */
  readonly shared: SharedChat | null
  /** The reader may have chats here, so that this one can be gone on with. */
  readonly mayCopy: boolean
}

/** What a link shows to anyone who opens it, asked once a page. Throws what the store says. */
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
 * A visitor without a cookie becomes someone new, with limits of their own. Who throws cookies away would so have no
 * limits at all: newcomers are counted by address, and all together.
 */

interface Holder {
  readonly byAddress: OwnRate
  readonly together: OwnRate
}

/** An office behind one address may come in at once; no one needs thousands. */
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
 * What requests of newcomers are counted under: one bucket an address, so that no one escapes it by throwing cookies away and no one
 * empties it for newcomers from elsewhere; one for all whose address is not known.
 */
export const newVisitorSubject = (request: Request): string => `newcomers of ${countedAddress(request) ?? 'no address'}`

/** Seconds to wait before this visitor may become someone new; 0: now. */
export function newVisitorWait(request: Request): number {
  const { byAddress, together } = holder()
  const address = countedAddress(request)
  const wait = address === null ? 0 : byAddress.wait(address)
  if (wait > 0) logForwardedAddress()
  return wait || together.wait('everybody')
}
