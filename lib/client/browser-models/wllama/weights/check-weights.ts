import type { AppError } from '@/lib/base/app-error'
import { makeError } from '@/lib/i18n/t'
import { readGgufHead, type GgufHead, type GgufTrouble } from '../gguf/read-head'

/** What writes no text: encoders, eyes, ears and adapters. */
const noWriters = /(?:^|-)(?:bert|clip|embed(?:ding)?|encoder|adapter|vocoder|wavtokenizer|whisper|t5encoder)(?:-|$)/

/** Whether a file is a model that llama.cpp can run here; the error says what it is in its place. */
export async function checkWeights(file: Blob, name: string): Promise<GgufHead | AppError> {
  const read = await readGgufHead(file)
  if (!read.ok) return troubleOf(read.trouble, file, name)
  const { head } = read
  if (head.parts > 1) return makeError('bad-request', 'wllama.in-parts', { name, parts: head.parts })
  if (head.tensors === 0 || noWriters.test(head.architecture)) {
    return makeError('bad-request', 'wllama.no-chat-model', { name, architecture: head.architecture.slice(0, 40) })
  }
  return head
}

async function troubleOf(trouble: GgufTrouble, file: Blob, name: string): Promise<AppError> {
  switch (trouble.kind) {
    case 'not-gguf':
      return notGguf(file, name)
    case 'version':
      return makeError('bad-request', 'wllama.version', { name, version: trouble.version })
    case 'truncated':
      return (trouble.bytes ?? 0) > file.size
        ? makeError('bad-request', 'wllama.truncated', { name, has: file.size, needs: trouble.bytes ?? 0 })
        : makeError('bad-request', 'wllama.truncated-early', { name })
    case 'damaged':
      return makeError('bad-request', 'wllama.damaged', { name })
  }
}

/** Of the beginning of a file that does not begin as a GGUF. */
export async function notGguf(start: Blob, name: string): Promise<AppError> {
  const isPage = /^\s*(?:<!doctype html|<html)/i.test(await start.slice(0, 200).text())
  return makeError('bad-request', 'wllama.not-gguf', { name, isPage })
}
