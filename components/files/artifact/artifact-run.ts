import type { PageVisit } from './use-page-frame'
import type { PageTrail } from './use-page-trail'

/** What stays while one goes from page to page. */
export interface ArtifactRun {
  /** Scripts may run: that was pressed, here or elsewhere. */
  readonly mayRun: boolean
  /** Somebody knows that this browser may hang with a page that never stops. */
  readonly mayHang: boolean
  readonly allow: () => void
  readonly allowHang: () => void
  readonly trail: PageTrail
  readonly scrolls: PageVisit['scrolls']
  /** Opens a file that is no page. */
  readonly onOpen: (path: string) => void
}
