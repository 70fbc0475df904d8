import { documentOf } from '@/lib/base/text/text-encoding'
import { imageTypeOf } from '@/lib/shared/conversation/settings/image-type'

/** Endings whose type browsers don't know, or call differently on each system. */
const types: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  css: 'text/css',
  htm: 'text/html',
  html: 'text/html',
  js: 'text/javascript',
  json: 'application/json',
  jsonl: 'application/jsonl',
  jsx: 'text/javascript',
  md: 'text/markdown',
  mjs: 'text/javascript',
  pdf: 'application/pdf',
  py: 'text/x-python',
  sh: 'text/x-shellscript',
  sql: 'application/sql',
  svg: 'image/svg+xml',
  toml: 'application/toml',
  ts: 'text/x-typescript',
  tsv: 'text/tab-separated-values',
  tsx: 'text/x-typescript',
  txt: 'text/plain',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  zip: 'application/zip',
}

/**
 * What a file is, as `text/csv`: by its first bytes for pictures and documents, then by its name, then by what the browser says, and
 * else text or not.
 */
export function mediaTypeOf(name: string, data: Uint8Array, claimed: string, isText: boolean): string {
  const told = imageTypeOf(data) ?? documentOf(data)?.mediaType
  if (told) return told
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  const known = Object.hasOwn(types, ending) ? types[ending] : undefined
  if (known) return known
  const plain = claimed.split(';')[0]?.trim().toLowerCase() ?? ''
  if (/^[a-z0-9.+-]{1,60}\/[a-z0-9.+-]{1,100}$/.test(plain)) return plain
  return isText ? 'text/plain' : 'application/octet-stream'
}
