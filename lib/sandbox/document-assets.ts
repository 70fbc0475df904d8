/** What reads foreign files in the sandbox, in a worker of its own: each reader is a file of public/sandbox-libs. */
export const readerAssets = {
  'pdf-reader': 'document-pdf.js',
  'office-reader': 'document-office.js',
  'html-reader': 'document-html.js',
  'sql-reader': 'sql.js',
} as const

export type ReaderName = keyof typeof readerAssets

export const isReaderName = (language: string): language is ReaderName => Object.hasOwn(readerAssets, language)

/** Tables of letters that PDFs of some languages name and do not bring, copied from pdf.js. `Adobe-Japan1-UCS2` and the like. */
export const cMapAsset = (name: string): string => `cmap-${name}.bcmap`

export const isCMapAsset = (name: string): boolean => /^cmap-[A-Za-z0-9][A-Za-z0-9-]{0,40}\.bcmap$/.test(name)
