// Document formats that are read as text. This file imports no parser, because the first page load uses it.

export const documentFormats = ['pdf', 'docx', 'pptx', 'xlsx', 'odt', 'odp', 'ods', 'epub', 'rtf'] as const
export type DocumentFormat = (typeof documentFormats)[number]

/** Templates, slide shows and files with macros have the same parts as the plain format. */
const variants: Readonly<Partial<Record<DocumentFormat, string>>> = {
  docx: 'docm dotx dotm',
  pptx: 'pptm potx potm ppsx ppsm',
  xlsx: 'xlsm xltx xltm',
  odt: 'ott',
  odp: 'otp',
  ods: 'ots',
}

const endings: Readonly<Record<string, DocumentFormat>> = Object.fromEntries(
  documentFormats.flatMap((format) =>
    [format, ...(variants[format]?.split(' ') ?? [])].map((ending) => [ending, format]),
  ),
)

const mediaTypes: Readonly<Record<DocumentFormat, string>> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  odt: 'application/vnd.oasis.opendocument.text',
  odp: 'application/vnd.oasis.opendocument.presentation',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  epub: 'application/epub+zip',
  rtf: 'application/rtf',
}

/** Whether files of this type are documents that Nod reads. */
export const isDocumentType = (mediaType: string): boolean => Object.values(mediaTypes).includes(mediaType)

export const mediaTypeOfDocument = (format: DocumentFormat): string => mediaTypes[format]

const beginsWith = (data: Uint8Array, text: string, at = 0): boolean => {
  for (let index = 0; index < text.length; index++) if (data[at + index] !== text.charCodeAt(index)) return false
  return true
}

const endingOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1).toLowerCase()

/** By the file name alone, for places that do not have the bytes. */
export const documentFormatOfName = (path: string): DocumentFormat | null => {
  const ending = endingOf(path)
  return Object.hasOwn(endings, ending) ? (endings[ending] ?? null) : null
}

/** The format that a file is read as: by its first bytes, and for zips by the file extension. Null: not a document. */
export function documentFormatOf(path: string, data: Uint8Array): DocumentFormat | null {
  const begin = new TextDecoder('latin1').decode(data.subarray(0, 1_024)).replace(/^(?:\u00ef\u00bb\u00bf)?[\s\0]*/, '')
  if (begin.startsWith('%PDF-')) return 'pdf'
  if (begin.startsWith('{\\rtf')) return 'rtf'
  const named = documentFormatOfName(path)
  const isZipped = named !== null && named !== 'pdf' && named !== 'rtf'
  // Password-protected Office files are not zips; the reader reports that.
  return isZipped && (beginsWith(data, 'PK') || beginsWith(data, '\xd0\xcf\x11\xe0')) ? named : null
}

/** Formats that programs read as text but people do not. */
const programTexts: readonly { readonly begin: string; readonly mediaType: string; readonly name: string }[] = [
  { begin: '%PDF-', mediaType: 'application/pdf', name: 'PDF' },
  { begin: '%!PS', mediaType: 'application/postscript', name: 'PostScript' },
  { begin: '{\\rtf', mediaType: 'application/rtf', name: 'RTF' },
]

type ProgramText = (typeof programTexts)[number]

/**
 * The document format that the file begins with, whatever the file name; null: none of these formats. White space may
 * precede it.
 */
export function documentOf(data: Uint8Array): ProgramText | null {
  const begin = new TextDecoder('latin1').decode(data.subarray(0, 1_024)).replace(/^(?:\u00ef\u00bb\u00bf)?[\s\0]*/, '')
  return programTexts.find((one) => begin.startsWith(one.begin)) ?? null
}

export const documentOfType = (mediaType: string): ProgramText | null =>
  programTexts.find((one) => one.mediaType === mediaType) ?? null
