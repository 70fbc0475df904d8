import { createNodApi } from '@/lib/client/nod-api'
import { buildHeader, createPageBuild } from '@/lib/client/page-build'

/** Whether the server is newer than this page. */
export const pageBuild = createPageBuild(
  typeof document === 'undefined' ? '' : (document.documentElement.dataset['build'] ?? ''),
)

/** Every answer of the API names the build that gave it. */
export const fetchNoting: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  pageBuild.heard(response.headers.get(buildHeader))
  return response
}

/** The page's one way to the server. */
export const nodApi = createNodApi(fetchNoting)
