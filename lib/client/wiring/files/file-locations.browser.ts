import { localStorageOrNull } from '@/lib/base/features.browser'
import { withBase } from '@/lib/base/base-path'
import { deviceLabel } from '@/lib/i18n/labels'
import type { Vfs } from '@/lib/vfs/vfs'
import { fetchNoting, pageWho } from '@/lib/client/wiring/nod-api.browser'

/*
 * Files are stored in the browser that created them. If an account has several browsers, each reports how many files of
 * a chat it has, so that the others can say where they are. Without an account there is only one browser, and nothing
 * is reported.
 */

const browserKey = 'nod:browser'
const WAIT_MS = 1_500

export interface FilesElsewhere {
  /** `Firefox on Linux`. */
  readonly browser: string
  readonly files: number
}

const addressOfPlaces = (conversationId: string): string =>
  withBase(`/api/conversations/${encodeURIComponent(conversationId)}/file-places`)

/** This browser's own id for the server: it names no person, and lasts as long as the browser's files. */
function ownBrowserId(): string | null {
  try {
    const storage = localStorageOrNull()
    if (!storage) return null
    const known = storage.getItem(browserKey)
    if (known !== null) return known
    const made = crypto.randomUUID()
    storage.setItem(browserKey, made)
    return made
  } catch {
    return null
  }
}

/**
 * Reports to the server how many files are here, now and after they change; returns the function that ends it. A
 * failure loses only the report.
 */
export function reportFileLocation(conversationId: string, vfs: Pick<Vfs, 'usage' | 'watch'>): () => void {
  const browserId = pageWho === '' ? null : ownBrowserId()
  if (browserId === null) return () => {}
  let reportedAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const tell = async () => {
    const { files } = await vfs.usage()
    if (files === reportedAt) return
    reportedAt = files
    await fetchNoting(addressOfPlaces(conversationId), {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ browserId, browser: deviceLabel(navigator.userAgent), files }),
    })
  }
  const soon = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void tell().catch(() => undefined), WAIT_MS)
  }
  soon()
  const unwatch = vfs.watch(soon)
  return () => {
    unwatch()
    clearTimeout(timer)
  }
}

/** Other browsers of the account with files of the chat, by their last report; none if unknown. */
export async function filesElsewhere(conversationId: string): Promise<readonly FilesElsewhere[]> {
  if (pageWho === '') return []
  try {
    const answer = await fetchNoting(addressOfPlaces(conversationId))
    if (!answer.ok) return []
    const { places } = (await answer.json()) as {
      readonly places: readonly (FilesElsewhere & { readonly browserId: string })[]
    }
    const own = ownBrowserId()
    return places.filter(({ browserId }) => browserId !== own)
  } catch {
    return []
  }
}
