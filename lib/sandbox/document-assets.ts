/**
 * The readers of untrusted files in the sandbox, each in its own worker: each reader is a file of public/sandbox-libs.
 */
export const readerAssets = {
  'pdf-reader': 'document-pdf.js',
  'office-reader': 'document-office.js',
  'html-reader': 'document-html.js',
  'sql-reader': 'sql.js',
} as const

export type ReaderName = keyof typeof readerAssets

export const isReaderName = (language: string): language is ReaderName => Object.hasOwn(readerAssets, language)

/**
 * Character maps that PDFs in some languages reference but do not include, copied from pdf.js; for example
 * `Adobe-Japan1-UCS2`.
 */
export const cMapAsset = (name: string): string => `cmap-${name}.bcmap`

export const isCMapAsset = (name: string): boolean => /^cmap-[A-Za-z0-9][A-Za-z0-9-]{0,40}\.bcmap$/.test(name)
