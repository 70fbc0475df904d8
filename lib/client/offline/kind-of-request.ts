import { withoutBasePath } from '@/lib/base/base-path'

export interface AskedFor {
  readonly method: string
  readonly url: URL
  /** A navigation of a whole tab, no frame. */
  readonly isPage: boolean
  /** Where the service worker stands. */
  readonly origin: string
  readonly basePath: string
}

/**
 * What the service worker does with a request. `page`: one that works without the server, by `copy`. `elsewhere`: one that
 * does not. `built`, `large`: a file under a name that says its version. `settled-late`: a built file whose headers follow the
 * server's settings. `rows`: what may be read again without the server. `deleted`: a chat that is being deleted.
 * Null: none of its business, above all whatever is written.
 */
export type RequestKind =
  | { readonly kind: 'page'; readonly copy: PageCopy; readonly chatId: string | null }
  | { readonly kind: 'elsewhere' | 'built' | 'large' | 'settled-late' | 'rows' | 'deleted' }
  | null

/** The pages that are kept; all chats share one, under the name of a chat that nobody has. */
export type PageCopy = '/' | '/playground' | '/lab' | typeof needsServer | typeof anyChat

export const anyChatId = '00000000-0000-4000-8000-000000000000'
export const anyChat = `/c/${anyChatId}`
/** Where a page that does not work without the server leads while there is none. */
export const needsServer = '/offline'
export const pageCopies: readonly PageCopy[] = ['/', anyChat, '/playground', '/lab', needsServer]

const lateWorkers: ReadonlySet<string> = new Set(['/workers/models.js', '/workers/wllama.js'])
const readable = /^\/api\/(?:models|conversations|conversations\/([\w-]+))$/

export function kindOfRequest({ method, url, isPage, origin, basePath }: AskedFor): RequestKind {
  if (url.origin !== origin) return null
  const isBelow = basePath === '' || url.pathname === basePath || url.pathname.startsWith(`${basePath}/`)
  if (!isBelow) return null
  const path = withoutBasePath(url.pathname, basePath)
  if (method === 'DELETE') return /^\/api\/conversations\/[\w-]+$/.test(path) ? { kind: 'deleted' } : null
  if (method !== 'GET') return null
  if (isPage) return pageOf(path)
  if (lateWorkers.has(path)) return { kind: 'settled-late' }
  if (/^\/(?:sandbox-libs\/pyodide-|workers\/wllama-)/.test(path)) return { kind: 'large' }
  if (path.startsWith('/_next/static/') || path.startsWith('/drawing/')) return { kind: 'built' }
  // Without their version these are asked for by whoever looks at them by hand.
  if (/^\/(?:workers|sandbox-libs)\/|^\/wllama\.html$/.test(path))
    return url.searchParams.has('v') ? { kind: 'built' } : null
  return isRows(path, url.searchParams) ? { kind: 'rows' } : null
}

function pageOf(path: string): RequestKind {
  if (path === '/' || path === '/playground' || path === '/lab' || path === needsServer)
    return { kind: 'page', copy: path, chatId: null }
  // Written into the copy: an id of ours is letters, digits and `-`, and nothing that could be more than a name.
  const chatId = /^\/c\/([\w-]{1,64})\/?$/.exec(path)?.[1] ?? null
  if (chatId !== null) return { kind: 'page', copy: anyChat, chatId }
  return path.startsWith('/api/') ? null : { kind: 'elsewhere' }
}

/** The list as it stands at first, a chat as it is opened, the models: not what was looked for, nor pages behind. */
function isRows(path: string, asked: URLSearchParams): boolean {
  const found = readable.exec(path)
  if (!found) return false
  return found[1] === undefined ? asked.size === 0 : [...asked.keys()].every((key) => key === 'last')
}
