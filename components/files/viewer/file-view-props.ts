import type { Vfs } from '@/lib/vfs/vfs'

export interface FileViewProps {
  readonly vfs: Vfs
  /** Absolute; of a file. */
  readonly path: string
  /** The head of the conversation, for the history's origin. */
  readonly messageId: string | null
  readonly onClose: () => void
  /** Shows it beside the chat instead, with its versions; `run`: its scripts too. Left out: there is no chat. */
  readonly onBeside?: ((run: boolean) => void) | undefined
}
