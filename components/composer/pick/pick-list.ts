import type { RefObject } from 'react'
import type { OfferedPiece } from '@/lib/shared/mcp/offers'
import type { FillRequest } from './fill-form'
import type { PickKeys } from './options'
import type { PickTrigger } from './pick-trigger'

/** Props of a pick list: what it does with the chosen entry. */
export interface PickListProps {
  readonly trigger: PickTrigger
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly keys: RefObject<PickKeys | null>
  readonly insert: (words: string) => void
  readonly fill: (request: FillRequest) => void
  readonly say: (words: string) => void
  readonly attach: (files: readonly File[]) => void
  readonly onClose: () => void
}

const baseName = (uri: string): string => /([^/?#]+)\/*(?:[?#].*)?$/u.exec(uri)?.[1] ?? ''

/** A resource as a file to attach; null if it has no content to attach. */
export function fileOfPiece(piece: OfferedPiece, name: string): File | null {
  if (piece.kind === 'other') return null
  const called = baseName(safeDecode(piece.uri)) || name
  if (piece.kind === 'text') return new File([piece.text], withEnding(called, 'txt'), { type: 'text/plain' })
  try {
    const bytes = Uint8Array.from(atob(piece.base64), (letter) => letter.charCodeAt(0))
    const ending = /^[\w.-]+\/([\w-]{1,12})/u.exec(piece.mimeType)?.[1] ?? 'bin'
    return new File([bytes], withEnding(called, ending), { type: piece.mimeType })
  } catch {
    return null
  }
}

const withEnding = (name: string, ending: string): string => (/\.\w{1,8}$/u.test(name) ? name : `${name}.${ending}`)

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
