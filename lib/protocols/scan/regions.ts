import type { Source } from '../text/source'
import type { FenceOpener } from './fences'
import type { MarkupRegion } from './markup-regions'
import type { ReasoningRegion } from './reasoning'

/** A stretch of the reply in which calls are quotations (or, in a carrier fence, the other way round). */
export type Region =
  | ReasoningRegion
  | MarkupRegion
  | { readonly kind: 'frame'; readonly closes: (source: Source, i: number) => number | null }
  | FenceRegion

/** `answered`: a result began in it and broke off, so what stands in the rest of it may be the result's. */
export interface FenceRegion {
  readonly kind: 'fence'
  readonly fence: FenceOpener
  afterCall: boolean
  answered: boolean
}

export const fenceRegion = (fence: FenceOpener, afterCall = false): FenceRegion => ({
  kind: 'fence',
  fence,
  afterCall,
  answered: false,
})

/** A character at which a comment may end, beside those at which anything may begin. */
export const COMMENT_CLOSER = '-'
