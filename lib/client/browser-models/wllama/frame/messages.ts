/*
 * The messages between the page and the frame around the worker, beside the port for the messages of worker and page.
 */

/** Sent once, with the port. */
export interface FrameStart {
  /** Address of the worker's script, on this host. */
  readonly worker: string
}

/** Messages of the frame itself; all others on the port are the worker's. */
export type FrameMessage = { readonly frame: 'started' } | { readonly frame: 'broken'; readonly message: string }

export const isFrameMessage = (data: unknown): data is FrameMessage =>
  typeof data === 'object' && data !== null && 'frame' in data
