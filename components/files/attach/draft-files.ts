import { isRecord } from '@/lib/base/json'
import { encodingNames } from '@/lib/base/text/encoding-names'
import type { AttachedDocument } from '@/lib/shared/conversation/conversation'
import type { DraftFile } from '@/lib/shared/prompt/shared-content'

/** The attached files, as stored in the draft. */
export interface DraftFiles {
  readonly files: readonly DraftFile[]
  /** The message that they were sent with; they return if it did not arrive. */
  readonly sentIn: string | null
}

const none: DraftFiles = { files: [], sentIn: null }

export const writeDraftFiles = (draft: DraftFiles): string => (draft.files.length === 0 ? '' : JSON.stringify(draft))

/** Data of another version, or anything malformed, counts as an empty draft. */
export function readDraftFiles(text: string): DraftFiles {
  if (text === '') return none
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || !('files' in value) || !Array.isArray(value.files)) return none
    const files = value.files.filter(isAttachment)
    return { files, sentIn: 'sentIn' in value && typeof value.sentIn === 'string' ? value.sentIn : null }
  } catch {
    return none
  }
}

function isAttachment(value: unknown): value is DraftFile {
  if (typeof value !== 'object' || value === null) return false
  const { path, mediaType, size, head, isImage, content, written, document } = value as Record<string, unknown>
  return (
    typeof path === 'string' &&
    typeof mediaType === 'string' &&
    typeof size === 'number' &&
    (head === null || typeof head === 'string') &&
    typeof isImage === 'boolean' &&
    (content === undefined || content === 'goes' || content === 'stays') &&
    (written === undefined || isAttachedText(written)) &&
    (document === undefined || isAttachedDocument(document))
  )
}

const isAttachedText = (value: unknown): boolean =>
  isRecord(value) && typeof value['bytes'] === 'number' && encodingNames.some((name) => name === value['encoding'])

const units: readonly unknown[] = ['page', 'slide', 'sheet', 'chapter', 'part'] satisfies AttachedDocument['unit'][]

const isAttachedDocument = (value: unknown): boolean =>
  isRecord(value) &&
  units.includes(value['unit']) &&
  typeof value['whole'] === 'boolean' &&
  [value['total'], value['tokens'], value['hidden']].every((each) => typeof each === 'number')
