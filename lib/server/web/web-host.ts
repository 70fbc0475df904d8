import { makeError } from '@/lib/i18n/t'
import { bareHost, maxQueryCharacters, readWebAddress } from '@/lib/shared/web/web-address'
import type { WebAccess, WebAnswer } from '@/lib/shared/web/web-answer'
import type { OwnRate } from '../quota/rate'
import type { FetchRequest } from './fetch-page.server'
import type { Reach } from './reach'

/** What an approved call requests from the web, read from the stored call. */
export type WebTask =
  | { readonly kind: 'pages'; readonly url: string }
  | { readonly kind: 'search'; readonly query: string }

/** Reads pages and searches the web for approved calls, if the operator enabled that. */
export interface WebHost {
  readonly access: ReadonlySet<WebAccess>
  /**
   * Reserves a slot for a task; refuses with AppError `rate-limited` if an owner or a host has reached its limit.
   * Nothing is sent yet. `run` sends the request and never rejects; `release` frees the slot without sending.
   */
  prepare(owner: string, task: WebTask): Promise<PreparedTask>
}

interface PreparedTask {
  run(signal: AbortSignal): Promise<WebAnswer>
  release(): void
}

interface SearchService {
  readonly url: string
  /** Sent as `X-Subscription-Token`; null: a SearXNG without a key. */
  readonly key: string | null
}

export interface WebHostPorts {
  /** Null: reading pages is disabled. */
  readonly reach: Reach | null
  readonly search: SearchService | null
  readonly fetchPage: (request: FetchRequest) => Promise<WebAnswer>
  /** Seconds to wait, or 0. */
  readonly ofOwner: (owner: string) => Promise<number>
  /** Limits requests to one host, so that they do not look like a crawler. */
  readonly ofHost: OwnRate
  /** Logs host names only: never a URL or a query. */
  readonly note: (line: string) => void
}

export const webLimits = { atOncePerOwner: 3, atOnce: 32 } as const

export function createWebHost({ reach, search, fetchPage, ofOwner, ofHost, note }: WebHostPorts): WebHost {
  const running = new Map<string, number>()
  let all = 0

  const refuse = (seconds: number) =>
    makeError('rate-limited', 'chat.web-busy', { seconds }, { retryAfterSeconds: seconds })

  function take(owner: string): () => void {
    const own = running.get(owner) ?? 0
    if (own >= webLimits.atOncePerOwner || all >= webLimits.atOnce) throw refuse(5)
    running.set(owner, own + 1)
    all += 1
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      const left = (running.get(owner) ?? 1) - 1
      if (left === 0) running.delete(owner)
      else running.set(owner, left)
      all -= 1
    }
  }

  /** The request to send, or why nothing is sent. */
  function requestOf(task: WebTask): Omit<FetchRequest, 'signal'> | Extract<WebAnswer, { readonly kind: 'failed' }> {
    if (task.kind === 'search') {
      if (!search) throw makeError('conflict', 'chat.web-off')
      return {
        url: searchAddress(search, task.query),
        // The operator's own service may be at any address.
        reach: () => ({ ok: true, isOnPurpose: true, admits: () => true }),
        headers: { accept: 'application/json', ...(search.key !== null && { 'x-subscription-token': search.key }) },
      }
    }
    if (!reach) throw makeError('conflict', 'chat.web-off')
    const read = readWebAddress(task.url)
    if (!read.ok) return { kind: 'failed', why: read.error, host: '' }
    const permit = reach(read.value)
    if (!permit.ok) return { kind: 'failed', why: permit.why, host: read.value.host }
    return { url: read.value, reach }
  }

  return {
    access: new Set<WebAccess>([...(reach ? (['pages'] as const) : []), ...(search ? (['search'] as const) : [])]),

    async prepare(owner, task) {
      const request = requestOf(task)
      if ('kind' in request) return { run: () => Promise.resolve(request), release: () => {} }
      const release = take(owner)
      try {
        const host = bareHost(request.url)
        // The search service has its own limits, which the operator knows.
        const seconds = (task.kind === 'pages' ? ofHost.wait(host) : 0) || (await ofOwner(owner))
        if (seconds > 0) throw refuse(seconds)
        return {
          release,
          async run(signal) {
            try {
              const answer = await fetchPage({ ...request, signal })
              note(`web: ${task.kind} ${host} ${answer.kind === 'page' ? 'read' : answer.why}`)
              return task.kind === 'search' ? ofSearch(answer) : answer
            } finally {
              release()
            }
          },
        }
      } catch (error) {
        release()
        throw error
      }
    },
  }
}

/** Hides the URL of the operator's service from the page: it may be internal, or contain a key. */
function ofSearch(answer: WebAnswer): WebAnswer {
  if (answer.kind === 'page') return answer.type === 'json' ? { ...answer, url: '' } : failed('type')
  return answer.why === 'moved' ? failed('redirects') : { ...answer, host: '' }
}

const failed = (why: 'type' | 'redirects'): WebAnswer => ({ kind: 'failed', why, host: '' })

/** SearXNG's URL may be that of its start page; with a key, the URL is used unchanged. */
export function searchAddress({ url: base, key }: SearchService, query: string): URL {
  const url = new URL(base)
  if (key === null && url.pathname.endsWith('/')) url.pathname += 'search'
  url.searchParams.set('q', query.trim().slice(0, maxQueryCharacters))
  if (key === null) url.searchParams.set('format', 'json')
  return url
}
