import type { KeptBy, ResultRelease } from '../conversation'
import { browserModelId } from '@/lib/base/browser-model-id'

/**
 * Says with each request as whom its page was made: a mark of the owner, empty for a browser without an account. A server that
 * finds someone else behind the cookies refuses, so that nobody's words are sent in another's name.
 */
export const whoHeader = 'x-nod-who'

/** On a page that stands in the place of the one that was asked for, since whoever asks is not let in: nobody keeps it as that one. */
export const insteadHeader = 'x-nod-instead'

/** A result that nobody's click kept. `at`: epoch milliseconds. */
export const storedInThisBrowser = (kind: Exclude<KeptBy['kind'], 'click'>, at: number): ResultRelease => ({
  kind: 'withheld',
  by: { kind },
  note: '',
  releasedAt: at,
})

/** What holds a model to a form, for sentences: one that the page runs itself has no server. */
export const modelHolder = (modelId: string): 'server' | 'engine' =>
  modelId.startsWith(browserModelId('wllama', '')) ? 'engine' : 'server'
