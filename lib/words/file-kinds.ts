import { labelsOf } from '@/lib/base/catalogue'

/** Kinds of files whose names are words; all others are names of formats, which are the same everywhere. */
const kinds = labelsOf('file-kind', {
  text: 'text',
  icon: 'icon',
  'Jupyter notebook': 'Jupyter notebook',
  'JSON with comments': 'JSON with comments',
  'Mermaid diagram': 'Mermaid diagram',
  'CSV table': 'CSV table',
  'TSV table': 'TSV table',
  'SVG image': 'SVG image',
  'PNG image': 'PNG image',
  'JPEG image': 'JPEG image',
  'GIF image': 'GIF image',
  'WebP image': 'WebP image',
  'AVIF image': 'AVIF image',
  'BMP image': 'BMP image',
  'PDF document': 'PDF document',
  'zip archive': 'zip archive',
  'empty zip archive': 'empty zip archive',
  'gzip data': 'gzip data',
  '7-Zip archive': '7-Zip archive',
  'SQLite database': 'SQLite database',
  'WebAssembly module': 'WebAssembly module',
  'WAV audio': 'WAV audio',
  'MP3 audio': 'MP3 audio',
  'Ogg audio or video': 'Ogg audio or video',
  'FLAC audio': 'FLAC audio',
  'MP4 video or audio': 'MP4 video or audio',
  'WebM or Matroska video': 'WebM or Matroska video',
  'binary data': 'binary data',
  'Word document': 'Word document',
  'Excel workbook': 'Excel workbook',
  'PowerPoint presentation': 'PowerPoint presentation',
  'OpenDocument text': 'OpenDocument text',
  'OpenDocument spreadsheet': 'OpenDocument spreadsheet',
  'EPUB book': 'EPUB book',
  'Java archive': 'Java archive',
})

const isNamed = (words: string): words is keyof typeof kinds => Object.hasOwn(kinds, words)

/** What a file is, as `kindOfFile` names it, in the reader’s language. */
export const fileKindWords = (words: string): string => (isNamed(words) ? kinds[words] : words)
