import { formatBytes } from '@/lib/base/format-bytes'
import type { Attachment } from '@/lib/conversation/conversation'

/*
 * What of an attached file goes to the model's provider with its message. A file lies in this browser; its name, type and
 * size are told always, a text's beginning or a picture only where the person lets it go.
 */

/** What of a file leaves. `bytes`: of UTF-8, as they are sent. */
export type Leaving =
  | { readonly kind: 'name' }
  | { readonly kind: 'text'; readonly bytes: number; readonly whole: boolean }
  | { readonly kind: 'picture' }

/** A file that waits to be sent, with the person's word on its content; left out: as the settings of the chat say. */
export interface DraftFile extends Attachment {
  readonly content?: 'goes' | 'stays'
}

/** What goes, of an attachment as it is sent or was sent. */
export function leavingOf({ head, isImage, size }: Pick<Attachment, 'head' | 'isImage' | 'size'>): Leaving {
  if (isImage) return { kind: 'picture' }
  if (head === null) return { kind: 'name' }
  const bytes = new TextEncoder().encode(head).byteLength
  return { kind: 'text', bytes, whole: bytes >= size }
}

/** As it is sent: without its content where the person, or a result gate that nobody overruled, keeps it here. */
export function asSent({ content, ...file }: DraftFile, isGated: boolean): Attachment {
  const stays = content === undefined ? isGated : content === 'stays'
  return stays ? { ...file, head: null, isImage: false } : file
}

/** "its first 2 KB go along"; `did`: "its first 2 KB went along". */
export function leavingWords(leaving: Leaving, tense: 'does' | 'did'): string {
  const [one, many] = tense === 'did' ? (['went', 'went'] as const) : (['goes', 'go'] as const)
  switch (leaving.kind) {
    case 'name':
      return `only its name and size ${many} along`
    case 'picture':
      // It is stored with the message and shown again with every later one: to which models, that can change.
      return 'the picture goes to models that can see'
    case 'text':
      return leaving.whole ? `all of it ${one} along` : `its first ${formatBytes(leaving.bytes)} ${many} along`
  }
}
