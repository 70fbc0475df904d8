/* What the page says to the frame around the worker, beside a port for all that worker and page say to each other. */

/** Once, with the port. */
export interface FrameStart {
  /** Address of the worker's script, on this very host. */
  readonly worker: string
}

/** Of the frame itself; everything else on the port is the worker's. */
export type FrameMessage = { readonly frame: 'started' } | { readonly frame: 'broken'; readonly message: string }

export const isFrameMessage = (data: unknown): data is FrameMessage =>
  typeof data === 'object' && data !== null && 'frame' in data
