import type { CallMarks } from './branch-origin'
import { createOriginMarker, type MarkRequest } from './mark-calls'

// Marks calls beside the page. Bundled into /workers/origin.js by scripts/build-sandbox.mjs.

/** `id`: which request is answered. */
export type ToOriginWorker = MarkRequest & { readonly id: number }
export type FromOriginWorker = { readonly id: number; readonly marks: CallMarks | null }

const marker = createOriginMarker()

self.onmessage = ({ data: { id, ...request } }: MessageEvent<ToOriginWorker>) =>
  void marker.marks(request).then(
    (marks) => self.postMessage({ id, marks } satisfies FromOriginWorker),
    () => self.postMessage({ id, marks: null } satisfies FromOriginWorker),
  )
