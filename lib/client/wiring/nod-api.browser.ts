import { withBase, withoutBase } from '@/lib/base/base-path'
import { whoHeader } from '@/lib/shared/conversation/settings/who'
import { createNodApi, createShareApi } from '@/lib/client/api/nod-api'
import { createPageBuild } from '@/lib/client/api/page-build'
import { buildHeader } from '@/lib/shared/conversation/wire/addresses'

const said = typeof document === 'undefined' ? {} : document.documentElement.dataset

/** Whether the server is newer than this page. */
export const pageBuild = createPageBuild(said['build'] ?? '')

/** The account whose page this is; empty without one. */
export const pageWho = said['who'] ?? ''

/** Every answer of the API names the build that gave it. */
export const fetchNoting: typeof fetch = async (input, init) => {
  const response = await fetch(
    input,
    pageWho === '' ? init : { ...init, headers: { ...(init?.headers as object), [whoHeader]: pageWho } },
  )
  // Signed out elsewhere: what stands on this page is not for whoever sits here now, and is there again for whoever may see it. A
  // page that leaves goes where it wants.
  if (pageWho !== '' && response.status === 401 && said['leaves'] === undefined) {
    const next = encodeURIComponent(withoutBase(window.location.pathname))
    window.location.replace(withBase(`/sign-in?error=signed_out&next=${next}`))
  }
  pageBuild.heard(response.headers.get(buildHeader))
  return response
}

/** The page's one way to the server. */
export const nodApi = createNodApi(fetchNoting)

/** How the page shares chats and takes shared ones over. */
export const shareApi = createShareApi(fetchNoting)
