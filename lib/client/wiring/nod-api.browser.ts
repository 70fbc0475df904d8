import { withBase, withoutBase } from '@/lib/base/base-path'
import { whoHeader, buildHeader } from '@/lib/shared/conversation/wire/addresses'
import { createNodApi, createShareApi } from '@/lib/client/api/nod-api'
import { createPageBuild } from '@/lib/client/api/page-build'

const pageData = typeof document === 'undefined' ? {} : document.documentElement.dataset

/** Whether the server is newer than this page. */
export const pageBuild = createPageBuild(pageData['build'] ?? '')

/** The account of this page; empty without one. */
export const pageWho = pageData['who'] ?? ''

/** The operator allows another account to decide by a link. */
export const hasReviewers = pageData['reviewers'] !== undefined

/** Every response of the API names the build that gave it. */
export const fetchNoting: typeof fetch = async (input, init) => {
  const response = await fetch(
    input,
    pageWho === '' ? init : { ...init, headers: { ...(init?.headers as object), [whoHeader]: pageWho } },
  )
  // The user signed out elsewhere: the current user may not see this page, and one who may can load it again. A page
  // that is being left is not reloaded.
  if (pageWho !== '' && response.status === 401 && pageData['leaves'] === undefined) {
    const next = encodeURIComponent(withoutBase(window.location.pathname))
    window.location.replace(withBase(`/sign-in?error=signed_out&next=${next}`))
  }
  pageBuild.heard(response.headers.get(buildHeader))
  return response
}

/** The page's only connection to the server. */
export const nodApi = createNodApi(fetchNoting)

/** The page's requests for sharing chats and copying shared ones. */
export const shareApi = createShareApi(fetchNoting)
