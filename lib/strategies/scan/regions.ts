import type { Source } from '../text/source'
import type { FenceOpener } from './fences'
import type { MarkupRegion } from './markup-regions'
import type { ReasoningRegion } from './reasoning'

/** A stretch of the reply in which calls are quotations (or, in a carrier fence, the other way round). */
export type Region =
  | ReasoningRegion
  | MarkupRegion
  | { readonly kind: 'frame'; readonly closes: (source: Source, i: number) => number | null }
  | { readonly kind: 'fence'; readonly fence: FenceOpener; afterCall: boolean }

/** A character at which a comment may end, beside those at which anything may begin. */
export const COMMENT_CLOSER = '-'
