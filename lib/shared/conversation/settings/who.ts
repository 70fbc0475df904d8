import type { WithheldBy, ResultRelease } from '../call-record'
import { browserModelId } from '@/lib/base/browser-model-id'

/**
 * Names the user of the page with each request: a mark of the owner, empty for a browser without an account. A server
 * that finds another user in the cookies refuses, so that no message is sent in another user's name.
 */
export const whoHeader = 'x-nod-who'

/**
 * Marks a page that replaces the requested one because the user has no access, so that no cache stores it as that page.
 */
export const insteadHeader = 'x-nod-instead'

/** A result that was withheld without a click. `at`: epoch milliseconds. */
export const storedInThisBrowser = (kind: Exclude<WithheldBy['kind'], 'click'>, at: number): ResultRelease => ({
  kind: 'withheld',
  by: { kind },
  note: '',
  releasedAt: at,
})

/** What constrains a model's replies, for sentences: a model that the page runs itself has no server. */
export const modelHolder = (modelId: string): 'server' | 'engine' =>
  modelId.startsWith(browserModelId('wllama', '')) ? 'engine' : 'server'
