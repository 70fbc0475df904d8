/** What stands beside the chat, instead of the tree of files. */
export interface NextToChat {
  /** Whether its scripts may run: somebody pressed Run. */
  readonly run: boolean
  /** A text that is no file yet: a block of code. Left out: the file at the path. */
  readonly text?: string
}

/** A wish to see a file of the open conversation, from anywhere in the page; the workspace panel answers it. */
export interface OpenFileRequest {
  readonly conversationId: string
  /** Absolute. */
  readonly path: string
  /** Left out: in the workspace. */
  readonly beside?: NextToChat
}

const eventName = 'nod:open-file'

export const requestOpenFile = (request: OpenFileRequest): void => {
  window.dispatchEvent(new CustomEvent<OpenFileRequest>(eventName, { detail: request }))
}

/** Returns the function that ends it. */
export function onOpenFile(listener: (request: OpenFileRequest) => void): () => void {
  const heard = (event: Event) => listener((event as CustomEvent<OpenFileRequest>).detail)
  window.addEventListener(eventName, heard)
  return () => window.removeEventListener(eventName, heard)
}
