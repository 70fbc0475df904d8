import { type GgufHead, readGgufHead, type GgufTrouble } from '../gguf/read-head'
import { AppError } from '@/lib/base/app-error'
import { makeError } from '@/lib/i18n/t'

/** The limit of WebAssembly for this llama.cpp. */
export const PAGE_MEMORY_BYTES = 4 * 1024 ** 3
/** For computation, and llama.cpp itself. */
const BESIDES_BYTES = 256 * 1024 ** 2
/** For the keys and values of a chat; a longer one of a large model would take more than its weights. */
const MOST_CHAT_BYTES = 768 * 1024 ** 2
/** llama.cpp's own default for a model that does not say. */
const UNSAID_TOKENS = 4096
const LEAST_TOKENS = 512
const steps = [32_768, 16_384, 8192, 4096, 2048, 1024, LEAST_TOKENS]

/** The memory for weights of this size with the smallest window. */
export const minMemory = (fileBytes: number): number => fileBytes + BESIDES_BYTES

export interface MemoryPlan {
  readonly windowTokens: number
  /** About the memory that is used once it is loaded and the window is full. */
  readonly bytes: number
}

/**
 * Plans the context window of a model: as long as it was trained for, within the memory of a page.
 * @param wanted tokens; null: chosen automatically
 */
export function planMemory(head: GgufHead, fileBytes: number, wanted: number | null): MemoryPlan {
  const perToken = head.bytesPerToken ?? 0
  const trained = head.trainedTokens ?? UNSAID_TOKENS
  const room = Math.min(MOST_CHAT_BYTES, PAGE_MEMORY_BYTES - BESIDES_BYTES - fileBytes)
  const fits = (tokens: number) => tokens <= trained && tokens * perToken <= room
  // A window that the user chose is kept: the total shows whether it fits.
  const windowTokens = wanted ?? (fits(trained) && trained < 32_768 ? trained : (steps.find(fits) ?? LEAST_TOKENS))
  return { windowTokens: Math.min(windowTokens, trained), bytes: fileBytes + windowTokens * perToken + BESIDES_BYTES }
}

/** Models that write no text: encoders, vision and audio models, adapters. */
const noWriters = /(?:^|-)(?:bert|clip|embed(?:ding)?|encoder|adapter|vocoder|wavtokenizer|whisper|t5encoder)(?:-|$)/

/** Checks whether llama.cpp can run a file here; the error says what the file is instead. */
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

/** Describes a file that does not begin as a GGUF, from its beginning. */
export async function notGguf(start: Blob, name: string): Promise<AppError> {
  const isPage = /^\s*(?:<!doctype html|<html)/i.test(await start.slice(0, 200).text())
  return makeError('bad-request', 'wllama.not-gguf', { name, isPage })
}

/**
 * Checks a file before it becomes a model: returns the window that it will be loaded with, in tokens.
 * @throws {AppError} if it is no model that can run here
 */
export async function examineFile(file: File): Promise<{ readonly windowTokens: number }> {
  const { name } = file
  const head = await checkWeights(file, name)
  if (head instanceof AppError) throw head
  const { windowTokens, bytes } = planMemory(head, file.size, null)
  if (bytes > PAGE_MEMORY_BYTES) {
    throw makeError('too-large', 'wllama.too-large', { name, needs: bytes, most: PAGE_MEMORY_BYTES })
  }
  return { windowTokens }
}

/*
 * The browser features that llama.cpp's build needs. We check it ourselves: the library checks only a part, after it
 * has reported success. The two modules are those of wasm-feature-detect (Apache-2.0): one function with a vector in
 * it, one with a `try`.
 */
const simd = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]
const exceptions = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 8, 1, 6, 0, 6, 64, 25, 11, 11]

/** The part of the browser that is checked; tests replace it. */
export interface WasmPort {
  readonly WebAssembly?: Partial<Pick<typeof WebAssembly, 'validate' | 'Memory'>> & { readonly Suspending?: unknown }
}

/** Features that a browser may lack; each has a message `wllama.…`. */
type Lacking = `wllama.no-${'webassembly' | 'simd' | 'exceptions' | 'jspi'}`

/** Why this browser can't run a model; null: it can. */
export function whyItCantRun({ WebAssembly: wasm }: WasmPort): Lacking | null {
  if (wasm?.validate === undefined) return 'wllama.no-webassembly'
  if (!wasm.validate(new Uint8Array(simd))) return 'wllama.no-simd'
  if (!wasm.validate(new Uint8Array(exceptions))) return 'wllama.no-exceptions'
  if (wasm.Suspending === undefined || !hasMemory64(wasm)) return 'wllama.no-jspi'
  return null
}

function hasMemory64({ Memory }: NonNullable<WasmPort['WebAssembly']>): boolean {
  if (Memory === undefined) return false
  try {
    void new Memory({ address: 'i64', initial: 1n } as unknown as WebAssembly.MemoryDescriptor)
    return true
  } catch {
    return false
  }
}
