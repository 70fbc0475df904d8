import { t } from '@/lib/i18n/t'
import { documentOfType, isDocumentType } from '@/lib/base/text/document-formats'
import { bytesOfHead } from '@/lib/shared/conversation/attached'
import type { AttachedDocument, Attachment } from '@/lib/shared/conversation/conversation'

/*
 * Which part of an attached file the model's provider gets with its message. A file is in this browser; its name, type
 * and size are always sent, a text's beginning or an image only if the user allows it.
 */

/** The part of a file that is sent. `bytes`: of the file. */
export type SharedContent =
  /** `format`: for a document of an unsupported kind, like `PostScript`; null: for anything else. */
  | { readonly kind: 'name'; readonly format: string | null }
  | { readonly kind: 'text'; readonly bytes: number; readonly whole: boolean }
  | { readonly kind: 'picture' }
  /** A document that was read. */
  | { readonly kind: 'document'; readonly document: AttachedDocument }

/** A file that waits to be sent, with the user's decision on its content; left out: by the chat's settings. */
export interface DraftFile extends Attachment {
  readonly content?: 'goes' | 'stays'
}

/** The part of an attachment that is or was sent. */
export function sharedContentOf(
  file: Pick<Attachment, 'head' | 'isImage' | 'size' | 'mediaType' | 'written' | 'document'>,
): SharedContent {
  const { head, isImage, size, mediaType } = file
  if (isImage) return { kind: 'picture' }
  if (head === null) {
    const format = isDocumentType(mediaType) ? null : (documentOfType(mediaType)?.name ?? null)
    return { kind: 'name', format }
  }
  if (file.document) return { kind: 'document', document: file.document }
  const bytes = bytesOfHead(file)
  return { kind: 'text', bytes, whole: bytes >= size }
}

/** The attachment to send: without its content if the user, or a result gate that was not overridden, withholds it. */
export function asSent({ content, ...file }: DraftFile, isGated: boolean): Attachment {
  const stays = content === undefined ? isGated : content === 'stays'
  if (!stays) return file
  const { written: _written, document: _document, ...rest } = file
  return { ...rest, head: null, isImage: false }
}

/** "its first 2 KB go along"; `did`: "its first 2 KB went along". */
export function sharedContentText(leaving: SharedContent, tense: 'does' | 'did'): string {
  switch (leaving.kind) {
    case 'name':
      return leaving.format === null
        ? t('leaving.name', { tense })
        : t('leaving.document', { tense, format: leaving.format })
    case 'picture':
      return t('leaving.picture')
    case 'document': {
      const { unit, total, tokens, whole } = leaving.document
      return t('leaving.pages', { tense, unit, total, tokens, whole })
    }
    case 'text':
      return leaving.whole ? t('leaving.whole', { tense }) : t('leaving.first', { tense, bytes: leaving.bytes })
  }
}
